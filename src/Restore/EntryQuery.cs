using Restore.Format.Selection;

namespace Restore;

/// <summary>
/// What an entry must be like, besides its path: every condition that is given must hold. Immutable
/// and safe for concurrent use.
/// </summary>
public sealed record EntryQuery
{
    // One typing error for every three letters, at most three.
    private const int LettersForTypo = 3;
    private const int MaxTypos = 3;
    private const int MaxNameLength = 255;

    /// <summary>Least length in bytes; only files have one.</summary>
    public long? MinSizeBytes { get; init; }

    /// <summary>Greatest length in bytes; only files have one.</summary>
    public long? MaxSizeBytes { get; init; }

    /// <summary>Earliest time of the last change; only files have one.</summary>
    public DateTimeOffset? ModifiedFrom { get; init; }

    /// <summary>
    /// The time of the last change must be before this time; only files have one.
    /// </summary>
    public DateTimeOffset? ModifiedBefore { get; init; }

    /// <summary>The hash of the content, or how it begins, in hexadecimal digits.</summary>
    public string? Hash { get; init; }

    /// <summary>
    /// A name with typing errors: the name of the entry, with or without its extension, may differ
    /// from it in every third letter, three at most. Letters that are missing, too many, wrong or
    /// swapped count; case does not.
    /// </summary>
    public string? SimilarName { get; init; }

    /// <summary>Whether any condition is given.</summary>
    public bool IsAny => this != new EntryQuery();

    /// <summary>Whether an entry fulfils all conditions.</summary>
    public bool Matches(BackupEntry entry)
    {
        ArgumentNullException.ThrowIfNull(entry);
        bool asksForFile =
            MinSizeBytes is not null
            || MaxSizeBytes is not null
            || ModifiedFrom is not null
            || ModifiedBefore is not null;
        return (!asksForFile || entry.Kind == BackupEntryKind.File)
            && (MinSizeBytes is not long least || entry.SizeBytes >= least)
            && (MaxSizeBytes is not long most || entry.SizeBytes <= most)
            && (ModifiedFrom is not DateTimeOffset from || entry.LastModified >= from)
            && (ModifiedBefore is not DateTimeOffset before || entry.LastModified < before)
            && (
                Hash is null
                || (entry.Hash.Length > 0 && entry.Hash.StartsWith(Hash, StringComparison.OrdinalIgnoreCase))
            )
            && (SimilarName is null || IsSimilar(entry.Path));
    }

    private bool IsSimilar(string path)
    {
        return IsSimilar(ComposedText.Of(SimilarName!), ComposedText.Of(EntryPath.NameOf(path)));
    }

    /// <summary>
    /// Whether a name with typing errors can mean this name, with or without its extension.
    /// </summary>
    internal static bool IsSimilar(ReadOnlySpan<char> wanted, ReadOnlySpan<char> name)
    {
        int typos = Math.Min(MaxTypos, wanted.Length / LettersForTypo);
        int dot = name.LastIndexOf('.');
        return IsWithin(wanted, name, typos) || (dot > 0 && IsWithin(wanted, name[..dot], typos));
    }

    /// <summary>
    /// Whether so many steps turn one text into the other: a letter inserted, removed, replaced, or
    /// swapped with its neighbour.
    /// </summary>
    private static bool IsWithin(ReadOnlySpan<char> a, ReadOnlySpan<char> b, int most)
    {
        if (Math.Abs(a.Length - b.Length) > most || b.Length > MaxNameLength)
        {
            return false;
        }

        Span<int> before = stackalloc int[MaxNameLength + 1];
        Span<int> last = stackalloc int[MaxNameLength + 1];
        Span<int> row = stackalloc int[MaxNameLength + 1];
        for (int j = 0; j <= b.Length; j++)
        {
            last[j] = j;
        }

        for (int i = 1; i <= a.Length; i++)
        {
            row[0] = i;
            int best = i;
            for (int j = 1; j <= b.Length; j++)
            {
                int replaced = last[j - 1] + (AreEqual(a[i - 1], b[j - 1]) ? 0 : 1);
                row[j] = Math.Min(replaced, Math.Min(last[j], row[j - 1]) + 1);
                if (i > 1 && j > 1 && AreEqual(a[i - 1], b[j - 2]) && AreEqual(a[i - 2], b[j - 1]))
                {
                    row[j] = Math.Min(row[j], before[j - 2] + 1);
                }

                best = Math.Min(best, row[j]);
            }

            if (best > most)
            {
                return false;
            }

            Span<int> free = before;
            before = last;
            last = row;
            row = free;
        }

        return last[b.Length] <= most;
    }

    private static bool AreEqual(char a, char b) => char.ToUpperInvariant(a) == char.ToUpperInvariant(b);
}
