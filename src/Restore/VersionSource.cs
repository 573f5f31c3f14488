namespace Restore;

/// <summary>What a restore of the last good files takes from one version.</summary>
/// <param name="Version">The version.</param>
/// <param name="Files">Number of files from it.</param>
/// <param name="Bytes">The length of their contents.</param>
/// <param name="Paths">The original paths of these files, at most 100,000 for all versions
/// together. The newest version has none: files that are not named come from it.</param>
public sealed record VersionSource(BackupVersion Version, long Files, long Bytes, IReadOnlyList<string> Paths)
{
    private const int MaxPaths = 100_000;

    /// <summary>0 is the newest.</summary>
    public int Index => Version.Index;

    /// <summary>The time of the version, UTC.</summary>
    public DateTimeOffset Time => Version.Time;

    /// <param name="pass">The plan, whose files know their versions.</param>
    /// <param name="versions">These versions, and others perhaps.</param>
    internal static IReadOnlyList<VersionSource> Of(PassPlan pass, IEnumerable<BackupVersion> versions)
    {
        Dictionary<int, BackupVersion> byIndex = versions.ToDictionary(version => version.Index);
        Dictionary<int, (long Files, long Bytes, List<string> Paths)> found = [];
        int left = MaxPaths;
        foreach (EntryId entry in pass.Included())
        {
            if (!pass.Content.IsFile(entry) || pass.Content.VersionsOf(entry) is not VersionRange range)
            {
                continue;
            }

            (long files, long bytes, List<string> paths) = found.GetValueOrDefault(range.Newest, (0, 0, []));
            if (range.Newest != pass.Content.Version.Index && left-- > 0)
            {
                paths.Add(pass.Content.PathText(entry));
            }

            found[range.Newest] = (files + 1, long.CreateSaturating((Int128)bytes + pass.Content.SizeOf(entry)), paths);
        }

        return
        [
            .. found
                .OrderBy(one => one.Key)
                .Select(one => new VersionSource(byIndex[one.Key], one.Value.Files, one.Value.Bytes, one.Value.Paths)),
        ];
    }
}
