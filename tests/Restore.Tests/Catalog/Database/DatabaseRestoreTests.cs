using System.Text;
using Restore.Cli;
using Restore.Tests.Cli;

namespace Restore.Tests.Catalog.Database;

/// <summary>Restores by Duplicati's local database, from opening to the finished tree.</summary>
public sealed class DatabaseRestoreTests
{
    [Theory]
    [InlineData("with-database", "database", 0)]
    [InlineData("with-database", "database", 1)]
    [InlineData("with-database", "database-wal", 0)]
    [InlineData("with-database", "database-wal", 1)]
    [InlineData("with-database-recreated", "database", 0)]
    [InlineData("with-database-recreated", "database", 1)]
    public async Task Every_version_restores_and_nothing_beside_the_database_changes(
        string fixture,
        string database,
        int version
    )
    {
        using DatabaseWorkspace work = new(fixture, database);
        string before = work.Fingerprint();
        RestoreReport report = await work.RestoreWhollyAsync(version);
        Assert.DoesNotContain(report.Issues, issue => issue.Kind == IssueKind.Warning);
        Assert.Equal(before, work.Fingerprint());
    }

    [Fact]
    public async Task The_sequential_flow_takes_a_database_too()
    {
        using DatabaseWorkspace work = new();
        await using Backup backup = await work.OpenAsync();
        RestoreSetup options = new RestoreOptions { Target = work.Target, RestorePermissions = true }.Legacy(true);
        RestoreReport report = await backup.RestoreAsync(backup.Versions[0], options);
        Assert.DoesNotContain(
            report.Issues,
            issue => issue.Kind is not (IssueKind.Warning or IssueKind.Metadata) || issue.MetadataLost
        );
        work.AssertTree(0);
    }

    [Fact]
    public async Task Only_the_file_list_and_the_block_volumes_are_read()
    {
        using DatabaseWorkspace work = new();
        RestoreReport report = await work.RestoreWhollyAsync();
        long blockVolumes = Directory.GetFiles(work.Volumes, "*dblock*").Sum(file => new FileInfo(file).Length);
        long fileList = new FileInfo(Directory.GetFiles(work.Volumes, "*dlist*").Max(StringComparer.Ordinal)!).Length;
        Assert.Equal(blockVolumes + fileList, report.BytesFetched);
    }

    [Theory]
    [InlineData("with-database", "database")]
    [InlineData("with-database", "database-wal")]
    [InlineData("with-database-recreated", "database")]
    public async Task Versions_and_entries_are_those_of_the_file_lists(string fixture, string database)
    {
        using DatabaseWorkspace work = new(fixture, database);
        await using Backup byDatabase = await work.OpenAsync();
        await using Backup direct = await Backup.OpenAsync(work.Volumes, work.Options with { DatabasePath = null });
        Assert.Equal(direct.Versions, byDatabase.Versions);
        Dictionary<int, List<BackupEntry>> listed = [];
        foreach (BackupVersion version in direct.Versions)
        {
            listed[version.Index] = await ListAsync(direct, version);
            Assert.Equal(listed[version.Index], await ListAsync(byDatabase, version));
        }

        work.DeleteVolumes("dlist");
        await using Backup alone = await work.OpenAsync();
        foreach (BackupVersion version in alone.Versions)
        {
            List<BackupEntry> entries = await ListAsync(alone, version);
            Assert.Equal(
                listed[version.Index].OrderBy(entry => entry.Path, StringComparer.Ordinal),
                entries.OrderBy(entry => entry.Path, StringComparer.Ordinal)
            );
            Assert.Equal(
                entries.OrderBy(entry => entry.Kind == BackupEntryKind.File).ThenBy(entry => entry.Path, Utf8Order),
                entries
            );
        }
    }

    /// <summary>Numbers are those of 'versions' with the same database.</summary>
    [Fact]
    public async Task A_deletion_does_not_take_another_version_for_one_that_only_the_database_has()
    {
        using DatabaseWorkspace work = new();
        File.Delete(Directory.GetFiles(work.Volumes, "*dlist*").Max(StringComparer.Ordinal)!);
        string[] before = Directory.GetFiles(work.Volumes);

        CliRun run = await CliRun.OfAsync(
            "delete",
            work.Volumes,
            $"--dbpath={work.Options.DatabasePath}",
            $"--passphrase={work.Options.Passphrase}",
            "--version=0",
            "--allow-full-removal",
            "--allow-removal-of-last-good",
            "--yes"
        );

        Assert.Equal(ExitCodes.NotFound, run.ExitCode);
        Assert.Contains("Only the database has version 0", run.Error, StringComparison.Ordinal);
        Assert.Equal(before.Order(), Directory.GetFiles(work.Volumes).Order());
    }

    [Fact]
    public async Task A_version_that_only_the_database_has_is_marked_and_left_out_of_a_drill_of_all()
    {
        using DatabaseWorkspace work = new();
        string[] access =
        [
            work.Volumes,
            $"--dbpath={work.Options.DatabasePath}",
            $"--passphrase={work.Options.Passphrase}",
        ];
        File.Delete(Directory.GetFiles(work.Volumes, "*dlist*").Min(StringComparer.Ordinal)!);
        CliRun versions = await CliRun.OfAsync(["versions", .. access]);
        Assert.Equal(
            ["", "(only in the database)"],
            versions.Output.TrimEnd().Split('\n').Select(line => line[(line + "(").IndexOf('(')..])
        );
        Assert.Contains("The file list is not in the folder", versions.Error, StringComparison.Ordinal);
        Assert.Contains(
            "onlyInDatabase",
            (await CliRun.OfAsync(["versions", .. access, "--json"])).Output,
            StringComparison.Ordinal
        );

        CliRun drill = await CliRun.OfAsync(["verify", .. access, "--all-versions"]);
        Assert.Contains("1 version that only the database has", drill.Error, StringComparison.Ordinal);
        Assert.Contains("Verified", drill.Output, StringComparison.Ordinal);
        Assert.DoesNotContain("2 versions", drill.Output, StringComparison.Ordinal);
        CliRun one = await CliRun.OfAsync(["verify", .. access, "--version=1"]);
        Assert.Contains("of version 1 of", one.Output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_large_file_alone_without_metadata_is_restored_by_the_blocks_that_the_database_lists()
    {
        using DatabaseWorkspace work = new();
        await using Backup backup = await work.OpenAsync();
        RestoreOptions options = new()
        {
            Target = work.Target,
            SkipMetadata = true,
            Filter = EntryFilter.Parse(["zeros"], []),
        };
        RestoreReport report = await backup.ExecuteAsync(await backup.PlanAsync(backup.Versions[0], options));
        Assert.Empty(report.Issues);
        byte[] expected = [.. new byte[409_600], .. Encoding.UTF8.GetBytes("end")];
        Assert.Equal(expected, await File.ReadAllBytesAsync(Path.Combine(work.Target, "zeros")));
    }

    [Fact]
    public async Task A_filter_takes_what_it_says_and_reads_only_the_volume_that_has_it()
    {
        using DatabaseWorkspace work = new();
        await using Backup backup = await work.OpenAsync();
        EntryFilter filter = EntryFilter.Parse(["new.bin"], []);
        RestorePlan plan = await backup.PlanAsync(
            backup.Versions[0],
            new RestoreOptions { Target = work.Target, Filter = filter }
        );
        Assert.Equal(1, plan.Files);
        Assert.Single(plan.Volumes);
        Assert.True((await backup.ExecuteAsync(plan)).IsComplete);
        Assert.Equal(51202, new FileInfo(Path.Join(work.Target, "new.bin")).Length);
    }

    [Fact]
    public async Task A_wrong_passphrase_is_reported_before_planning()
    {
        using DatabaseWorkspace work = new();
        await using Backup backup = await Backup.OpenAsync(
            work.Volumes,
            work.Options with
            {
                Passphrase = "wrong horse",
            }
        );
        RestoreException failure = await Assert.ThrowsAsync<RestoreException>(() =>
            backup.PlanAsync(backup.Versions[0], new RestoreOptions { Target = work.Target })
        );
        Assert.Equal(RestoreErrorKind.WrongPassphrase, failure.Kind);
    }

    [Fact]
    public async Task A_cancelled_reading_ends_at_once()
    {
        using DatabaseWorkspace work = new();
        await using Backup backup = await work.OpenAsync();
        using CancellationTokenSource stop = new();
        await stop.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() =>
            backup.PlanAsync(
                backup.Versions[0],
                new RestoreOptions { Target = work.Target },
                cancellationToken: stop.Token
            )
        );
    }

    [Fact]
    public async Task Restores_run_side_by_side_from_one_backup()
    {
        using DatabaseWorkspace work = new();
        await using Backup backup = await work.OpenAsync();
        RestoreReport[] reports = await Task.WhenAll(
            Enumerable
                .Range(0, 4)
                .Select(async i =>
                {
                    RestoreOptions options = new()
                    {
                        Target = Path.Join(work.Target, $"{i}"),
                        AllowRestoreOutsideTargetDirectory = true,
                    };
                    RestorePlan plan = await backup.PlanAsync(backup.Versions[i % 2], options);
                    return await backup.ExecuteAsync(plan);
                })
        );
        Assert.All(reports, report => Assert.True(report.IsComplete));
    }

    [Fact]
    public async Task The_program_takes_a_database()
    {
        using DatabaseWorkspace work = new();
        CliRun run = await CliRun.OfAsync(
            work.Volumes,
            $"--dbpath={work.Database}",
            "--passphrase=correct horse",
            $"--restore-path={work.Target}",
            "--restore-permissions"
        );
        Assert.Equal((ExitCodes.Complete, ""), (run.ExitCode, run.Error));
        Assert.StartsWith("Restored 15 files, 4 folders, 3 links of version 0", run.Output, StringComparison.Ordinal);
        work.AssertTree(0);
    }

    [Fact]
    public async Task A_database_without_content_is_a_warning()
    {
        using DatabaseWorkspace work = new();
        CliRun run = await CliRun.OfAsync(
            work.Volumes,
            "--dbpath=/dev/null",
            "--passphrase=correct horse",
            $"--restore-path={work.Target}",
            "--restore-permissions"
        );
        Assert.Equal(ExitCodes.Complete, run.ExitCode);
        Assert.Contains(
            "The database is an empty file; it is not needed, the volumes are read",
            run.Output,
            StringComparison.Ordinal
        );
        work.AssertTree(0);
    }

    [Fact]
    public async Task A_database_that_is_gone_is_a_warning()
    {
        using DatabaseWorkspace work = new();
        CliRun run = await CliRun.OfAsync(
            work.Volumes,
            "--dbpath=/not/there.sqlite",
            "--passphrase=correct horse",
            $"--restore-path={work.Target}"
        );
        Assert.Equal(ExitCodes.Complete, run.ExitCode);
        Assert.Equal(
            "Warning: --dbpath: there is no database /not/there.sqlite; it is not needed, the volumes are read\n",
            run.Error
        );
    }

    private static Comparer<string> Utf8Order =>
        Comparer<string>.Create(
            (left, right) =>
                System
                    .Text.Encoding.UTF8.GetBytes(left)
                    .AsSpan()
                    .SequenceCompareTo(System.Text.Encoding.UTF8.GetBytes(right))
        );

    /// <summary>The entries, with times to the second, as a file list has them.</summary>
    private static async Task<List<BackupEntry>> ListAsync(Backup backup, BackupVersion version)
    {
        List<BackupEntry> entries = [];
        await foreach (BackupEntry entry in backup.ListAsync(version))
        {
            DateTimeOffset? time = entry.LastModified;
            entries.Add(entry with { LastModified = time?.AddTicks(-(time.Value.Ticks % TimeSpan.TicksPerSecond)) });
        }

        return entries;
    }
}
