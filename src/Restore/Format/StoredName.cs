using System.Text.RegularExpressions;

namespace Restore.Format;

/// <summary>
/// A name in the folder of a backup, even if a store or sync program has changed it. If the file is
/// not a volume but belongs to one, Volume is the name that this volume had before.
/// </summary>
internal readonly partial record struct StoredName(StoredNameKind Kind, VolumeName Volume)
{
    // No file system has longer names, and the search for the parts of a name takes the square of
    // its length.
    private const int MaxChars = 200;

    private static readonly string[] UnfinishedEnds =
    [
        ".part",
        ".partial",
        ".tmp",
        ".temp",
        ".crdownload",
        ".filepart",
        ".download",
        ".opdownload",
        ".!sync",
        ".aria2",
        ".lock",
        ".swp",
        "~",
    ];

    private static readonly string[] PlaceholderEnds =
    [
        ".cloud",
        ".cloudf",
        ".icloud",
        ".nextcloud",
        ".owncloud",
        ".dehydrated",
        ".placeholder",
    ];

    private static readonly string[] TemporaryStarts = ["~$", ".~", ".#", "~", "."];

    private static readonly string[] CopyStarts =
    [
        "Copy of ",
        "Kopie von ",
        "Kopie van ",
        "Copie de ",
        "Copia de ",
        "Copia di ",
        "Cópia de ",
        "Kopi af ",
        "Kopi av ",
        "Kopia av ",
        "Kopia ",
    ];

    /// <param name="fileName">The name.</param>
    /// <param name="isOddRead">Whether names are read that are not exactly the name of a
    /// volume.</param>
    public static StoredName Read(string fileName, bool isOddRead = true)
    {
        bool isVolume = VolumeName.TryParse(fileName, out VolumeName plain);

        // A prefix of a volume can be any text, so "Copy of duplicati-..." is the name of a volume
        // too. Such a start counts as a mark of a copy.
        if (isVolume && CountOfStart(plain.Prefix) == 0)
        {
            return new StoredName(StoredNameKind.Volume, plain);
        }

        if (!isOddRead || fileName.Length > MaxChars || Changed().Match(fileName) is not { Success: true } match)
        {
            return default;
        }

        string prefix = match.Groups["prefix"].Value;
        int start = CountOfStart(prefix);
        string core =
            $"{prefix[start..]}-{match.Groups["id"].Value}.{match.Groups["kind"].Value}.{match.Groups["archive"].Value}";
        string original = match.Groups["encryption"].Success ? $"{core}.{match.Groups["encryption"].Value}" : core;
        if (!VolumeName.TryParse(original, out VolumeName name))
        {
            return default;
        }

        return new StoredName(
            KindOf(fileName, match.Groups["lead"].Value + prefix[..start], match.Groups["tail"].Value),
            name
        );
    }

    private static StoredNameKind KindOf(string fileName, string lead, string tail)
    {
        // First, because a dot alone marks a temporary file.
        if (lead.StartsWith("._", StringComparison.Ordinal))
        {
            return StoredNameKind.ResourceFork;
        }

        if (PlaceholderEnds.Any(end => tail.EndsWith(end, StringComparison.OrdinalIgnoreCase)))
        {
            return StoredNameKind.Placeholder;
        }

        bool isUnfinished =
            UnfinishedEnds.Any(end => fileName.EndsWith(end, StringComparison.OrdinalIgnoreCase))
            || TemporaryStarts.Any(start => lead.StartsWith(start, StringComparison.Ordinal));
        return isUnfinished ? StoredNameKind.Unfinished
            : tail.Length > 0 ? StoredNameKind.Renamed
            : StoredNameKind.Copy;
    }

    /// <summary>The characters that a program has put before a name.</summary>
    private static int CountOfStart(string prefix) =>
        prefix.StartsWith("._", StringComparison.Ordinal) ? 2
        : TemporaryStarts.FirstOrDefault(start => prefix.StartsWith(start, StringComparison.Ordinal)) is { } temporary
            ? temporary.Length
        : CopyStarts.FirstOrDefault(start => prefix.StartsWith(start, StringComparison.OrdinalIgnoreCase)) is { } copy
            ? copy.Length
        : NumberedCopy().Match(prefix) is { Success: true } numbered ? numbered.Length
        : 0;

    [GeneratedRegex(@"\ACopy \([0-9]+\) of ", RegexOptions.CultureInvariant | RegexOptions.IgnoreCase)]
    private static partial Regex NumberedCopy();

    // Marks stand before a dot, as in "x.dblock (1).zip"; hosts in brackets can have dots.
    [GeneratedRegex(
        @"\A(?<lead>.*?)(?<prefix>[^\-/\\]+)-(?<id>[ib][0-9a-f]+|[0-9]{8}T[0-9]{6}Z)(?<a>([^.(]|\([^)]*\))*(\.sync-conflict[^.]*)?)"
            + @"\.(?<kind>dblock|dlist|dindex)(?<b>([^.(]|\([^)]*\))*(\.sync-conflict[^.]*)?)"
            + @"\.(?<archive>zip|tgz|tzstd)(?<c>([^.(]|\([^)]*\))*(\.sync-conflict[^.]*)?)"
            + @"(\.(?<encryption>aes|gpg)(?<d>([^.(]|\([^)]*\))*(\.sync-conflict[^.]*)?))?(?<tail>(\..*)?)\z",
        RegexOptions.CultureInvariant | RegexOptions.ExplicitCapture | RegexOptions.IgnoreCase
    )]
    private static partial Regex Changed();
}
