namespace Restore;

/// <summary>A Duplicati backup, opened for reading. Safe for concurrent use; any number can be open in one process.</summary>
public sealed partial class Backup : IAsyncDisposable
{
    private Backup()
    {
    }

    /// <summary>Where the backup is, without credentials.</summary>
    public string Location { get; private init; } = "";

    /// <summary>The prefix of its volumes' names.</summary>
    public string Prefix { get; private init; } = "";

    /// <summary>Its versions, newest first.</summary>
    public IReadOnlyList<BackupVersion> Versions { get; private init; } = [];

    /// <summary>Opens the backup in a folder or at a storage URL: lists its volumes and, when given, opens its database. No volume is read.</summary>
    /// <param name="location">A folder, or a URL as Duplicati spells it.</param>
    /// <param name="options">How to open it.</param>
    /// <param name="cancellationToken">Gives up.</param>
    /// <returns>The opened backup.</returns>
    /// <exception cref="RestoreException">There is no backup, there are several, or it cannot be opened.</exception>
    public static Task<Backup> OpenAsync(string location, BackupOptions? options = null, CancellationToken cancellationToken = default) =>
        throw new InvalidOperationException("under construction");

    /// <summary>Finds a version by its number.</summary>
    /// <exception cref="RestoreException">There is no such version; the message lists those there are.</exception>
    public BackupVersion GetVersion(int index) => throw new InvalidOperationException("under construction");

    /// <summary>Finds the newest version made at or before a time.</summary>
    /// <exception cref="RestoreException">All versions are younger; the message lists those there are.</exception>
    public BackupVersion GetVersion(DateTimeOffset time) => throw new InvalidOperationException("under construction");

    /// <summary>Lists the entries of a version, in the order of its file list.</summary>
    /// <exception cref="RestoreException">The file list cannot be read, or the passphrase is wrong.</exception>
    public IAsyncEnumerable<BackupEntry> ListAsync(BackupVersion version, EntryFilter? filter = null, CancellationToken cancellationToken = default) =>
        throw new InvalidOperationException("under construction");

    /// <summary>Works out what restoring a version takes. Reads the file list, what is at the target, and as many index volumes as it needs; writes nothing.</summary>
    /// <param name="version">One of <see cref="Versions"/>.</param>
    /// <param name="options">What, where and how.</param>
    /// <param name="progress">Told how far it is, or null.</param>
    /// <param name="cancellationToken">Gives up.</param>
    /// <returns>The plan.</returns>
    /// <exception cref="RestoreException">An option cannot be used, nothing is selected, the file list cannot be read, or the passphrase is wrong.</exception>
    public Task<RestorePlan> PlanAsync(
        BackupVersion version, RestoreOptions options, IProgress<RestoreProgress>? progress = null, CancellationToken cancellationToken = default) =>
        throw new InvalidOperationException("under construction");

    /// <summary>Closes the store and the database.</summary>
    public ValueTask DisposeAsync() => throw new InvalidOperationException("under construction");
}
