namespace Restore.Maintenance;

/// <content>The newest good version stays while newer ones are not good.</content>
public partial class BackupMaintenance
{
    // The file list of each version is fetched. An accident further back is already known.
    private const int AssessedVersions = 60;

    private const string LastGood = "it is the newest good version: the newer ones are suspect or incomplete";

    private async Task<DeletionPlan> KeepLastGoodAsync(DeletionPlan plan, CancellationToken cancellationToken)
    {
        AssessOptions newest = new() { Newest = AssessedVersions };
        BackupAssessment found = await Backup
            .AssessAsync(newest, progress: null, cancellationToken)
            .ConfigureAwait(false);
        if (found.Recommended is not int recommended || recommended == found.Versions[0].Index)
        {
            return plan;
        }

        string list = Backup.Versions[recommended].FileListName;
        VersionFate? taken = plan.Versions.FirstOrDefault(fate => fate.IsDeleted && fate.Version.FileListName == list);
        return taken is null
            ? plan
            : plan with
            {
                Versions =
                [
                    .. plan.Versions.Select(fate =>
                        fate == taken ? fate with { IsDeleted = false, Reason = LastGood } : fate
                    ),
                ],
                Bytes = plan.Bytes - (Backup.Session.Volumes.Find(list)?.SizeBytes ?? 0),
            };
    }
}
