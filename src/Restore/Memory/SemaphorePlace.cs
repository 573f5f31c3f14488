namespace Restore.Memory;

/// <summary>A place of a semaphore that somebody has taken; disposing returns it.</summary>
internal sealed class SemaphorePlace(SemaphoreSlim semaphore) : IDisposable
{
    public void Dispose() => semaphore.Release();
}
