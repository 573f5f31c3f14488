using System.Text.Json.Serialization;
using Restore.Browse.Assessing;
using Restore.Browse.Health;
using Restore.Browse.Restoring;

namespace Restore.Browse.Api;

/// <summary>
/// Answers and requests as JSON, without reflection: the published program is trimmed.
/// </summary>
[JsonSourceGenerationOptions(
    PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase,
    UseStringEnumConverter = true,
    DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull
)]
[JsonSerializable(typeof(ErrorAnswer))]
[JsonSerializable(typeof(BackupAnswer))]
[JsonSerializable(typeof(FolderAnswer))]
[JsonSerializable(typeof(SearchAnswer))]
[JsonSerializable(typeof(EntryAnswer))]
[JsonSerializable(typeof(DetailsAnswer))]
[JsonSerializable(typeof(CostAnswer))]
[JsonSerializable(typeof(ChangesAnswer))]
[JsonSerializable(typeof(FindAnswer))]
[JsonSerializable(typeof(HealthAnswer))]
[JsonSerializable(typeof(AssessmentAnswer))]
[JsonSerializable(typeof(VolumeEntriesAnswer))]
[JsonSerializable(typeof(TargetAnswer))]
[JsonSerializable(typeof(RestoreRequest))]
[JsonSerializable(typeof(ChangeRequest))]
[JsonSerializable(typeof(JobAnswer))]
[JsonSerializable(typeof(IReadOnlyList<IssueAnswer>))]
internal sealed partial class WebJson : JsonSerializerContext
{
    /// <summary>The id of what is above all folders.</summary>
    public const int NoFolder = -1;
}

internal sealed record ErrorAnswer(string Error);

/// <summary>
/// Versions are newest first. While lists are being read, more will be known soon. Notes say what
/// is suspicious about the files of the backup.
/// </summary>
internal sealed record BackupAnswer(
    string Location,
    string? RestoreFolder,
    IReadOnlyList<VersionAnswer> Versions,
    bool IsReading,
    IReadOnlyList<string> Notes,
    bool HasFreeReads,
    bool HasOriginalPlaces
);

/// <summary>
/// Index 0 is the newest; entries are those read so far; the change is to the version before, once
/// both lists are read.
/// </summary>
internal sealed record VersionAnswer(
    int Index,
    DateTimeOffset Time,
    Index.ListState State,
    int Entries,
    int LeftOut,
    int? Files,
    long? Bytes,
    string? Error,
    Index.VersionChange? Change,
    bool IsPartial
);

/// <summary>
/// A part of a folder, from the offset on. Id -1 is above all folders; Above lists the folders
/// above, from the outermost.
/// </summary>
internal sealed record FolderAnswer(
    int Id,
    string Path,
    IReadOnlyList<NamedNode> Above,
    int Total,
    int Offset,
    IReadOnlyList<ListedEntry> Entries
);

internal sealed record NamedNode(int Id, string Name);

/// <summary>The bytes and files of a folder include all files below it.</summary>
internal sealed record ListedEntry(
    int Id,
    string Name,
    BackupEntryKind Kind,
    long Bytes,
    int? Files,
    DateTimeOffset? Time,
    LossMark? Loss
);

/// <summary>
/// Total counts all paths found; the entries are the best of them. VersionsLeft counts the versions
/// with a list that is still being read.
/// </summary>
internal sealed record SearchAnswer(int Total, int VersionsRead, int VersionsLeft, IReadOnlyList<FoundEntry> Entries);

/// <summary>
/// A path that a search found, as it is in the version that was asked for or, without it, in the
/// newest that has it, and how many versions and different contents it has.
/// </summary>
internal sealed record FoundEntry(
    int Id,
    int Folder,
    string Name,
    string Path,
    BackupEntryKind Kind,
    int Version,
    long Bytes,
    DateTimeOffset? Time,
    int Versions,
    int Contents,
    LossMark? Loss
);

internal sealed record EntryAnswer(
    int Id,
    string Path,
    int VersionsRead,
    int VersionsLeft,
    IReadOnlyList<EntrySpan> Spans
);

/// <summary>
/// A content of a path in consecutive versions. The same number stands for the same content.
/// </summary>
internal sealed record EntrySpan(
    int Newest,
    int Oldest,
    BackupEntryKind Kind,
    long Bytes,
    DateTimeOffset? Time,
    int Content
);

internal sealed record DetailsAnswer(
    string Path,
    BackupEntryKind Kind,
    long Bytes,
    int? Files,
    string? Hash,
    DateTimeOffset? Time,
    DateTimeOffset? Created,
    string? Mode,
    string? Owner,
    string? Group,
    string? LinkTarget,
    IReadOnlyList<string> Attributes,
    bool IsMetadataLost
);

internal sealed record CostAnswer(
    long BytesFetched,
    long BytesToFetch,
    int Volumes,
    decimal? Cost,
    IReadOnlyList<VolumeToFetch> FirstVolumes,
    IReadOnlyList<string> Losses,
    LossMark? Loss
);

/// <summary>The first of the files that differ from the version before.</summary>
internal sealed record ChangesAnswer(int Total, IReadOnlyList<ChangedAnswer> Entries);

/// <summary>The id of a file that was removed is one of the version before.</summary>
internal sealed record ChangedAnswer(int Id, string Path, Index.FileChange Change, long Bytes);

internal sealed record FindAnswer(int Id, int Folder);

internal sealed record VolumeToFetch(string Name, long Bytes, long BytesToFetch);

internal static class Times
{
    /// <summary>Null if the list has no time.</summary>
    public static DateTimeOffset? Of(EntryVersion? entry) =>
        entry is { TimeTicks: > 0 and long ticks } ? new DateTimeOffset(ticks, TimeSpan.Zero) : null;
}

internal static class Reading
{
    public static (int Read, int Left) Of(VersionLists lists) =>
        (
            lists.Statuses.Count(status => status.State == ListState.Read),
            lists.Statuses.Count(status => status.State is ListState.Unread or ListState.Reading)
        );
}
