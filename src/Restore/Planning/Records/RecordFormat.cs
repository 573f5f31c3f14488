using System.Buffers;
using System.Globalization;
using System.Text;

namespace Restore.Planning.Records;

/// <summary>
/// The content of a record: a line for people, then items, each a letter, a text and a NUL. A record grows while its run goes on, so its end can be torn:
/// what is torn was not made.
/// </summary>
internal static class RecordFormat
{
    /// <summary>The time of the target when the run began, in ticks.</summary>
    public const char Begun = 's';

    /// <summary>A path that the run may have made.</summary>
    public const char Made = 'n';

    /// <summary>A temporary path of the run.</summary>
    public const char Temporary = 't';

    /// <summary>A path that was named as one to be made, and that somebody else made before the run could.</summary>
    public const char NotMade = 'x';

    /// <summary>A million names have about 100 MB. More is not read.</summary>
    public const long MaxBytes = 512L << 20;

    public static ReadOnlySpan<byte> Head => "Restore: record of a run that has not ended. The next restore into this folder needs it and removes it\n"u8;

    public static void Write(ArrayBufferWriter<byte> writer, char kind, ReadOnlySpan<char> text)
    {
        Span<byte> bytes = writer.GetSpan(Encoding.UTF8.GetMaxByteCount(text.Length) + 2);
        bytes[0] = (byte)kind;
        int length = Encoding.UTF8.GetBytes(text, bytes[1..]);
        bytes[length + 1] = 0;
        writer.Advance(length + 2);
    }

    /// <summary>Reads a record, as far as it makes sense.</summary>
    /// <param name="content">The content of the file.</param>
    /// <param name="lastTicks">When the run wrote to it for the last time.</param>
    /// <returns>The record; null if the content is not one.</returns>
    public static EarlierRun? Read(ReadOnlySpan<byte> content, long lastTicks)
    {
        if (!content.StartsWith(Head))
        {
            // Of a run that was ended while it wrote the head, or whose device lost it: it had made nothing yet.
            return Head.StartsWith(content.TrimEnd((byte)0)) ? new EarlierRun(long.MaxValue, lastTicks) : null;
        }

        ReadOnlySpan<byte> rest = content[Head.Length..];
        ReadOnlySpan<byte> afterFirst = rest;
        bool hasBegun = TryTake(ref afterFirst, out char kind, out string text) && kind == Begun;
        EarlierRun run = new(hasBegun ? TimeOf(text) : long.MaxValue, lastTicks);
        rest = hasBegun ? afterFirst : rest;
        while (TryTake(ref rest, out kind, out text))
        {
            run.Add(kind, text);
        }

        return run;
    }

    private static long TimeOf(string text) =>
        long.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out long ticks) ? ticks : long.MaxValue;

    private static bool TryTake(ref ReadOnlySpan<byte> content, out char kind, out string text)
    {
        (kind, text) = (default, "");

        // A part that the device lost reads as zeros.
        content = content.TrimStart((byte)0);
        int end = content.IndexOf((byte)0);
        if (end <= 0)
        {
            return false;
        }

        (kind, text) = ((char)content[0], Encoding.UTF8.GetString(content[1..end]));
        content = content[(end + 1)..];
        return true;
    }
}
