namespace Restore.Tests.Support;

/// <summary>
/// A store whose block volumes come at a limited rate, one read after the other, so that a test can
/// look at a run while it lasts.
/// </summary>
internal sealed class SlowStore(IVolumeStore inner, double bytesPerSecond) : IVolumeStore
{
    private readonly SemaphoreSlim turn = new(1);

    public string DisplayName => inner.DisplayName;

    public bool HasRanges => inner.HasRanges;

    public bool IsLocal => inner.IsLocal;

    public IAsyncEnumerable<StoredFile> ListAsync(CancellationToken cancellationToken = default) =>
        inner.ListAsync(cancellationToken);

    public async ValueTask<int> ReadAsync(
        string name,
        long offset,
        Memory<byte> destination,
        CancellationToken cancellationToken = default
    )
    {
        if (name.Contains(".dblock.", StringComparison.Ordinal))
        {
            await turn.WaitAsync(cancellationToken);
            try
            {
                await Task.Delay(TimeSpan.FromSeconds(destination.Length / bytesPerSecond), cancellationToken);
            }
            finally
            {
                turn.Release();
            }
        }

        return await inner.ReadAsync(name, offset, destination, cancellationToken);
    }

    public ValueTask DisposeAsync()
    {
        turn.Dispose();
        return inner.DisposeAsync();
    }
}
