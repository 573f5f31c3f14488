using Restore.Planning.Paths;

namespace Restore.Streams;

/// <summary>Decides where a file goes in a folder that may have files already.</summary>
internal sealed class FolderPlaces(IExportFolder folder, TargetNames claims, RenameRule renaming)
{
    public const string NoLinks = "The target holds no links";

    /// <param name="size">The length of its content.</param>
    /// <param name="isSame">Whether a file of this length has the content.</param>
    /// <returns>The path of the entry or a name with the date beside it, which is free, has the
    /// right file, or has one to replace.</returns>
    /// <exception cref="IOException">No file can be there.</exception>
    public async Task<(string Path, EntryAction Action)> FindAsync(
        string path,
        long size,
        bool overwrites,
        Func<string, Task<bool>> isSame,
        CancellationToken cancellationToken
    )
    {
        foreach (string candidate in renaming.Candidates(path).Where(candidate => !claims.Has(candidate)).Prepend(path))
        {
            // An empty file counts as no file: replacing it loses nothing, and an interrupted
            // restore leaves empty files.
            long? length = await folder.FindFileAsync(candidate, cancellationToken).ConfigureAwait(false);
            if (length is null || (length == 0 && size > 0))
            {
                return (candidate, EntryAction.Create);
            }

            if (length == size && await isSame(candidate).ConfigureAwait(false))
            {
                return (candidate, EntryAction.Keep);
            }

            if (overwrites && candidate == path)
            {
                return (candidate, EntryAction.Replace);
            }
        }

        throw new IOException("All names that it could get beside the file that is there are taken");
    }
}
