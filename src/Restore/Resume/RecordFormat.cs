namespace Restore.Resume;

/// <summary>
/// The content of a record: a line for people, then items, each a letter, a text and a NUL. A
/// record grows during its run, so its end can be torn: an item that is torn was not yet created.
/// </summary>
internal static class RecordFormat
{
    // A million names have about 100 MB. More is not read.
    public const long MaxBytes = 512L << 20;

    private const char Partial = 'p';
    private const char Mode = 'm';

    public static ReadOnlySpan<byte> Head =>
        "Restore: record of a run that has not ended. The next restore into this folder needs it and removes it\n"u8;

    /// <summary>
    /// Writes that the run may create a partial file: its number, and the path that it gets when it
    /// is whole.
    /// </summary>
    public static void Write(ArrayBufferWriter<byte> writer, int number, string path)
    {
        string text = string.Create(CultureInfo.InvariantCulture, $"{Partial}{number} {path}\0");
        writer.Advance(Encoding.UTF8.GetBytes(text, writer.GetSpan(Encoding.UTF8.GetMaxByteCount(text.Length))));
    }

    /// <summary>
    /// Writes that the run opens a folder: the mode that it gets back, and its path, which is "."
    /// for the root.
    /// </summary>
    public static void WriteMode(ArrayBufferWriter<byte> writer, int mode, string path)
    {
        string text = string.Create(CultureInfo.InvariantCulture, $"{Mode}{mode} {(path.Length == 0 ? "." : path)}\0");
        writer.Advance(Encoding.UTF8.GetBytes(text, writer.GetSpan(Encoding.UTF8.GetMaxByteCount(text.Length))));
    }

    /// <summary>Reads the valid part of a record.</summary>
    /// <returns>The record; null if the content is not a record.</returns>
    public static EarlierRun? Read(ReadOnlySpan<byte> content, ReadOnlySpan<char> name)
    {
        if (!content.StartsWith(Head))
        {
            // The run ended while it wrote the head, or its device lost the head: the run had
            // created nothing yet.
            return Head.StartsWith(content.TrimEnd((byte)0))
                ? new EarlierRun(new Dictionary<string, string>(), IsDamaged: false)
                : null;
        }

        ulong run = RecordNames.RunOf(name);
        Dictionary<string, string> partials = new(StringComparer.Ordinal);
        Dictionary<string, int> modes = new(StringComparer.Ordinal);
        bool isDamaged = false;

        // A part that the device lost reads as zeros.
        ReadOnlySpan<byte> rest = content[Head.Length..].TrimStart((byte)0);
        while (rest.IndexOf((byte)0) is var end and > 0)
        {
            char kind = (char)rest[0];
            if (!TryParse(kind, Encoding.UTF8.GetString(rest[1..end]), out int number, out string path))
            {
                isDamaged = true;
            }
            else if (kind == Mode)
            {
                modes.TryAdd(path, number);
            }
            else
            {
                // The name comes from the record's own id and a number, so a forged record cannot
                // name a file of the user.
                partials[path] = RecordNames.NextTo(path, RecordNames.Partial(run, number));
            }

            rest = rest[(end + 1)..].TrimStart((byte)0);
        }

        return new EarlierRun(partials, isDamaged) { Modes = modes };
    }

    private static bool TryParse(char kind, string text, out int number, out string path)
    {
        int space = text.IndexOf(' ', StringComparison.Ordinal);
        (number, path) = (0, text[(space + 1)..]);
        const int MostMode = 0xFFF;
        bool isRoot = kind == Mode && path == ".";
        path = isRoot ? "" : path;
        return kind is Partial or Mode
            && space > 0
            && int.TryParse(text.AsSpan(0, space), NumberStyles.None, CultureInfo.InvariantCulture, out number)
            && (kind == Partial || number <= MostMode)
            && (isRoot || path.Split('/').All(part => part is not ("" or "." or "..")));
    }
}
