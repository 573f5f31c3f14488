using Restore.Interop;

namespace Restore.Cli;

/// <summary>
/// The standard output or error. That it is closed or on a full disk does not end the work: what
/// cannot be written is lost.
/// </summary>
internal sealed class StandardStream(Stream stream) : OutputStream
{
    /// <summary>The first write that failed; null if none did.</summary>
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
