namespace Restore.Volumes;

/// <summary>A volume that goes back to a cache of directories after its use.</summary>
internal sealed class KeptDirectory(DirectoryCache cache, SparseVolume volume) : IDisposable
{
    public void Dispose() => cache.Keep(volume);
}
