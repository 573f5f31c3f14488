namespace Restore.Mount.Fuse;

/// <summary>What both sides can do (FUSE_INIT), and how the kernel caches what it opens.</summary>
internal static class FuseFlags
{
    /// <summary>FUSE_ASYNC_READ: concurrent reads of a file.</summary>
    public const uint AsyncRead = 1 << 0;

    /// <summary>FUSE_BIG_WRITES: writes of more than a page.</summary>
    public const uint BigWrites = 1 << 5;

    /// <summary>FUSE_WRITEBACK_CACHE: the kernel collects writes in the page cache.</summary>
    public const uint WriteBackCache = 1 << 16;

    /// <summary>FUSE_PARALLEL_DIROPS: concurrent look-ups in a folder.</summary>
    public const uint ParallelFolders = 1 << 18;

    /// <summary>FUSE_MAX_PAGES: requests of more than 128 KiB.</summary>
    public const uint MaxPages = 1 << 22;

    /// <summary>FOPEN_KEEP_CACHE: the page cache keeps the bytes of a file that is closed.</summary>
    public const uint KeepCache = 1 << 1;

    /// <summary>FOPEN_CACHE_DIR: the kernel remembers the names in a folder.</summary>
    public const uint CacheFolder = 1 << 3;
}
