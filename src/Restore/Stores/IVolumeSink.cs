namespace Restore.Stores;

/// <summary>
/// Where volumes are written to: a flat folder of files, local or remote. An
/// <see cref="IStoreProvider"/> opens it. It reads nothing but the listing: what is in the files is
/// read through an <see cref="IVolumeStore"/>.
/// </summary>
/// <remarks>
/// <para>All members are called from many threads.</para>
/// <para>What an exception means:</para>
/// <list type="table">
/// <item><term><see cref="TransientStoreException"/></term><description> The request may succeed
/// the next time. The library retries, as <c>number-of-retries</c> and <c>retry-delay</c> say: a
/// listing and a deletion as they are, a volume under a new name, because it is unknown what the
/// store has under the old name. A sink does not repeat requests itself. </description></item>
/// <item><term>any other <see cref="IOException"/>,
/// <see cref="UnauthorizedAccessException"/></term><description> A retry would not help: the store
/// is full, or may not be written. The run ends. </description></item>
/// <item><term><see cref="RestoreException"/></term><description>The store cannot be used at all.
/// The run ends.</description></item>
/// <item><term><see cref="OperationCanceledException"/></term><description>The token was
/// canceled.</description></item>
/// </list>
/// <para>Messages are plain sentences without a full stop at the end. No message, name or property
/// ever contains a credential.</para>
/// </remarks>
public interface IVolumeSink : IAsyncDisposable
{
    /// <summary>The name of the store in messages and reports, without credentials.</summary>
    string DisplayName { get; }

    /// <summary>
    /// Whether this machine has the files. A local sink gets no retries. Does not change.
    /// </summary>
    bool IsLocal { get; }

    /// <summary>
    /// Whether files can be deleted. False for a store that only takes new files: nothing is ever
    /// deleted from it, and it gets no lock.
    /// </summary>
    bool CanDelete => true;

    /// <summary>
    /// Lists the files of the folder, without folders, in any order. Has every file that was put
    /// before. A folder that does not exist is empty.
    /// </summary>
    /// <param name="cancellationToken">Cancels the operation.</param>
    /// <returns>The files; the listing starts when they are enumerated, and may be enumerated
    /// several times.</returns>
    IAsyncEnumerable<StoredFile> ListAsync(CancellationToken cancellationToken = default);

    /// <summary>
    /// Puts a file. When the call returns, the store has the whole file safely, under this name. If
    /// it fails or is cancelled, the name is not taken, or (where the answer of a server was lost)
    /// has the whole file. Other files may be left, but only under names that no volume can have.
    /// Creates the folder if it does not exist.
    /// </summary>
    /// <param name="name">The name. The library gives no name twice; a file that has it already is
    /// never changed unseen: the call replaces it whole, or fails.</param>
    /// <param name="content">The content. The sink does not use it after the call has ended,
    /// successfully or not.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    ValueTask PutAsync(string name, ReadOnlyMemory<byte> content, CancellationToken cancellationToken = default);

    /// <summary>Deletes a file. A file that does not exist counts as deleted.</summary>
    /// <param name="name">A name from the listing, or the name of a file that was put.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    ValueTask DeleteAsync(string name, CancellationToken cancellationToken = default);
}
