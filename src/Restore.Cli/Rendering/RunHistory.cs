namespace Restore.Cli.Rendering;

/// <summary>The progress of a run over time, in a bounded number of points.</summary>
internal sealed class RunHistory(IProgress<RestoreProgress> inner) : IProgress<RestoreProgress>
{
    private const int MostPoints = 400;

    private readonly Lock gate = new();
    private readonly List<(double Seconds, long Bytes, long Fetched)> points = [];
    private double interval;

    /// <summary>
    /// Seconds since the start of the restoring phase, bytes of content in place, bytes fetched; in
    /// order.
    /// </summary>
    public IReadOnlyList<(double Seconds, long Bytes, long Fetched)> Points => points;

    public void Report(RestoreProgress value)
    {
        inner.Report(value);
        lock (gate)
        {
            if (
                value.Phase != RestorePhase.Restoring
                || (points.Count > 0 && value.Elapsed.TotalSeconds < points[^1].Seconds + interval)
            )
            {
                return;
            }

            points.Add((value.Elapsed.TotalSeconds, value.BytesDone, value.BytesFetched));
            if (points.Count > MostPoints)
            {
                // Every second point goes, and from now on half as many come.
                (double, long, long)[] kept = [.. points.Where((_, index) => index % 2 == 0)];
                points.Clear();
                points.AddRange(kept);
                interval = 2 * points[^1].Seconds / MostPoints;
            }
        }
    }
}
