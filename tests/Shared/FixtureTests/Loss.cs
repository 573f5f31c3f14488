using System.Text.Json;

namespace Restore.Tests.FixtureTests;

/// <summary>What of an entry is lost: as a fixture says, or as a report says.</summary>
/// <param name="Path">Path below the source folder.</param>
/// <param name="Ranges">Lost bytes.</param>
/// <param name="Metadata">Whether the metadata, or the target of a link, is lost.</param>
/// <param name="IsUnverified">Whether all bytes are there but not those of the recorded
/// hash.</param>
internal sealed record Loss(string Path, IReadOnlyList<ByteRange> Ranges, bool Metadata, bool IsUnverified)
{
    /// <summary>
    /// The losses of a version that no program can restore; null if the whole version is lost.
    /// </summary>
    public static Loss[]? Unavoidable(FixtureBackup fixture, int version)
    {
        JsonElement lost = fixture.Info.GetProperty("lost").GetProperty($"{version}");
        return lost.ValueKind == JsonValueKind.Object
            ? [.. lost.GetProperty("unavoidable").EnumerateArray().Select(FromJson)]
            : null;
    }

    /// <summary>What a report says, all issues of an entry together.</summary>
    public static Loss[] Reported(FixtureBackup fixture, RestoreReport report) =>
        [
            .. report
                .Issues.Where(issue => issue.Kind != IssueKind.Warning)
                .GroupBy(issue => fixture.RelativePath(issue.Path))
                .Select(issues => new Loss(
                    issues.Key,
                    [.. issues.SelectMany(issue => issue.LostRanges)],
                    issues.Any(issue => issue.MetadataLost),
                    issues.Any(issue => issue.Unverified)
                )),
        ];

    /// <summary>For comparison and messages.</summary>
    public override string ToString() =>
        $"{Path}{string.Concat(Ranges.Select(range => $" [{range.From},{range.To})"))}{(Metadata ? " metadata" : "")}{(IsUnverified ? " unverified" : "")}";

    private static Loss FromJson(JsonElement row) =>
        new(
            row.GetProperty("path").GetString()!,
            row.TryGetProperty("ranges", out JsonElement ranges)
                ? [.. ranges.EnumerateArray().Select(range => new ByteRange(range[0].GetInt64(), range[1].GetInt64()))]
                : [],
            row.TryGetProperty("metadata", out JsonElement metadata) && metadata.GetBoolean(),
            row.TryGetProperty("unverified", out JsonElement unverified) && unverified.GetBoolean()
        );
}
