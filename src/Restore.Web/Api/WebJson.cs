using System.Text.Json.Serialization;
using Restore.Web.Health;
using Restore.Web.Index;
using Restore.Web.Restoring;

namespace Restore.Web.Api;

/// <summary>The values of answers and requests as JSON, without reflection: the published program is trimmed.</summary>
[JsonSourceGenerationOptions(
    PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase, UseStringEnumConverter = true, DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull)]
[JsonSerializable(typeof(ErrorAnswer))]
[JsonSerializable(typeof(BackupAnswer))]
[JsonSerializable(typeof(FolderAnswer))]
[JsonSerializable(typeof(SearchAnswer))]
[JsonSerializable(typeof(EntryAnswer))]
[JsonSerializable(typeof(DetailsAnswer))]
[JsonSerializable(typeof(CostAnswer))]
[JsonSerializable(typeof(FindAnswer))]
[JsonSerializable(typeof(HealthAnswer))]
[JsonSerializable(typeof(VolumeEntriesAnswer))]
[JsonSerializable(typeof(RestoreRequest))]
[JsonSerializable(typeof(ChangeRequest))]
[JsonSerializable(typeof(JobAnswer))]
internal sealed partial class WebJson : JsonSerializerContext
{
    /// <summary>Stands for what is above all folders where a folder is a number.</summary>
    public const int NoFolder = -1;
}

internal sealed record ErrorAnswer(string Error);

/// <summary>The backup and its versions, newest first.</summary>
/// <param name="Location">Where it is.</param>
/// <param name="RestoreFolder">The folder that the page may restore to; null for none.</param>
/// <param name="Versions">Its versions.</param>
/// <param name="IsReading">Whether lists are being read: more will be known soon.</param>
/// <param name="Notes">What is suspicious about its files.</param>
internal sealed record BackupAnswer(
    string Location, string? RestoreFolder, IReadOnlyList<VersionAnswer> Versions, bool IsReading, IReadOnlyList<string> Notes);

/// <summary>A version.</summary>
/// <param name="Index">0 is the newest.</param>
/// <param name="Time">Its time, UTC.</param>
/// <param name="State">How far its list is read.</param>
/// <param name="Entries">The entries of the list that are read so far.</param>
/// <param name="LeftOut">Entries that are not shown.</param>
/// <param name="Files">The files, once the list is read and was shown.</param>
/// <param name="Bytes">The length of their contents.</param>
/// <param name="Error">Why the list cannot be read.</param>
/// <param name="Change">What changed since the version before, once both lists are read.</param>
internal sealed record VersionAnswer(
    int Index, DateTimeOffset Time, Index.ListState State, int Entries, int LeftOut, int? Files, long? Bytes, string? Error, Index.VersionChange? Change);

/// <summary>A part of a folder.</summary>
/// <param name="Id">The folder; -1 above all.</param>
/// <param name="Path">Its path.</param>
/// <param name="Above">The folders above, from the outermost.</param>
/// <param name="Total">How many entries it has.</param>
/// <param name="Offset">The number of the first entry of this part.</param>
/// <param name="Entries">The entries.</param>
internal sealed record FolderAnswer(
    int Id, string Path, IReadOnlyList<NamedNode> Above, int Total, int Offset, IReadOnlyList<ListedEntry> Entries);

internal sealed record NamedNode(int Id, string Name);

/// <summary>An entry of a folder.</summary>
/// <param name="Id">Its node.</param>
/// <param name="Name">Its name.</param>
/// <param name="Kind">What it is.</param>
/// <param name="Bytes">The length of its content; of a folder that of all files below.</param>
/// <param name="Files">Of a folder: the files below.</param>
/// <param name="Time">Its last-modified time, UTC.</param>
internal sealed record ListedEntry(int Id, string Name, BackupEntryKind Kind, long Bytes, int? Files, DateTimeOffset? Time);

/// <summary>What a search found.</summary>
/// <param name="Total">How many paths.</param>
/// <param name="VersionsRead">The versions that were searched.</param>
/// <param name="VersionsLeft">Versions whose lists are still being read.</param>
/// <param name="Entries">The best paths.</param>
internal sealed record SearchAnswer(int Total, int VersionsRead, int VersionsLeft, IReadOnlyList<FoundEntry> Entries);

/// <summary>A path that a search found.</summary>
/// <param name="Id">Its node.</param>
/// <param name="Folder">The node of its folder.</param>
/// <param name="Name">Its name.</param>
/// <param name="Path">Its path.</param>
/// <param name="Kind">What it is in the newest version that has it.</param>
/// <param name="Version">That version.</param>
/// <param name="Bytes">Its length there.</param>
/// <param name="Time">Its time there.</param>
/// <param name="Versions">How many versions have it.</param>
/// <param name="Contents">How many different contents it has in them.</param>
internal sealed record FoundEntry(
    int Id, int Folder, string Name, string Path, BackupEntryKind Kind, int Version, long Bytes, DateTimeOffset? Time, int Versions, int Contents);

/// <summary>One path in all versions that were read.</summary>
internal sealed record EntryAnswer(int Id, string Path, int VersionsRead, int VersionsLeft, IReadOnlyList<EntrySpan> Spans);

/// <summary>A content of a path, in consecutive versions.</summary>
/// <param name="Newest">The newest of the versions.</param>
/// <param name="Oldest">The oldest of the versions.</param>
/// <param name="Kind">What it is.</param>
/// <param name="Bytes">Its length.</param>
/// <param name="Time">Its time.</param>
/// <param name="Content">The same number for the same content.</param>
internal sealed record EntrySpan(int Newest, int Oldest, BackupEntryKind Kind, long Bytes, DateTimeOffset? Time, int Content);

/// <summary>What a version has about an entry.</summary>
internal sealed record DetailsAnswer(
    string Path, BackupEntryKind Kind, long Bytes, int? Files, string? Hash, DateTimeOffset? Time, DateTimeOffset? Created, string? Mode, string? Owner,
    string? Group, string? LinkTarget, IReadOnlyList<string> Attributes, bool IsMetadataLost);

/// <summary>What it takes to fetch an entry.</summary>
internal sealed record CostAnswer(
    long BytesToFetch, int Volumes, decimal? Cost, IReadOnlyList<VolumeToFetch> FirstVolumes, IReadOnlyList<string> Losses);

/// <summary>Where an entry is.</summary>
/// <param name="Id">Its node.</param>
/// <param name="Folder">The node of its folder; -1 for none.</param>
internal sealed record FindAnswer(int Id, int Folder);

/// <summary>A volume that is read for an entry.</summary>
internal sealed record VolumeToFetch(string Name, long Bytes, long BytesToFetch);

internal static class Times
{
    /// <summary>The last-modified time; null if the list has none.</summary>
    public static DateTimeOffset? Of(EntryContent? entry) => entry is { TimeTicks: > 0 and long ticks } ? new DateTimeOffset(ticks, TimeSpan.Zero) : null;
}

internal static class Reading
{
    /// <summary>How many lists are read, and how many are still to be read.</summary>
    public static (int Read, int Left) Of(VersionLists lists) => (
        lists.Statuses.Count(status => status.State == ListState.Read),
        lists.Statuses.Count(status => status.State is ListState.Unread or ListState.Reading));
}
