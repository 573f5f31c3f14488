namespace Restore.Resume;

/// <summary>
/// The content of a record: a line for people, then items, each a letter, a text and a NUL. A record grows while its run goes on, so its end can be torn:
/// what is torn was not made.
/// </summary>
internal static class RecordFormat
{
    // A million names have about 100 MB. More is not read.
    public const long MaxBytes = 512L << 20;

    private const char Partial = 'p';

    public static ReadOnlySpan<byte> Head => "Restore: record of a run that has not ended. The next restore into this folder needs it and removes it\n"u8;

    /// <summary>Writes that the run may make a partial file: its number and the path that it gets when it is whole.</summary>
    public static void Write(ArrayBufferWriter<byte> writer, int number, string path)
    {
        string text = string.Create(CultureInfo.InvariantCulture, $"{Partial}{number} {path}\0");
        writer.Advance(Encoding.UTF8.GetBytes(text, writer.GetSpan(Encoding.UTF8.GetMaxByteCount(text.Length))));
    }

    /// <summary>Reads a record, as far as it makes sense.</summary>
    /// <returns>The record; null if the content is not one.</returns>
    public static EarlierRun? Read(ReadOnlySpan<byte> content, ReadOnlySpan<char> name)
    {
        if (!content.StartsWith(Head))
        {
            // Of a run that was ended while it wrote the head, or whose device lost it: it had made nothing yet.
            return Head.StartsWith(content.TrimEnd((byte)0)) ? new EarlierRun(new Dictionary<string, string>(), IsDamaged: false) : null;
        }

        ulong run = RecordNames.RunOf(name);
        Dictionary<string, string> partials = new(StringComparer.Ordinal);
        bool isDamaged = false;

        // A part that the device lost reads as zeros.
        ReadOnlySpan<byte> rest = content[Head.Length..].TrimStart((byte)0);
        while (rest.IndexOf((byte)0) is var end and > 0)
        {
            if (TryParse((char)rest[0], Encoding.UTF8.GetString(rest[1..end]), out int number, out string path))
            {
                partials[path] = RecordNames.NextTo(path, RecordNames.Partial(run, number));
            }
            else
            {
                isDamaged = true;
            }

            rest = rest[(end + 1)..].TrimStart((byte)0);
        }

        return new EarlierRun(partials, isDamaged);
    }

    private static bool TryParse(char kind, string text, out int number, out string path)
    {
        int space = text.IndexOf(' ', StringComparison.Ordinal);
        (number, path) = (0, text[(space + 1)..]);
        return kind == Partial
            && space > 0
            && int.TryParse(text.AsSpan(0, space), NumberStyles.None, CultureInfo.InvariantCulture, out number)
            && path.Split('/').All(part => part is not ("" or "." or ".."));
    }
}

/// <summary>The names of what a run makes for itself: its record, and its partial files. Each carries the id of the run.</summary>
internal static class RecordNames
{
    public const string Prefix = ".restore-";

    /// <summary>Why the record of a backup is not restored.</summary>
    public const string LeftOutReason = "It is the record of an interrupted restore, and of no use; it was left out";

    private const int IdDigits = 16;

    public static ReadOnlySpan<byte> Suffix => ".unfinished"u8;

    public static string Record(ulong run) => string.Create(CultureInfo.InvariantCulture, $"{Prefix}{run:x16}.unfinished");

    public static string Partial(ulong run, int number) => string.Create(CultureInfo.InvariantCulture, $"{Prefix}{run:x16}.{number}");

    /// <summary>Whether a name is one that records have. A backup must not bring one: the next restore would believe it.</summary>
    public static bool IsRecord(ReadOnlySpan<char> name) =>
        name.Length == Prefix.Length + IdDigits + Suffix.Length
        && name.StartsWith(Prefix)
        && name.EndsWith(".unfinished")
        && ulong.TryParse(name.Slice(Prefix.Length, IdDigits), NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out _);

    public static ulong RunOf(ReadOnlySpan<char> record) =>
        ulong.Parse(record.Slice(Prefix.Length, IdDigits), NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture);

    public static string NextTo(string path, string name) => path.LastIndexOf('/') is var slash and >= 0 ? $"{path[..slash]}/{name}" : name;
}
