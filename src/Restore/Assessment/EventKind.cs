namespace Restore.Assessment;

internal enum EventKind : byte
{
    Changed,
    Added,
    Removed,

    /// <summary>Removed here, and its content is under another name now.</summary>
    MovedAway,

    /// <summary>Added with a content that was removed under another name.</summary>
    MovedHere,

    /// <summary>Only its time is another one.</summary>
    Touched,
}
