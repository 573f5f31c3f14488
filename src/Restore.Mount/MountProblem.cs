namespace Restore.Mount;

/// <summary>Why a backup cannot be mounted.</summary>
internal enum MountProblem
{
    /// <summary>The system has no FUSE, or lacks a program that is needed.</summary>
    Unsupported,

    /// <summary>The place is not an empty folder.</summary>
    Unusable,

    /// <summary>The folder does not exist.</summary>
    NotFound,

    /// <summary>The user may not mount there.</summary>
    NotAllowed,
}
