namespace Restore.Restoring;

internal sealed class FileFinished : IMeasured
{
    public List<FileOutcome> Outcomes { get; } = [];

    public long Bytes => Outcomes.Sum(outcome => outcome.BytesWritten);
}
