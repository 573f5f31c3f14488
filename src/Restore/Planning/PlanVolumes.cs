namespace Restore.Planning;

/// <summary>
/// Brings a saved plan in line with the volumes that the store has now: some may be new, and others
/// may be gone. Blocks of missing volumes are searched elsewhere, like the blocks of any volume
/// that cannot be read.
/// </summary>
internal static class PlanVolumes
{
    public static PassPlan Rebind(PassPlan plan, VolumeSet present)
    {
        if (
            plan.Volumes.Count == present.All.Count
            && plan.Volumes.All(volume => present.Find(volume.FileName) is { } same && same == volume)
        )
        {
            return plan;
        }

        List<Volume> volumes = [.. present.All];
        VolumeId[] numbers = new VolumeId[plan.Volumes.Count];
        foreach (Volume volume in plan.Volumes)
        {
            if (present.Find(volume.FileName) is { } same)
            {
                numbers[volume.Id] = same.Id;
                continue;
            }

            // A missing volume stays in the list, after those that are present: the locations refer
            // to it, and a lookup in it fails like a lookup in a volume that cannot be read.
            numbers[volume.Id] = new VolumeId(volumes.Count);
            volumes.Add(volume with { Id = numbers[volume.Id], IsMissing = true });
        }

        return new PassPlan(
            plan.Entries,
            plan.Parts.ToArray(),
            plan.Locations.Renumbered(numbers),
            volumes,
            plan.LeavesBlocksToFiles
        );
    }

    /// <summary>
    /// Refuses a plan for another backup, or for a version that the backup does not have.
    /// </summary>
    /// <exception cref="RestoreException">It does not belong to the backup.</exception>
    public static void RequireFits(RestorePlan plan, VolumeSet present, string location)
    {
        Volume? list = present.Find(plan.Version.FileListName);
        Volume[] own = [.. plan.Pass.Volumes.Where(IsNamedByChance)];

        // One common volume is enough: a compact may have replaced most of them since the plan was
        // made.
        bool isOther = own.Length > 0 && !Array.Exists(own, volume => present.Find(volume.FileName) is not null);
        if (isOther)
        {
            throw new RestoreException(
                RestoreErrorCode.PlanBackupOther,
                $"The plan belongs to another backup ({plan.Location}): the store has none of its volumes",
                location
            );
        }

        Volume? planned = plan.Pass.Volumes.FirstOrDefault(volume => volume.FileName == plan.Version.FileListName);

        // A plan that was made with a local database may be for a version that had no file list
        // even then.
        if (list is null ? planned is not null : planned is not null && planned.SizeBytes != list.SizeBytes)
        {
            string what = list is null ? "is not in the backup" : "has another file list now";
            throw new RestoreException(
                RestoreErrorCode.PlanVersionGone,
                $"The version of the plan, of {plan.Version.Time:yyyy-MM-dd HH:mm:ss}Z, {what} ({plan.Version.FileListName})",
                location
            );
        }
    }

    /// <summary>
    /// The name of a file list has the time of its version, which two backups can have in common.
    /// </summary>
    private static bool IsNamedByChance(Volume volume) => volume.Name.Kind != VolumeKind.FileList;
}
