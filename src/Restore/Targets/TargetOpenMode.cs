namespace Restore.Targets;

internal enum TargetOpenMode : byte
{
    /// <summary>
    /// Creates an empty file that only its owner may read; fails if the path exists. Metadata gives
    /// it the mode of a finished file.
    /// </summary>
    CreateNew,

    /// <summary>
    /// Opens an existing file for patching in place. A file with several hard links, or that this
    /// user may read but not write, is first replaced by a copy.
    /// </summary>
    Patch,

    Read,

    /// <summary>
    /// Creates a file as <see cref="CreateNew"/> does, or opens the one that another machine has
    /// created: both write to it.
    /// </summary>
    Share,
}
