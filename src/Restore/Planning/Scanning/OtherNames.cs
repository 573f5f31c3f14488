using Restore.Format.Selection;

namespace Restore.Planning.Scanning;

/// <summary>
/// Finds out whether something at a path has that name, or another one that the file system takes
/// for the same: exFAT, FAT and NTFS do not tell upper case from lower case. The folder itself is
/// asked, because a target can contain mounts. Safe for concurrent use.
/// </summary>
internal sealed class OtherNames(IRestoreTarget target)
{
    private readonly Lock gate = new();
    private KnownFolder last = new("", "", Names: null);

    /// <summary>The path by the names that the file system has for what is there.</summary>
    /// <returns>Null if these are the names of the path, or if that cannot be known.</returns>
    public string? Find(string path) => SpellingOf(path) is var known && known == path ? null : known;

    private string SpellingOf(string path)
    {
        if (path.Length == 0)
        {
            return path;
        }

        int start = path.LastIndexOf('/') + 1;
        string folder = path[..Math.Max(0, start - 1)];
        string name = path[start..];
        KnownFolder parent = Know(folder);

        // Listing a folder is expensive, so one look comes first. If nothing has the name with
        // upper and lower case exchanged, the file system distinguishes them. If something has it,
        // it is the same file or another one, and only the names in the folder show which.
        string swapped = string.Concat(
            name.Select(letter => char.IsUpper(letter) ? char.ToLowerInvariant(letter) : char.ToUpperInvariant(letter))
        );
        if (swapped != name && target.Inspect(path[..start] + swapped).Kind != TargetKind.Nothing)
        {
            parent = KnowNames(parent);
            name =
                parent.Names?.Contains(name) != false
                    ? name
                    : parent.Names.FirstOrDefault(other => IsSame(other, name)) ?? name;
        }

        return parent.Spelling.Length == 0 ? name : $"{parent.Spelling}/{name}";
    }

    /// <summary>
    /// A folder; the last one is kept, because the entries of a folder follow each other.
    /// </summary>
    private KnownFolder Know(string folder)
    {
        lock (gate)
        {
            if (last.Path == folder)
            {
                return last;
            }
        }

        KnownFolder known = new(folder, SpellingOf(folder), Names: null);
        lock (gate)
        {
            return last = known;
        }
    }

    private KnownFolder KnowNames(KnownFolder folder)
    {
        if (folder.Names is not null)
        {
            return folder;
        }

        KnownFolder known = folder with { Names = target.SpellingsIn(folder.Path) };
        lock (gate)
        {
            return last = known;
        }
    }

    /// <summary>
    /// Why an entry is refused if the target takes its name for another name that exists.
    /// </summary>
    public static string Refusal(string otherPath) =>
        $"The target does not tell its name from '{Path.GetFileName(otherPath)}', which is there already; that one is kept";

    private static bool IsSame(string left, string right) =>
        string.Equals(ComposedText.Of(left), ComposedText.Of(right), StringComparison.OrdinalIgnoreCase);

    /// <summary>A folder of the target.</summary>
    /// <param name="Spelling">Its path by the names of the file system.</param>
    /// <param name="Names">The names in it, once they are needed.</param>
    private sealed record KnownFolder(string Path, string Spelling, IReadOnlySet<string>? Names);
}
