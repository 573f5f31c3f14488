using System.Buffers;

namespace Restore.Browser;

/// <summary>A file in that folder, which gets its name when it is committed.</summary>
internal sealed partial class TabFile(string path, JSObject file, byte[] piece) : IExportFile
{
    private readonly TabOutput output = new(file, piece);
    private bool isCommitted;

    public ValueTask WriteAsync(ReadOnlyMemory<byte> data, CancellationToken cancellationToken) =>
        output.WriteAsync(data, cancellationToken);

    public async ValueTask CommitAsync(CancellationToken cancellationToken)
    {
        await output.FlushAsync(cancellationToken).ConfigureAwait(false);
        await TabFolder.GuardedAsync(path, () => Commit(file)).ConfigureAwait(false);
        isCommitted = true;
    }

    public async ValueTask DisposeAsync()
    {
        await output.DisposeAsync().ConfigureAwait(false);
        if (!isCommitted)
        {
            await TabFolder.GuardedAsync(path, () => Abort(file)).ConfigureAwait(false);
        }

        file.Dispose();
    }

    [JSImport("commit", "restore-target")]
    private static partial Task Commit(JSObject file);

    [JSImport("abort", "restore-target")]
    private static partial Task Abort(JSObject file);
}
