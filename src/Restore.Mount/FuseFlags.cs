namespace Restore.Mount;

internal static class FuseFlags
{
    /// <summary>The bytes of a file stay in the page cache when the file is closed.</summary>
    public const uint KeepCache = 1 << 1;

    /// <summary>The kernel remembers the names in a folder.</summary>
    public const uint CacheFolder = 1 << 3;

    /// <summary>
    /// Concurrent reads of a file, concurrent look-ups in a folder, requests of more than 128 KiB.
    /// </summary>
    public const uint Wanted = (1 << 0) | (1 << 18) | (1 << 22);
}
