using System.Text.Json;
using Restore.Tests.Reported;
using Restore.Tests.Support.Machine;

namespace Restore.Tests.Mount;

/// <summary>
/// Leaving Duplicati with all versions: the script of the page, with the real restic.
/// </summary>
[Trait("Suite", "mount")]
[NeedsPrograms(".ci/install-packages", "restic", "mountpoint")]
public sealed class LeavingTests : IDisposable
{
    private static readonly DateTime Time = new(2020, 5, 6, 7, 8, 9, DateTimeKind.Utc);

    private readonly TempFolder folder = new();

    public void Dispose() => folder.Dispose();

    [Fact]
    public async Task Every_version_becomes_a_snapshot_of_restic_with_its_time_and_the_times_of_its_files()
    {
        Assert.SkipUnless(
            Environment.IsPrivilegedProcess && File.Exists("/dev/fuse"),
            "A backup can only be mounted by the root user of a system with FUSE."
        );
        SourceFolder source = new(folder);
        source.Write("stays", "the same", Time);
        source.Write("changes", "one", Time.AddDays(1));
        source.Write("goes", "soon", Time.AddDays(2));
        await source.BackUpAsync(1);
        source.Write("changes", "second", Time.AddDays(3));
        File.Delete(Path.Join(source.Path, "goes"));
        await source.BackUpAsync(2);
        source.Write("new", "third", Time.AddDays(4));
        await source.BackUpAsync(3);

        Directory.CreateDirectory(folder.In("mount"));
        Directory.CreateDirectory(folder.In("temporary"));
        Assert.Contains("created restic repository", (await RunAsync("restic", "init")).Text, StringComparison.Ordinal);
        string script = Path.Combine(Fixtures.RepositoryRoot(), "deploy", "to-restic");
        ShellRun copied = await RunAsync("bash", script, source.Store, folder.In("mount"));
        Assert.True(copied.ExitCode == 0, copied.Text);
        Assert.Empty(Directory.EnumerateFileSystemEntries(folder.In("mount")));

        DateTimeOffset first = DateTimeOffset.UnixEpoch.AddYears(50).AddDays(1);
        (string Id, DateTimeOffset Time)[] snapshots = await SnapshotsAsync();
        Assert.Equal([first, first.AddDays(1), first.AddDays(2)], snapshots.Select(snapshot => snapshot.Time));
        (string, string, DateTime)[][] expected =
        [
            [("changes", "one", Time.AddDays(1)), ("goes", "soon", Time.AddDays(2)), ("stays", "the same", Time)],
            [("changes", "second", Time.AddDays(3)), ("stays", "the same", Time)],
            [("changes", "second", Time.AddDays(3)), ("new", "third", Time.AddDays(4)), ("stays", "the same", Time)],
        ];
        for (int version = 0; version < snapshots.Length; version++)
        {
            string target = folder.In($"target {version}");
            Assert.Equal(0, (await RunAsync("restic", "restore", snapshots[version].Id, "--target", target)).ExitCode);
            Assert.Equal(
                expected[version],
                Directory
                    .EnumerateFiles(target + source.Path)
                    .Order(StringComparer.Ordinal)
                    .Select(file => (Path.GetFileName(file), File.ReadAllText(file), File.GetLastWriteTimeUtc(file)))
            );
        }

        Assert.Equal(0, (await RunAsync("bash", script, source.Store, folder.In("mount"))).ExitCode);
        Assert.Equal(snapshots, await SnapshotsAsync());
    }

    private async Task<(string Id, DateTimeOffset Time)[]> SnapshotsAsync()
    {
        using JsonDocument snapshots = JsonDocument.Parse(
            (await RunAsync("restic", "snapshots", "--json", "--quiet")).Text
        );
        return
        [
            .. snapshots
                .RootElement.EnumerateArray()
                .Select(snapshot =>
                    (snapshot.GetProperty("id").GetString()!, snapshot.GetProperty("time").GetDateTimeOffset())
                ),
        ];
    }

    private Task<ShellRun> RunAsync(params string[] command) =>
        ShellRun.OfAsync(
            "env",
            [
                "TMPDIR=" + folder.In("temporary"),
                "RESTIC_CACHE_DIR=" + folder.In("cache"),
                "RESTIC_REPOSITORY=" + folder.In("repository"),
                "RESTIC_PASSWORD=secret",
                "RESTORE=" + string.Join(' ', ShellRun.Program),
                .. command,
            ]
        );
}
