namespace Restore.Storage;

/// <summary>
/// A store whose files can stay open from one read to the next. A volume that comes in chunks would
/// be opened once for each of them.
/// </summary>
internal interface IOpenFiles
{
    /// <summary>
    /// Keeps a file open, from the next read of it on, until the result is disposed.
    /// </summary>
    /// <returns>Null if the store opens no files.</returns>
    IDisposable? KeepOpen(string name);
}
