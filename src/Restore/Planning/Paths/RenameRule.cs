namespace Restore.Planning.Paths;

/// <summary>
/// Names for a file if another file has its path and must not be overwritten, as in Duplicati:
/// <c>letter.2026-01-31.txt</c>, then <c>letter.2026-01-31 (0).txt</c> and so on. The date is the
/// date of the backup, so a second restore of a version finds the file of the first.
/// </summary>
internal sealed class RenameRule(DateTimeOffset backupTime, TimeZoneInfo localZone)
{
    // Duplicati's limit. A user with this many different files of one name and date does not need
    // one more.
    private const int NumberedNames = 100;

    private const int MaxNameBytes = 255;

    private readonly string date = TimeZoneInfo
        .ConvertTime(backupTime, localZone)
        .ToString("yyyy-MM-dd", CultureInfo.InvariantCulture);

    public IEnumerable<string> Candidates(string targetPath)
    {
        yield return WithSuffix(targetPath, $".{date}");
        for (int number = 0; number < NumberedNames; number++)
        {
            yield return WithSuffix(targetPath, string.Create(CultureInfo.InvariantCulture, $".{date} ({number})"));
        }
    }

    private static string WithSuffix(string targetPath, string suffix)
    {
        int nameStart = targetPath.LastIndexOf('/') + 1;
        int dot = targetPath.LastIndexOf('.');
        int stemEnd = dot < nameStart ? targetPath.Length : dot;
        ReadOnlySpan<char> extension = targetPath.AsSpan(stemEnd);
        ReadOnlySpan<char> stem = targetPath.AsSpan(nameStart, stemEnd - nameStart);

        // A name of maximum length loses the end of its stem, or, with an extension of that length,
        // the end of the extension.
        int room = MaxNameBytes - suffix.Length;
        extension = Shorten(extension, room);
        stem = Shorten(stem, room - Encoding.UTF8.GetByteCount(extension));
        return string.Concat(targetPath.AsSpan(0, nameStart), stem, suffix, extension is "." ? "" : extension);
    }

    private static ReadOnlySpan<char> Shorten(ReadOnlySpan<char> text, int maxBytes)
    {
        int bytes = Encoding.UTF8.GetByteCount(text);

        // Whole characters are cut, so the name stays valid UTF-8.
        while (bytes > maxBytes)
        {
            Rune.DecodeLastFromUtf16(text, out Rune last, out int length);
            text = text[..^length];
            bytes -= last.Utf8SequenceLength;
        }

        return text;
    }
}
