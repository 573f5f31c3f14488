namespace Restore.Storage;

/// <summary>
/// A store that can keep files open from one read to the next. Without that, a volume that is read
/// in chunks would be opened once for each chunk.
/// </summary>
internal interface IOpenFiles
{
    /// <summary>
    /// Keeps a file open, from the next read of it on, until the result is disposed.
    /// </summary>
    /// <returns>Null if the store opens no files.</returns>
    IDisposable? KeepOpen(string name);
}
