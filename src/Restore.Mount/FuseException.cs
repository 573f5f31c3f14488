namespace Restore.Mount;

/// <summary>The failure of one call, as an error number of the system.</summary>
internal sealed class FuseException(int error) : Exception($"Error {error}")
{
    public const int NoSuchEntry = 2;
    public const int Interrupted = 4;
    public const int InputOutput = 5;
    public const int NotFolder = 20;
    public const int IsFolder = 21;
    public const int Invalid = 22;
    public const int ResultTooLong = 34;
    public const int NoSuchCall = 38;
    public const int NoData = 61;
    public const int Stale = 116;

    public int Error => error;
}
