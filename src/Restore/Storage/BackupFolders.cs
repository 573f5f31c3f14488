namespace Restore.Storage;

/// <summary>
/// Folders below the location of a backup: the folder that a prefix names, and the folders that may
/// have a backup if the location has none.
/// </summary>
internal static class BackupFolders
{
    private const int MostLookedInto = 8;

    // This many names are enough to see whether a folder has a backup.
    private const int MostNames = 10_000;

    /// <summary>
    /// Takes the folder out of a prefix: Duplicati's stores without folders make one of
    /// "folder/prefix".
    /// </summary>
    public static (string Location, string? Prefix) Split(string location, string? prefix)
    {
        int end = prefix?.LastIndexOf('/') ?? -1;
        if (end < 0)
        {
            return (location, prefix);
        }

        string name = prefix![(end + 1)..];
        return (Below(location, prefix[..end]), name.Length == 0 ? null : name);
    }

    /// <summary>The location of a folder below another one.</summary>
    public static string Below(string location, string folder)
    {
        if (FileLocation.TryParse(location, OperatingSystem.IsWindows(), out string path))
        {
            return Path.Join(path, folder.Trim('/'));
        }

        int query = location.IndexOf('?', StringComparison.Ordinal);
        string before = query < 0 ? location : location[..query];
        return $"{before.TrimEnd('/')}/{RemoteNames.EscapePath(folder.Trim('/'))}{(query < 0 ? "" : location[query..])}";
    }

    /// <summary>
    /// The failure that there is no backup, with the folders below that have one.
    /// </summary>
    /// <param name="failure">The failure.</param>
    /// <param name="folders">The names of folders at the location.</param>
    /// <param name="open">Opens the store of one of them.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    public static async Task<RestoreException> DescribeAsync(
        RestoreException failure,
        IReadOnlyCollection<string> folders,
        Func<string, IVolumeStore> open,
        CancellationToken cancellationToken
    )
    {
        foreach (string folder in folders.Take(MostLookedInto))
        {
            IVolumeStore store = open(folder);
            await using (store.ConfigureAwait(false))
            {
                if (await HasBackupAsync(store, cancellationToken).ConfigureAwait(false))
                {
                    return new RestoreException(
                        failure.Code,
                        $"{failure.What}. The folder {folder} in it has a backup: {store.DisplayName}",
                        failure.Where,
                        failure
                    );
                }
            }
        }

        return failure;
    }

    private static async Task<bool> HasBackupAsync(IVolumeStore store, CancellationToken cancellationToken)
    {
        int names = 0;
        try
        {
            await foreach (StoredFile file in store.ListAsync(cancellationToken).ConfigureAwait(false))
            {
                if (VolumeName.TryParse(file.Name, out _) || ++names > MostNames)
                {
                    return names <= MostNames;
                }
            }

            return false;
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException or RestoreException)
        {
            return false; // Another failure is on its way already.
        }
    }
}
