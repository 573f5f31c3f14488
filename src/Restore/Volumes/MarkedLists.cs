namespace Restore.Volumes;

/// <summary>
/// Recognizes file lists with a mark of a copy before their names, such as "_x" and "copy_x".
/// They are no second backup.
/// </summary>
internal static class MarkedLists
{
    // "Copy of x" and similar ones are read by StoredName. Any other start is the name of a backup.
    private static readonly string[] Marks = ["_", " ", "copy_"];

    /// <summary>
    /// Finds the prefixes that are the prefix of a backup with a mark before it. A prefix with a
    /// block or index volume is a backup of its own, and so is one with a list that differs from
    /// the list without the mark.
    /// </summary>
    /// <param name="volumes">The volumes of all backups in the folder.</param>
    /// <param name="wanted">The prefix that the user asks for; null for none.</param>
    /// <returns>The prefixes without the mark, by those with it.</returns>
    public static Dictionary<string, string> PrefixesOf(IReadOnlyList<ListedVolume> volumes, string? wanted)
    {
        HashSet<string> withData = [];
        HashSet<string> withBlocks = new(StringComparer.OrdinalIgnoreCase);
        foreach (ListedVolume volume in volumes.Where(volume => volume.Name.Kind != VolumeKind.FileList))
        {
            withData.Add(volume.Name.Prefix);
            if (volume.Name.Kind == VolumeKind.Block)
            {
                withBlocks.Add(volume.Name.Prefix);
            }
        }

        Dictionary<string, string> found = new(StringComparer.Ordinal);
        foreach (string prefix in volumes.Select(volume => volume.Name.Prefix).Distinct())
        {
            if (
                !withData.Contains(prefix)
                && !prefix.Equals(wanted, StringComparison.OrdinalIgnoreCase)
                && Unmarked(prefix, withBlocks) is { } own
            )
            {
                found.Add(prefix, own);
            }
        }

        if (found.Count > 0)
        {
            LeaveOthers(found, volumes);
        }

        return found;
    }

    private static string? Unmarked(string prefix, HashSet<string> withBlocks)
    {
        foreach (string mark in Marks.Where(mark => prefix.StartsWith(mark, StringComparison.OrdinalIgnoreCase)))
        {
            if (withBlocks.TryGetValue(prefix[mark.Length..], out string? own))
            {
                return own;
            }
        }

        return null;
    }

    /// <summary>Two lists of the same second that differ in length are of two backups.</summary>
    private static void LeaveOthers(Dictionary<string, string> found, IReadOnlyList<ListedVolume> volumes)
    {
        HashSet<string> there = [];
        HashSet<(string, long)> sizes = [];
        foreach (ListedVolume volume in volumes.Where(volume => !found.ContainsKey(volume.Name.Prefix)))
        {
            there.Add(volume.Identity);
            sizes.Add((volume.Identity, volume.SizeBytes));
        }

        foreach (ListedVolume volume in volumes)
        {
            if (found.TryGetValue(volume.Name.Prefix, out string? own))
            {
                string identity = (volume with { Name = volume.Name with { Prefix = own } }).Identity;
                if (there.Contains(identity) && !sizes.Contains((identity, volume.SizeBytes)))
                {
                    found.Remove(volume.Name.Prefix);
                }
            }
        }
    }
}
