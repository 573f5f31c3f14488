namespace Restore.Maintenance.Check;

/// <summary>
/// Recognizes what a broken upload of a file list has left. Each try has its own name and sends the
/// same bytes, so the list that was uploaded whole begins with all bytes of the partial one. The
/// partial list never was a version.
/// </summary>
internal static class UnfinishedLists
{
    // Fewer bytes may be the same in two lists that have nothing to do with each other.
    private const int LeastBytes = 256;

    // Each try has the next second in its name.
    private static readonly TimeSpan LongestShift = TimeSpan.FromMinutes(1);

    /// <summary>
    /// The whole list that begins with the bytes of a damaged list; null if no list does.
    /// </summary>
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
            // Then the damaged list counts as a version.
        }

        return null;
    }
}
