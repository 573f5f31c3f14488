using Restore.Interop;

namespace Restore.Cli;

/// <summary>
/// The standard output or error. If it is closed or on a full disk, the work goes on, and what
/// cannot be written is lost.
/// </summary>
internal sealed class StandardStream(Stream stream) : OutputStream
{
    /// <summary>The first failure of a write; null if all succeeded.</summary>
    public Exception? Failure { get; private set; }

    public override void Write(ReadOnlySpan<byte> buffer)
    {
        try
        {
            stream.Write(buffer);
        }
        catch (ArgumentOutOfRangeException failure)
        {
            Failure ??= WriteFailure.TooLarge(failure);
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            Failure ??= failure;
        }
    }
}
