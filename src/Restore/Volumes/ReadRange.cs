namespace Restore.Volumes;

/// <summary>A half-open range of bytes [From, To) that one request reads.</summary>
internal readonly record struct ReadRange(long From, long To)
{
    public long Length => To - From;

    /// <summary>
    /// Merges ranges, ordered by their start, if they overlap or if the gap between them costs less
    /// to read than another request.
    /// </summary>
    public static List<ReadRange> Merge(IEnumerable<ReadRange> ordered, long requestCostBytes)
    {
        List<ReadRange> merged = [];
        foreach (ReadRange next in ordered)
        {
            if (merged.Count > 0 && next.From - merged[^1].To <= requestCostBytes)
            {
                merged[^1] = new ReadRange(merged[^1].From, Math.Max(merged[^1].To, next.To));
            }
            else
            {
                merged.Add(next);
            }
        }

        return merged;
    }
}
