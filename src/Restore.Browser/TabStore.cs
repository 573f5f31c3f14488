using System.Buffers;
using System.Runtime.CompilerServices;

namespace Restore.Browser;

/// <summary>The files of the folder that the user has opened.</summary>
internal sealed partial class TabStore : IVolumeStore
{
    public string DisplayName { get; } = FolderName();

    public bool HasRanges => true;

    public bool IsLocal => true;

    public async IAsyncEnumerable<StoredFile> ListAsync(
        [EnumeratorCancellation] CancellationToken cancellationToken = default
    )
    {
        foreach (string name in Names())
        {
            cancellationToken.ThrowIfCancellationRequested();
            yield return new StoredFile(name, (long)Size(name));
        }

        await Task.CompletedTask.ConfigureAwait(false);
    }

    public async ValueTask<int> ReadAsync(
        string name,
        long offset,
        Memory<byte> destination,
        CancellationToken cancellationToken = default
    )
    {
        using MemoryHandle pinned = destination.Pin();
        try
        {
            int read = await Read(name, offset, Address(pinned), destination.Length).ConfigureAwait(false);
            cancellationToken.ThrowIfCancellationRequested();
            return read >= 0 ? read : throw new FileNotFoundException($"The folder has no {name}", name);
        }
        catch (JSException failure)
        {
            throw new IOException($"{name} cannot be read: {failure.Message}", failure);
        }
    }

    public ValueTask DisposeAsync() => ValueTask.CompletedTask;

    private static unsafe nint Address(MemoryHandle pinned) => (nint)pinned.Pointer;

    [JSImport("name", "restore-folder")]
    private static partial string FolderName();

    [JSImport("names", "restore-folder")]
    private static partial string[] Names();

    [JSImport("size", "restore-folder")]
    private static partial double Size(string name);

    /// <summary>Returns the number of bytes; -1 if there is no such file.</summary>
    [JSImport("read", "restore-folder")]
    private static partial Task<int> Read(string name, double offset, nint address, int length);
}
