namespace Restore.Storage;

/// <summary>A file in a store.</summary>
/// <param name="Name">Name within the backup folder.</param>
/// <param name="SizeBytes">Size as the store lists it.</param>
internal readonly record struct StoredFile(string Name, long SizeBytes);

/// <summary>
/// Where volumes come from: a flat folder of files, local or remote. Safe for concurrent use.
/// A file that is not there is a <see cref="FileNotFoundException"/>, one that cannot be read an <see cref="IOException"/>
/// (both are the loss of that file); a store that cannot be used at all is a <see cref="RestoreException"/>.
/// No message, name or property ever contains a credential.
/// </summary>
internal interface IVolumeStore : IAsyncDisposable
{
    /// <summary>What to call the store in messages and reports.</summary>
    string DisplayName { get; }

    /// <summary>Whether a read that starts inside a file costs only the bytes that are read.</summary>
    bool HasRanges { get; }

    /// <summary>Whether reads are served by this machine, so that latency and transfer cost nothing.</summary>
    bool IsLocal { get; }

    /// <summary>Lists the files of the folder, folders left out, in any order.</summary>
    IAsyncEnumerable<StoredFile> ListAsync(CancellationToken cancellationToken = default);

    /// <summary>Reads from <paramref name="offset"/> until <paramref name="destination"/> is full or the file ends.</summary>
    /// <returns>The number of bytes read; less than asked for only at the end of the file.</returns>
    ValueTask<int> ReadAsync(string name, long offset, Memory<byte> destination, CancellationToken cancellationToken = default);
}
