using Restore.Resume;

namespace Restore.Restoring;

/// <summary>
/// The other restores that write the same files at this moment, in this process or another. Their
/// records say what they write.
/// </summary>
internal sealed class RivalRuns(RestorePlan plan, IRestoreTarget target, RunRecord record, EarlierRuns earlier)
{
    // How often the run checks whether another restore that began at the same time has ended: for
    // five seconds.
    private const int MostLooks = 50;

    private static readonly TimeSpan LookPause = TimeSpan.FromMilliseconds(100);

    /// <summary>
    /// Creates the record, and waits for a restore that began at the same time and ends because of
    /// this one.
    /// </summary>
    /// <exception cref="RestoreException">Another restore creates files that this one would
    /// create.</exception>
    public async Task BeginAloneAsync(OwnThreads threads, TimeProvider time, CancellationToken cancellationToken)
    {
        RequireNone(Among(earlier));

        // The record is written first and the others are looked at after it. So of two restores
        // that begin at the same time, at least one sees the record of the other.
        if (!await threads.RunAsync(() => record.Begin(() => RequireNone(Look()))).ConfigureAwait(false))
        {
            // Nothing is at the target yet: the look follows when the record is.
            return;
        }

        string[] rivals = await threads.RunAsync(Look).ConfigureAwait(false);

        // If both see each other, the one with the record that is first in order continues, and the
        // other fails: the first waits until the other has removed its record.
        for (int looks = 0; looks < MostLooks && rivals.Length > 0 && Array.TrueForAll(rivals, IsAfter); looks++)
        {
            await Task.Delay(LookPause, time, cancellationToken).ConfigureAwait(false);
            rivals = await threads.RunAsync(Look).ConfigureAwait(false);
        }

        RequireNone(rivals);
    }

    private bool IsAfter(string rival) => string.CompareOrdinal(rival, record.Path) > 0;

    private string[] Look()
    {
        using EarlierRuns others = EarlierRuns.Read(target, record.Folder, new IssueLog(), isOther: IsKnown);
        return Among(others);
    }

    private void RequireNone(string[] rivals)
    {
        if (rivals.Length > 0)
        {
            record.Remove();
            throw new RestoreException(
                RestoreErrorCode.TargetInUse,
                "Another restore writes the same files in this folder",
                plan.Target
            );
        }
    }

    /// <summary>
    /// The records of other running restores that create files that this one would create.
    /// </summary>
    private string[] Among(EarlierRuns others) =>
        others.IsGoingOn
            ? [.. others.Making(plan.Pass.Included().Select(plan.Pass.Entries.TargetPath).ToHashSet().Contains)]
            : [];

    private bool IsKnown(string name)
    {
        string path = RecordNames.In(record.Folder, name);
        return path == record.Path || earlier.Has(path);
    }
}
