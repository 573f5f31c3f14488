using Restore.Tests.FixtureTests;
using Restore.Tests.Support.Machine;

namespace Restore.Tests.Restoring;

/// <summary>Whole restores: ranges change what is fetched, and nothing else.</summary>
public sealed class RangeRestoreTests
{
    public static TheoryData<string> Intact =>
        [
            "plain-1mb",
            "aes-100kb",
            "aes-v3",
            "aes-unicode-pass",
            "one-big",
            "many-small",
            "interleaved",
            "compacted",
            "blocklists-1kb",
            "lookup-index",
            "no-index",
            "hashes",
            "hashes-md5",
            "hashes-sha384",
            "skip-metadata",
            "zip-stored",
            "zip-sharp-deflate",
            "zip-bzip2",
            "zip-zstd",
            "zip-lzma",
            "hand-made",
        ];

    public static TheoryData<string> Damaged => [.. FixtureCatalog.Damaged];

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    [Theory]
    [MemberData(nameof(Intact))]
    public async Task An_intact_backup_restores_to_the_same_tree_whichever_way_its_volumes_are_read(string fixture)
    {
        (RestoreReport whole, string expected) = await RestoreAsync(fixture, RangeReads.Never);
        Assert.True(whole.IsComplete);
        Assert.Equal(0, whole.VolumesReadInPart);

        (RestoreReport automatic, string tree) = await RestoreAsync(fixture, RangeReads.Auto);
        Assert.True(automatic.IsComplete);
        Assert.Equal(expected, tree);

        (RestoreReport parts, tree) = await RestoreAsync(fixture, RangeReads.Always);
        Assert.True(parts.IsComplete);
        Assert.Equal(expected, tree);
        Assert.Equal(parts.VolumesFetched, parts.VolumesReadInPart);
    }

    [Theory]
    [MemberData(nameof(Damaged))]
    public async Task A_damaged_backup_gives_no_less_by_ranges(string fixture)
    {
        Outcome whole = await TryAsync(fixture, RangeReads.Never);
        Outcome parts = await TryAsync(fixture, RangeReads.Always);
        Assert.Equal(whole.Refusal, parts.Refusal);
        Assert.Equal(whole.Tree, parts.Tree);
        Assert.Equal(whole.Losses, parts.Losses);
    }

    [Fact]
    public async Task One_small_file_out_of_a_large_backup_costs_a_small_part_of_it_and_the_plan_says_so()
    {
        const string fixture = "one-big";
        EntryFilter filter = EntryFilter.Parse(["*/small.txt"], []);
        using TempFolder target = new();
        await using Backup backup = await OpenAsync(fixture);
        RestorePlan plan = await backup.PlanAsync(
            backup.Versions[0],
            new RestoreOptions { Target = target.Path, Filter = filter },
            cancellationToken: Token
        );
        PlannedVolume planned = Assert.Single(plan.Volumes);
        RestoreReport report = await backup.ExecuteAsync(plan, cancellationToken: Token);

        Assert.True(report.IsComplete);
        Assert.Equal((1, 1), (report.VolumesFetched, report.VolumesReadInPart));
        Assert.InRange(planned.BytesToFetch, 1, planned.SizeBytes / 5);
        Assert.InRange(report.BytesFetched, planned.BytesToFetch / 2, 64 << 10);
        Assert.Equal(33, new FileInfo(Path.Combine(target.Path, "small.txt")).Length);
    }

    private static async Task<Outcome> TryAsync(string fixture, RangeReads mode)
    {
        try
        {
            (RestoreReport report, string tree) = await RestoreAsync(fixture, mode);
            return new Outcome(null, tree, string.Join('\n', Losses(report)));
        }
        catch (RestoreException refusal)
        {
            return new Outcome(refusal.Message, "", "");
        }
    }

    private static async Task<(RestoreReport Report, string Tree)> RestoreAsync(string fixture, RangeReads mode)
    {
        using TempFolder target = new();
        await using Backup backup = await OpenAsync(fixture);
        RestoreOptions options = new() { Target = target.Path, AllowRestoreOutsideTargetDirectory = true };
        ExecuteOptions execution = new() { Tuning = new() { RangeReads = mode } };
        RestoreReport report = await backup.RestoreAsync(backup.Versions[0], options.With(execution), Token);

        // What has no metadata, or lost it, has the time at which it was made.
        bool IsUntimed(string path) =>
            fixture == "skip-metadata"
            || report.Issues.Any(issue =>
                issue.MetadataLost
                && (path == "." || issue.Path.TrimEnd('/').EndsWith($"/{path}", StringComparison.Ordinal))
            );
        return (
            report,
            string.Join(
                '\n',
                RestoredTree
                    .Read(target.Path)
                    .Values.Select(entry => IsUntimed(entry.Path) ? entry with { ModifiedTicks = null } : entry)
            )
        );
    }

    private static Task<Backup> OpenAsync(string fixture) =>
        Backup.OpenAsync(
            Fixtures.Backup(fixture),
            new BackupOptions
            {
                Passphrase = Fixtures.Info(fixture).GetProperty("passphrase").GetString(),

                // A damaged file gets the time of its restore.
                TimeProvider = new FakeClock(),
            },
            Token
        );

    private static IEnumerable<string> Losses(RestoreReport report) =>
        report
            .Issues.Where(issue => issue.Kind != IssueKind.Warning)
            .Select(issue =>
                $"{issue.Kind} {issue.Path} {issue.Reason} {string.Join(' ', issue.LostRanges)} {issue.MetadataLost} {issue.Unverified}"
            );

    /// <summary>
    /// The result of a restore: the reason of a failure, or the tree and its losses.
    /// </summary>
    private sealed record Outcome(string? Refusal, string Tree, string Losses);
}
