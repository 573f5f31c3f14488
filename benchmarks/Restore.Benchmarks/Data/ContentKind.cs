namespace Restore.Benchmarks.Data;

/// <summary>What the files of a data set hold.</summary>
internal enum ContentKind
{
    /// <summary>Random bytes: they do not compress.</summary>
    Random,

    /// <summary>Words, with as many random bytes among them that Deflate makes half of it.</summary>
    Text,

    /// <summary>Words, in files of 0 to 8 KiB.</summary>
    Tiny,
}
