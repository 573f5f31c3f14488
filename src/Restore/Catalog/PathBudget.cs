namespace Restore.Catalog;

/// <summary>
/// Bounds the memory of the paths of a list. The folders of an honest list repeat from entry to
/// entry, so that an entry needs some dozen bytes; a list made to fill the memory has long and deep
/// paths that share nothing.
/// </summary>
internal sealed class PathBudget
{
    // Each entry adds this to the budget, and takes from it what its path needs.
    private const int BytesPerEntry = 512;

    // A folder is a name in the table of target names, too.
    private const int BytesPerFolder = 32;
    private const int MaxReportedPathBytes = 200;

    private byte[] lastFolder = [];
    private int lastLength;
    private long leftBytes = 32L << 20;

    public static RestoreIssue Refusal(ReadOnlySpan<byte> path) =>
        new(
            IssueKind.Refused,
            path.Length > MaxReportedPathBytes
                ? Encoding.UTF8.GetString(path[..MaxReportedPathBytes]) + "…"
                : Encoding.UTF8.GetString(path),
            "The paths of the list take more memory than so many entries need"
        );

    /// <returns>False if the budget has no room for the path.</returns>
    public bool TryTake(ReadOnlySpan<byte> path)
    {
        ReadOnlySpan<byte> folder = path[..VersionContent.FolderLength(path)];
        ReadOnlySpan<byte> last = lastFolder.AsSpan(0, lastLength);
        bool isNew = !folder.SequenceEqual(last);
        long bytes = path.Length - folder.Length;
        if (isNew)
        {
            ReadOnlySpan<byte> own = folder[folder.CommonPrefixLength(last)..];
            bytes += folder.Length + (BytesPerFolder * (long)(own.Count((byte)'/') + own.Count((byte)'\\')));
        }

        if (bytes - BytesPerEntry > leftBytes)
        {
            return false;
        }

        leftBytes += BytesPerEntry - bytes;
        if (isNew)
        {
            Remember(folder);
        }

        return true;
    }

    private void Remember(ReadOnlySpan<byte> folder)
    {
        if (lastFolder.Length < folder.Length)
        {
            lastFolder = new byte[Math.Max(folder.Length, 2 * lastFolder.Length)];
        }

        folder.CopyTo(lastFolder);
        lastLength = folder.Length;
    }
}
