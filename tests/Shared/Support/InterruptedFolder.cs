using Restore.Storage.Local;

namespace Restore.Tests.Support;

/// <summary>
/// A local folder as a store that can be changed, until one of the changes is interrupted: from
/// then on everything fails, as if the program had been killed.
/// </summary>
/// <param name="folder">The folder.</param>
/// <param name="changes">How many changes succeed.</param>
/// <param name="isDone">Whether the one after them is made nevertheless, and only its answer is
/// lost.</param>
internal sealed class InterruptedFolder(string folder, int changes = int.MaxValue, bool isDone = false)
    : IVolumeStore,
        IVolumeSink
{
    private readonly LocalFolderStore store = new(folder);
    private readonly LocalFolderSink sink = new(folder);
    private readonly List<string> calls = [];
    private int left = changes;

    public string DisplayName => folder;

    public bool HasRanges => true;

    public bool IsLocal => true;

    public bool CanDelete { get; init; } = true;

    /// <summary>Called before each change, with what it is.</summary>
    public Action<string> Changing { get; init; } = _ => { };

    /// <summary>Whether a change was interrupted.</summary>
    public bool IsInterrupted => left < 0;

    /// <summary>The changes that were made, in order.</summary>
    public IReadOnlyList<string> Calls => calls;

    public IAsyncEnumerable<StoredFile> ListAsync(CancellationToken cancellationToken = default)
    {
        RequireAlive();
        return store.ListAsync(cancellationToken);
    }

    public ValueTask<int> ReadAsync(
        string name,
        long offset,
        Memory<byte> destination,
        CancellationToken cancellationToken = default
    )
    {
        RequireAlive();
        return store.ReadAsync(name, offset, destination, cancellationToken);
    }

    public ValueTask PutAsync(
        string name,
        ReadOnlyMemory<byte> content,
        CancellationToken cancellationToken = default
    ) => ChangeAsync($"put {name}", () => sink.PutAsync(name, content, cancellationToken));

    public ValueTask DeleteAsync(string name, CancellationToken cancellationToken = default) =>
        ChangeAsync($"delete {name}", () => sink.DeleteAsync(name, cancellationToken));

    public ValueTask DisposeAsync() => ValueTask.CompletedTask;

    private async ValueTask ChangeAsync(string call, Func<ValueTask> change)
    {
        RequireAlive();
        Changing(call);
        bool isInterrupted = Interlocked.Decrement(ref left) < 0;
        if (!isInterrupted || isDone)
        {
            await change();
            lock (calls)
            {
                calls.Add(call);
            }
        }

        RequireAlive();
    }

    private void RequireAlive()
    {
        if (IsInterrupted)
        {
            throw new IOException("The program was killed");
        }
    }
}
