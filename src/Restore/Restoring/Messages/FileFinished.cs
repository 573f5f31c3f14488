using Restore.Csp;

namespace Restore.Restoring.Messages;

/// <summary>Outcomes of a run of entries.</summary>
internal sealed class FileFinished : IMeasured
{
    public List<FileOutcome> Outcomes { get; } = [];

    public long Bytes => Outcomes.Sum(outcome => outcome.BytesWritten);
}
