namespace Restore.Maintenance;

/// <summary>
/// A file next to the volumes of a backup that is not itself a volume, such as <c>restore.html</c>.
/// Programs that read the backup ignore it.
/// </summary>
public static class CompanionFile
{
    /// <summary>
    /// Puts the file into the folder or store of a backup; no passphrase is needed. A file with the
    /// same content is left alone; a file with other content is deleted first. The new file is
    /// never visible in part.
    /// </summary>
    /// <param name="location">A folder, or a URL in Duplicati's form.</param>
    /// <param name="name">The name of the file; it must not be the name of a volume.</param>
    /// <param name="content">The content of the file.</param>
    /// <param name="options">How to open the store. Options that concern the backup have no
    /// effect.</param>
    /// <param name="isDryRun">Whether nothing is written: the result says what would be
    /// done.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    /// <returns>What was done.</returns>
    /// <exception cref="RestoreException">There is no backup; or the store cannot be written, or it
    /// only takes new files and has another file with that name.</exception>
    public static async Task<CompanionFileState> PutAsync(
        string location,
        string name,
        ReadOnlyMemory<byte> content,
        BackupOptions? options = null,
        bool isDryRun = false,
        CancellationToken cancellationToken = default
    )
    {
        ArgumentNullException.ThrowIfNull(location);
        options ??= new BackupOptions();
        RetryingSink sink = StoreFactory.OpenSink(
            location,
            options.Stores,
            options.StoreOptions,
            options.TimeProvider,
            Backup.LoggerOf(options)
        );
        await using (sink.ConfigureAwait(false))
        {
            List<StoredFile> files = await sink.ListAsync(cancellationToken).ConfigureAwait(false);
            if (!files.Exists(file => VolumeName.TryParse(file.Name, out _)))
            {
                throw new RestoreException(
                    RestoreErrorCode.BackupNotFound,
                    $"There is no backup, so {name} is not put there: perhaps the disk is not mounted",
                    location
                );
            }

            if (
                files.Exists(file => file.Name == name && file.SizeBytes == content.Length)
                && await IsSameAsync(location, name, content, options, cancellationToken).ConfigureAwait(false)
            )
            {
                return CompanionFileState.Unchanged;
            }

            bool isThere = files.Exists(file => file.Name == name);
            if (isThere && !isDryRun)
            {
                await sink.DeleteAsync(name, cancellationToken).ConfigureAwait(false);
            }

            if (!isDryRun)
            {
                await sink.PutAsync(_ => name, content, cancellationToken).ConfigureAwait(false);
            }

            return isThere ? CompanionFileState.Replaced : CompanionFileState.Written;
        }
    }

    private static async Task<bool> IsSameAsync(
        string location,
        string name,
        ReadOnlyMemory<byte> content,
        BackupOptions options,
        CancellationToken cancellationToken
    )
    {
        MeteredStore store = StoreFactory.Open(
            location,
            options.Stores,
            options.StoreOptions,
            options.TimeProvider,
            Backup.LoggerOf(options)
        );
        await using (store.ConfigureAwait(false))
        {
            byte[] there = new byte[content.Length];
            try
            {
                int read = await store.ReadAsync(name, 0, there, cancellationToken).ConfigureAwait(false);
                return read == there.Length && content.Span.SequenceEqual(there);
            }
            catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
            {
                return false; // What cannot be read is not the same.
            }
        }
    }
}
