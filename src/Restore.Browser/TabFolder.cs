using System.Buffers;

namespace Restore.Browser;

/// <summary>The folder that the user has given to restore into, or a folder in it.</summary>
/// <param name="name">The name of the given folder, followed by the names of folders in it, with
/// '/' between them.</param>
internal sealed partial class TabFolder(string name) : IExportFolder
{
    private readonly string prefix = name.IndexOf('/', StringComparison.Ordinal) is var slash and >= 0
        ? name[(slash + 1)..] + "/"
        : "";

    // One file is written at a time.
    private readonly byte[] piece = new byte[TabOutput.PieceBytes];

    public string DisplayName => name;

    public async ValueTask<long?> FindFileAsync(string path, CancellationToken cancellationToken) =>
        await GuardedAsync(path, () => Find(prefix + path)).ConfigureAwait(false) is var size and >= 0
            ? (long)size
            : null;

    public async ValueTask<int> ReadAsync(
        string path,
        long offset,
        Memory<byte> destination,
        CancellationToken cancellationToken
    )
    {
        using MemoryHandle pinned = destination.Pin();
        nint address = TabOutput.Address(pinned);
        return await GuardedAsync(path, () => Read(prefix + path, offset, address, destination.Length))
            .ConfigureAwait(false);
    }

    public async ValueTask CreateFolderAsync(string path, CancellationToken cancellationToken) =>
        await GuardedAsync(path, () => CreateFolder(prefix + path)).ConfigureAwait(false);

    public async ValueTask<IExportFile> CreateFileAsync(string path, CancellationToken cancellationToken) =>
        new TabFile(path, await GuardedAsync(path, () => Create(prefix + path)).ConfigureAwait(false), piece);

    /// <summary>Calls the page. What concerns the target as a whole ends the restore.</summary>
    internal static Task GuardedAsync(string? path, Func<Task> call) =>
        GuardedAsync(
            path,
            async () =>
            {
                await call().ConfigureAwait(false);
                return true;
            }
        );

    private static async Task<T> GuardedAsync<T>(string? path, Func<Task<T>> call)
    {
        try
        {
            return await call().ConfigureAwait(false);
        }
        catch (JSException failure) when (failure.Message.Contains("QuotaExceededError", StringComparison.Ordinal))
        {
            throw new RestoreException(RestoreErrorCode.TargetFull, "The target has no more room", path, failure);
        }
        catch (JSException failure) when (failure.Message.Contains("NotAllowedError", StringComparison.Ordinal))
        {
            throw new RestoreException(
                RestoreErrorCode.TargetAccessDenied,
                "The browser does not let this page write there any more",
                path,
                failure
            );
        }
        catch (JSException failure)
        {
            throw new IOException($"The browser does not write it: {failure.Message}", failure);
        }
    }

    /// <summary>Returns the length of a file; -1 if nothing is there.</summary>
    [JSImport("find", "restore-target")]
    private static partial Task<double> Find(string path);

    [JSImport("read", "restore-target")]
    private static partial Task<int> Read(string path, double offset, nint address, int length);

    [JSImport("createFolder", "restore-target")]
    private static partial Task CreateFolder(string path);

    [JSImport("create", "restore-target")]
    private static partial Task<JSObject> Create(string path);
}
