namespace Restore.Volumes;

/// <summary>A half-open range of bytes [From, To) that one request reads.</summary>
internal readonly record struct ByteRun(long From, long To)
{
    public long Length => To - From;

    /// <summary>Merges ranges, ordered by their start, that overlap or whose gap costs less to read than another request.</summary>
    public static List<ByteRun> Merge(IEnumerable<ByteRun> ordered, long requestCostBytes)
    {
        List<ByteRun> merged = [];
        foreach (ByteRun next in ordered)
        {
            if (merged.Count > 0 && next.From - merged[^1].To <= requestCostBytes)
            {
                merged[^1] = new ByteRun(merged[^1].From, Math.Max(merged[^1].To, next.To));
            }
            else
            {
                merged.Add(next);
            }
        }

        return merged;
    }
}
