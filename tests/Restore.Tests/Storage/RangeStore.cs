using Restore.Storage;
using Restore.Storage.Local;

namespace Restore.Tests.Storage;

/// <summary>A local folder that counts what is read of each file, and can be made to serve ranges badly.</summary>
internal sealed class RangeStore(string? folder = null) : IVolumeStore
{
    private readonly LocalFolderStore inner = new(folder ?? Path.GetTempPath());
    private readonly Lock gate = new();

    /// <summary>Every read, in order.</summary>
    public List<(string Name, long Offset, int Length)> Reads { get; } = [];

    public long BytesRead => Reads.Sum(read => (long)read.Length);

    /// <summary>What becomes of a read that starts inside of a file: it gets so many bytes, or fails.</summary>
    public Func<int, int> InnerRead { get; init; } = length => length;

    public string DisplayName => inner.DisplayName;

    public bool HasRanges { get; set; } = true;

    /// <summary>Told of every read before it is done.</summary>
    public Action<RangeStore> OnRead { get; init; } = _ => { };

    public bool IsLocal { get; init; }

    public IAsyncEnumerable<StoredFile> ListAsync(CancellationToken cancellationToken = default) => inner.ListAsync(cancellationToken);

    public ValueTask<int> ReadAsync(string name, long offset, Memory<byte> destination, CancellationToken cancellationToken = default)
    {
        lock (gate)
        {
            Reads.Add((name, offset, destination.Length));
        }

        OnRead(this);
        return inner.ReadAsync(name, offset, offset > 0 ? destination[..InnerRead(destination.Length)] : destination, cancellationToken);
    }

    public ValueTask DisposeAsync() => inner.DisposeAsync();
}
