namespace Restore.Restoring;

internal enum OutcomeKind : byte
{
    /// <summary>Its content is in place and verified (or it has none).</summary>
    Restored,

    /// <summary>Blocks are missing or wrong; the others are in place.</summary>
    Incomplete,

    /// <summary>All blocks are in place, but the file does not have the recorded hash.</summary>
    Unverified,

    Failed,
}
