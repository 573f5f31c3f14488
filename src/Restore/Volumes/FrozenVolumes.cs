namespace Restore.Volumes;

/// <summary>
/// Volumes that a store lists in archive storage. The listing does not say whether they were
/// restored from there: reading them does.
/// </summary>
internal static class FrozenVolumes
{
    private const int MaxNamed = 20;

    /// <summary>One issue for each class of storage.</summary>
    /// <param name="needed">The volumes that are needed.</param>
    /// <param name="where">The backup.</param>
    public static IEnumerable<RestoreIssue> Describe(IEnumerable<Volume> needed, string where) =>
        needed
            .DistinctBy(volume => volume.Id)
            .Where(volume => volume.ArchiveTier is not null)
            .GroupBy(volume => volume.ArchiveTier!, StringComparer.Ordinal)
            .OrderBy(tier => tier.Key, StringComparer.Ordinal)
            .Select(tier => new RestoreIssue(
                IssueKind.Warning,
                where,
                $"{(tier.Count() == 1 ? "1 volume that is needed is" : $"{tier.Count():N0} volumes that are needed are")} in archive storage ({tier.Key}), "
                    + "and cannot be read before the store has restored them"
            )
            {
                Code = IssueCode.VolumeFrozen,
                Volumes = [.. tier.Select(volume => volume.FileName).Order(StringComparer.Ordinal).Take(MaxNamed)],
                VolumesLeftOut = Math.Max(0, tier.Count() - MaxNamed),
            });
}
