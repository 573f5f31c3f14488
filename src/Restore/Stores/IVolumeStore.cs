namespace Restore.Stores;

/// <summary>
/// The source of volumes: a flat folder of files, local or remote. To restore from a place that
/// this library does not know, implement this interface and pass it to
/// <see cref="Backup.OpenAsync(IVolumeStore, BackupOptions?, CancellationToken)"/>, or add an
/// <see cref="IStoreProvider"/> to <see cref="BackupOptions.Stores"/>.
/// </summary>
/// <remarks>
/// <para>All members are called from many threads: up to 16 reads at a time for a remote store,
/// several of them of one file.</para>
/// <para>What an exception means:</para>
/// <list type="table">
/// <item><term><see cref="TransientStoreException"/></term><description> The request may succeed
/// the next time: the store was busy or the connection broke. The library retries, as
/// <c>number-of-retries</c> and <c>retry-delay</c> say, and continues a read at the byte where it
/// stopped. Stores do not repeat requests themselves. After the last retry of a read the file is
/// lost; after the last retry of a listing the restore ends. </description></item>
/// <item><term><see cref="FileNotFoundException"/></term><description>The file does not exist. It
/// is lost, and is not requested again.</description></item>
/// <item><term><see cref="AccessRefusedException"/></term><description> The store refuses this file
/// to these credentials. The file is reported as refused, not as damaged; a refused listing ends
/// the restore. </description></item>
/// <item><term>any other <see cref="IOException"/></term><description> The file cannot be read, and
/// a retry would not help. It is lost. </description></item>
/// <item><term><see cref="RestoreException"/></term><description> The store cannot be used at all:
/// wrong credentials, no such folder. The restore ends. </description></item>
/// <item><term><see cref="OperationCanceledException"/></term><description>The token was
/// canceled.</description></item>
/// <item><term>anything else</term><description>A defect of the store. The restore
/// ends.</description></item>
/// </list>
/// <para>Entries that need a lost file are reported, and everything else is restored. A store need
/// not detect wrong bytes: hashes do.</para>
/// <para>Messages are plain sentences without a full stop at the end. No message, name or property
/// ever contains a credential.</para>
/// </remarks>
public interface IVolumeStore : IAsyncDisposable
{
    /// <summary>
    /// The name of the store in messages and reports, without credentials. The index cache
    /// identifies stores by this name, so two stores with different content need different names.
    /// </summary>
    string DisplayName { get; }

    /// <summary>
    /// Whether a read that starts inside a file costs only the bytes that are read. May change from
    /// true to false when the server turns out to ignore ranges; from then on whole files are read.
    /// </summary>
    bool HasRanges { get; }

    /// <summary>
    /// Whether this machine serves the reads, so that a request costs nothing. A local store gets
    /// no retries, and fewer concurrent reads. Does not change.
    /// </summary>
    bool IsLocal { get; }

    /// <summary>
    /// Lists the files of the folder, without folders, in any order. May include files that do not
    /// belong to a backup.
    /// </summary>
    /// <param name="cancellationToken">Cancels the operation.</param>
    /// <returns>The files; the listing starts when they are enumerated, and may be enumerated
    /// several times.</returns>
    IAsyncEnumerable<StoredFile> ListAsync(CancellationToken cancellationToken = default);

    /// <summary>
    /// Reads from <paramref name="offset"/> until <paramref name="destination"/> is full or the
    /// file ends.
    /// </summary>
    /// <param name="name">A name from the listing, or one that the backup mentions; it may be
    /// absent.</param>
    /// <param name="offset">Where to start, in bytes from the start of the file; it may lie at or
    /// behind the end.</param>
    /// <param name="destination">Receives the bytes. The store does not use it after the read has
    /// ended, successfully or not.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    /// <returns>The number of bytes read; fewer than asked for only at the end of the file, 0 at or
    /// behind it.</returns>
    ValueTask<int> ReadAsync(
        string name,
        long offset,
        Memory<byte> destination,
        CancellationToken cancellationToken = default
    );
}
