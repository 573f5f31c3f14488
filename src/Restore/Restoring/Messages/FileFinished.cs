using Restore.Csp;

namespace Restore.Restoring.Messages;

/// <summary>Outcomes of a batch of entries.</summary>
internal sealed class FileFinished : IMeasured
{
    public List<FileOutcome> Outcomes { get; } = [];

    public long Bytes => Outcomes.Sum(outcome => outcome.BytesWritten);
}
