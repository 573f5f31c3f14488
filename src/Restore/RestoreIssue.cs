using System.Text.Json.Serialization;

namespace Restore;

/// <summary>A problem of an entry, or of a volume.</summary>
/// <param name="Kind">The kind of the issue.</param>
/// <param name="Path">Original path of the entry; for a <see cref="IssueKind.Warning"/> about a
/// volume, its name.</param>
/// <param name="Reason">What happened, without a full stop.</param>
public sealed record RestoreIssue(IssueKind Kind, string Path, string Reason)
{
    /// <summary>
    /// The code, if there is advice for the issue; otherwise <see cref="IssueCode.None"/>.
    /// </summary>
    public IssueCode Code { get; init; }

    /// <summary>Path at the target, if known.</summary>
    public string? TargetPath { get; init; }

    /// <summary>
    /// In a drill of several versions, the versions that have the entry with this loss; otherwise
    /// null.
    /// </summary>
    public VersionRange? Versions { get; init; }

    /// <summary>The lost byte ranges of the content, in order, merged.</summary>
    public IReadOnlyList<ByteRange> LostRanges { get; init; } = [];

    /// <summary>How many more byte ranges are lost: a report keeps 100,000 in all.</summary>
    public long LostRangesLeftOut { get; init; }

    /// <summary>The volumes that should have the lost data, if known.</summary>
    public IReadOnlyList<string> Volumes { get; init; } = [];

    /// <summary>
    /// How many more such volumes there are: a report keeps 100,000 names in all.
    /// </summary>
    public long VolumesLeftOut { get; init; }

    /// <summary>
    /// Whether the entry's metadata (times, mode, owner, a link's target) is lost as well.
    /// </summary>
    public bool MetadataLost { get; init; }

    /// <summary>Whether all bytes are there but the file does not have the recorded hash.</summary>
    public bool Unverified { get; init; }

    /// <summary>
    /// Whether something is lost or was refused. Known metadata that cannot be applied (such as an
    /// owner that only root can set) is not a loss, and neither is an entry that was left out by
    /// choice.
    /// </summary>
    [JsonIgnore]
    public bool IsLoss =>
        Kind switch
        {
            IssueKind.Metadata => MetadataLost,
            IssueKind.Warning => Unverified,
            IssueKind.LeftOut => false,
            _ => true,
        };
}
