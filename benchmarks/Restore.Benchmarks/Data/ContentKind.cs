namespace Restore.Benchmarks.Data;

/// <summary>The content of the files of a data set.</summary>
internal enum ContentKind
{
    /// <summary>Random bytes: they do not compress.</summary>
    Random,

    /// <summary>Words with random bytes, so that Deflate halves it.</summary>
    Text,

    /// <summary>Words, in files of 0 to 8 KiB.</summary>
    Tiny,
}
