namespace Restore.Memory;

/// <summary>A place of a semaphore that was taken; disposing it returns the place.</summary>
internal sealed class SemaphorePlace(SemaphoreSlim semaphore) : IDisposable
{
    public void Dispose() => semaphore.Release();
}
