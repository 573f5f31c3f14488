using System.Text.Unicode;

namespace Restore.Interop;

/// <summary>Text in the kernel's form: UTF-8 that ends in a NUL.</summary>
internal static class NativeText
{
    public const int NameBytes = 256;

    public const int PathBytes = 4096;

    /// <exception cref="IOException">The text is too long, contains a NUL, or is not valid
    /// Unicode.</exception>
    public static ReadOnlySpan<byte> Encode(ReadOnlySpan<char> text, Span<byte> buffer) =>
        TryEncode(text, buffer, out ReadOnlySpan<byte> encoded)
            ? encoded
            : throw new IOException(
                $"'{text.ToString().Replace("\0", "\\0", StringComparison.Ordinal)}' is too long or is not valid text"
            );

    public static bool TryEncode(ReadOnlySpan<char> text, Span<byte> buffer, out ReadOnlySpan<byte> encoded)
    {
        OperationStatus status = Utf8.FromUtf16(
            text,
            buffer[..^1],
            out _,
            out int length,
            replaceInvalidSequences: false
        );

        // The NUL is added even after a failure, so that the result always ends.
        buffer[length] = 0;
        encoded = buffer[..(length + 1)];
        return status == OperationStatus.Done && !text.Contains('\0');
    }
}
