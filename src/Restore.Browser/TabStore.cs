using System.Runtime.CompilerServices;
using System.Runtime.InteropServices.JavaScript;

namespace Restore.Browser;

/// <summary>The volumes in the folder that the user opened.</summary>
internal sealed partial class TabStore : IVolumeStore
{
    public string DisplayName => "folder";

    public bool HasRanges => true;

    public bool IsLocal => true;

    public async IAsyncEnumerable<StoredFile> ListAsync([EnumeratorCancellation] CancellationToken cancellationToken = default)
    {
        await Task.CompletedTask;
        foreach (string line in Names().Split('\n', StringSplitOptions.RemoveEmptyEntries))
        {
            int tab = line.IndexOf('/');
            yield return new StoredFile(line[(tab + 1)..], long.Parse(line[..tab]));
        }
    }

    public async ValueTask<int> ReadAsync(string name, long offset, Memory<byte> destination, CancellationToken cancellationToken = default)
    {
        using var pin = destination.Pin();
        return await Read(name, offset, Address(pin), destination.Length);
    }

    private static unsafe int Address(System.Buffers.MemoryHandle pin) => (int)(nint)pin.Pointer;

    public ValueTask DisposeAsync() => ValueTask.CompletedTask;

    [JSImport("names", "folder")]
    private static partial string Names();

    [JSImport("read", "folder")]
    private static partial Task<int> Read(string name, [JSMarshalAs<JSType.Number>] long offset, int address, int length);
}
