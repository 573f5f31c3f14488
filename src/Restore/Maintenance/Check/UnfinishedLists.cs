namespace Restore.Maintenance.Check;

/// <summary>
/// Recognizes what an upload of a file list has left that broke off: each try has a name of its own
/// and sends the same bytes, so the list that came through begins with all that the half has. Such
/// a half never was a version.
/// </summary>
internal static class UnfinishedLists
{
    // Fewer bytes may be the same in two lists that have nothing to do with each other.
    private const int LeastBytes = 256;

    // Each try has the next second in its name.
    private static readonly TimeSpan LongestShift = TimeSpan.FromMinutes(1);

    /// <summary>The list that a damaged one is the start of; null if there is none.</summary>
    public static async Task<Volume?> WholeOfAsync(
        Volume list,
        VolumeLoader loader,
        VolumeSet volumes,
        CancellationToken cancellationToken
    )
    {
        Volume[] candidates =
        [
            .. volumes.FileLists.Where(other =>
                other.SizeBytes > list.SizeBytes
                && other.Name.Encryption == list.Name.Encryption
                && other.Name.Time > list.Name.Time
                && other.Name.Time - list.Name.Time <= LongestShift
            ),
        ];
        if (list.SizeBytes < LeastBytes || candidates.Length == 0)
        {
            return null;
        }

        try
        {
            using PooledBuffer half = await loader.FetchAsync(list, cancellationToken).ConfigureAwait(false);
            foreach (Volume candidate in candidates)
            {
                using PooledBuffer whole = await loader.FetchAsync(candidate, cancellationToken).ConfigureAwait(false);
                if (half.Length >= LeastBytes && whole.Span.StartsWith(half.Span))
                {
                    return candidate;
                }
            }
        }
        catch (Exception failure) when (VolumeLoader.IsLoss(failure))
        {
            // It counts as a version, then.
        }

        return null;
    }
}
