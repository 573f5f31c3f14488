namespace Restore;

/// <summary>
/// A file that is written from start to end. If it is disposed before it is committed, nothing is
/// left of it.
/// </summary>
public interface IExportFile : IAsyncDisposable
{
    /// <summary>
    /// Appends bytes. The file does not use <paramref name="data"/> after the call has ended.
    /// </summary>
    ValueTask WriteAsync(ReadOnlyMemory<byte> data, CancellationToken cancellationToken);

    /// <summary>Puts the file, which is complete, in its place.</summary>
    ValueTask CommitAsync(CancellationToken cancellationToken);
}
