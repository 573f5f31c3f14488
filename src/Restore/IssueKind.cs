namespace Restore;

/// <summary>The kinds of issues.</summary>
public enum IssueKind
{
    /// <summary>Some of the content is lost; what survives is at the target.</summary>
    Damaged,

    /// <summary>The entry is not restored, because its data is lost.</summary>
    Missing,

    /// <summary>
    /// The content was written and verified, but the device failed when it was flushed: it may not
    /// be readable later.
    /// </summary>
    Doubtful,

    /// <summary>
    /// The entry was refused: unsafe path, duplicate, a target of another kind, no space.
    /// </summary>
    Refused,

    /// <summary>
    /// A link out of the target was left out, as
    /// <see cref="RestoreOptions.AllowRestoreOutsideTargetDirectory"/> says; nothing is lost. When
    /// writing a backup: a source is a link, and its target is not stored.
    /// </summary>
    LeftOut,

    /// <summary>The content is right, but some of the metadata could not be restored.</summary>
    Metadata,

    /// <summary>
    /// A notice without a loss, for example about a damaged volume if its blocks were found
    /// elsewhere.
    /// </summary>
    Warning,
}
