using Restore.Ends;

namespace Restore.Restoring;

/// <summary>
/// Sets the metadata of folders and links: for the owners that the user asked for, and with an
/// issue for all that the target does not take.
/// </summary>
internal sealed class EntryMetadataWriter(
    RestorePlan plan,
    IRestoreTarget target,
    FinishingIssues issues,
    LeftOutAttributes leftOut
)
{
    private readonly OwnerMap? owners = OwnerMap.Of(plan.Options);

    public void Apply(EntryId entry, string path, EntryMetadata metadata)
    {
        leftOut.Note(entry, metadata);
        metadata = owners?.Apply(metadata) ?? metadata;
        foreach (string problem in metadata.Unusable)
        {
            issues.Report(entry, IssueKind.Metadata, problem, isMetadataLost: true);
        }

        foreach (string problem in target.ApplyMetadata(path, metadata, plan.Options.RestorePermissions))
        {
            issues.Report(entry, IssueKind.Metadata, problem, UnappliedMetadata.CodeOf(problem));
        }
    }
}
