using Restore.Storage;
using Restore.Storage.Local;

namespace Restore.Tests.Reading;

/// <summary>A folder that plays a remote store: reads of the files that are held wait until as many are asked for as they wait for, and are counted.</summary>
internal sealed class HeldStore(string folder, Func<string, bool> isHeld, int until) : IVolumeStore
{
    private readonly LocalFolderStore files = new(folder);
    private readonly TaskCompletionSource enough = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly Lock gate = new();
    private int inFlight;

    /// <summary>The most reads of held files that went on at once before they were let go.</summary>
    public int MostWaiting { get; private set; }

    public string DisplayName => "held://store";

    public bool HasRanges => true;

    public bool IsLocal => false;

    public IAsyncEnumerable<StoredFile> ListAsync(CancellationToken cancellationToken = default) => files.ListAsync(cancellationToken);

    public async ValueTask<int> ReadAsync(string name, long offset, Memory<byte> destination, CancellationToken cancellationToken = default)
    {
        if (isHeld(name))
        {
            await HoldAsync(cancellationToken);
        }

        return await files.ReadAsync(name, offset, destination, cancellationToken);
    }

    public ValueTask DisposeAsync() => files.DisposeAsync();

    private async Task HoldAsync(CancellationToken cancellationToken)
    {
        lock (gate)
        {
            if (!enough.Task.IsCompleted)
            {
                MostWaiting = Math.Max(MostWaiting, ++inFlight);
                if (inFlight == until)
                {
                    enough.SetResult();
                }
            }
        }

        await enough.Task.WaitAsync(TimeSpan.FromSeconds(30), cancellationToken);
    }
}
