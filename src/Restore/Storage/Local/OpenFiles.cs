namespace Restore.Storage.Local;

/// <summary>
/// The files of a folder that stay open between reads, because a volume of them is being read in
/// chunks. Safe for concurrent use.
/// </summary>
/// <param name="calls">Closes the files, because closing a file on a share that is gone takes a
/// long time.</param>
internal sealed class OpenFiles(LocalCalls calls)
{
    private readonly Lock gate = new();
    private readonly Dictionary<string, KeptFile> files = new(StringComparer.Ordinal);

    public KeptFile? Find(string name)
    {
        lock (gate)
        {
            return files.GetValueOrDefault(name);
        }
    }

    /// <summary>
    /// Keeps a file open, once a read has opened it, until every result of this is disposed.
    /// </summary>
    public IDisposable Keep(string name)
    {
        lock (gate)
        {
            if (!files.TryGetValue(name, out KeptFile? file))
            {
                files.Add(name, file = new KeptFile());
            }

            file.Users++;
            return new Use(this, name, file);
        }
    }

    private void Release(string name, KeptFile file)
    {
        lock (gate)
        {
            if (--file.Users > 0)
            {
                return;
            }

            files.Remove(name);
        }

        if (file.End() is { } handle)
        {
            _ = calls.CloseAsync(handle);
        }
    }

    private sealed class Use(OpenFiles owner, string name, KeptFile file) : IDisposable
    {
        private int isDisposed;

        public void Dispose()
        {
            if (Interlocked.Exchange(ref isDisposed, 1) == 0)
            {
                owner.Release(name, file);
            }
        }
    }
}
