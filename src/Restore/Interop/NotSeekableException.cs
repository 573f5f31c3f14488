namespace Restore.Interop;

/// <summary>
/// A file has the kind of a regular one and can only be read from its beginning to its end: some of
/// /proc and some file systems of programs (FUSE) are so.
/// </summary>
internal sealed class NotSeekableException()
    : IOException("it can be read from its beginning to its end only, and not at a place in it");
