namespace Restore.Ends;

/// <summary>
/// The temporary name of the copy that replaces a file with several names before it is patched. It follows from the name of the file, so what a killed run
/// left is replaced when the file is patched again.
/// </summary>
internal static class OwnCopy
{
    private const int HashBytes = 16;

    public static string NameFor(ReadOnlySpan<char> name) =>
        $".restore-{Convert.ToHexStringLower(SHA256.HashData(Encoding.UTF8.GetBytes(name.ToString())).AsSpan(0, HashBytes))}";
}
