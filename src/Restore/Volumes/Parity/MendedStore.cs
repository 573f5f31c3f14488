namespace Restore.Volumes.Parity;

/// <summary>A store in which some volumes are read from repaired copies on this machine.</summary>
internal sealed class MendedStore(IVolumeStore inner) : ForwardingStore(inner)
{
    private readonly ConcurrentDictionary<string, string> copies = new(StringComparer.Ordinal);

    private readonly ConcurrentDictionary<string, string> spares = new(StringComparer.Ordinal);

    /// <summary>Reads a file of this machine instead.</summary>
    public void Replace(string name, string path) => copies[name] = path;

    public bool IsReplaced(string name) => copies.ContainsKey(name);

    /// <summary>Takes a replacement back. Reads that have begun end with it.</summary>
    public void ReadOriginal(string name) => copies.TryRemove(name, out _);

    /// <summary>Reads another file of the store instead.</summary>
    public void ReadInstead(string name, string other) => spares[name] = other;

    public override IDisposable? KeepOpen(string name) => base.KeepOpen(spares.GetValueOrDefault(name) ?? name);

    public override async ValueTask<int> ReadAsync(
        string name,
        long offset,
        Memory<byte> destination,
        CancellationToken cancellationToken = default
    )
    {
        if (!copies.TryGetValue(name, out string? path))
        {
            return await Inner
                .ReadAsync(spares.GetValueOrDefault(name) ?? name, offset, destination, cancellationToken)
                .ConfigureAwait(false);
        }

        FileStream file = new(path, FileMode.Open, FileAccess.Read, FileShare.Read, bufferSize: 0, useAsync: true);
        await using (file.ConfigureAwait(false))
        {
            file.Position = offset;
            return await file.ReadAtLeastAsync(
                    destination,
                    destination.Length,
                    throwOnEndOfStream: false,
                    cancellationToken
                )
                .ConfigureAwait(false);
        }
    }
}
