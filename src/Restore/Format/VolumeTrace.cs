using System.Text.RegularExpressions;

namespace Restore.Format;

/// <summary>
/// What the name of a file says of a volume that had this name, or a part of it, before somebody
/// changed it: its kind, its time or its guid. More is recognized than <see cref="StoredName"/>
/// can read back: ends that are gone, another dash, letters between.
/// </summary>
/// <param name="Kind">The kind.</param>
/// <param name="Time">The time of a file list; null if the name has none.</param>
/// <param name="Guid">The guid of another volume; empty if the name has none.</param>
internal readonly partial record struct VolumeTrace(VolumeKind Kind, DateTimeOffset? Time, string Guid)
{
    // The ends of what programs write about a backup, with the time of the run in the name.
    private static readonly string[] NotesEnds = [".log", ".json", ".html", ".csv"];

    /// <summary>
    /// Whether a file, folder or link with this name is a volume, or may be what is left of one.
    /// </summary>
    public static bool IsLikeVolume(string name) =>
        StoredName.Read(name).Kind != StoredNameKind.Other || Of(name) is not null;

    public static VolumeTrace Of(VolumeName name) =>
        name.Kind == VolumeKind.FileList
            ? new VolumeTrace(name.Kind, name.Time, "")
            : new VolumeTrace(name.Kind, null, name.Guid);

    /// <summary>Null if the name has nothing of the name of a volume.</summary>
    public static VolumeTrace? Of(string fileName)
    {
        VolumeKind? kind = Kinds().Match(fileName) is { Success: true } match
            ? match.Groups["kind"].Value.ToLowerInvariant() switch
            {
                "dlist" => VolumeKind.FileList,
                "dindex" => VolumeKind.Index,
                _ => VolumeKind.Block,
            }
            : null;
        Match guid = Guids().Match(fileName);
        if (guid.Success && kind != VolumeKind.FileList)
        {
            bool isBlock = guid.Groups["letter"].Value is "b" or "B";
            return new VolumeTrace(
                kind ?? (isBlock ? VolumeKind.Block : VolumeKind.Index),
                null,
                guid.Groups["guid"].Value
            );
        }

        bool isNotes = kind is null && NotesEnds.Any(end => fileName.EndsWith(end, StringComparison.OrdinalIgnoreCase));
        DateTimeOffset? time =
            !isNotes
            && Times().Match(fileName) is { Success: true } written
            && Timestamp.TryParse(written.Value.ToUpperInvariant(), out DateTime utc)
                ? new DateTimeOffset(utc)
                : null;
        return kind is null && time is null ? null : new VolumeTrace(kind ?? VolumeKind.FileList, time, "");
    }

    [GeneratedRegex(
        @"\.(?<kind>dlist|dblock|dindex)(?![A-Za-z])",
        RegexOptions.CultureInvariant | RegexOptions.IgnoreCase
    )]
    private static partial Regex Kinds();

    [GeneratedRegex(
        "(?<![0-9A-Za-z])(?<letter>[bi])(?<guid>[0-9a-f]{32})(?![0-9A-Za-z])",
        RegexOptions.CultureInvariant | RegexOptions.IgnoreCase
    )]
    private static partial Regex Guids();

    [GeneratedRegex("(?<![0-9])[0-9]{8}T[0-9]{6}Z", RegexOptions.CultureInvariant | RegexOptions.IgnoreCase)]
    private static partial Regex Times();
}
