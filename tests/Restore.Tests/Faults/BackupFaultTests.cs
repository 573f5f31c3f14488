using Restore.Tests.Ends;
using Restore.Tests.Writing;

namespace Restore.Tests.Faults;

/// <summary>
/// Backups to real file systems that are full, read-only or failing: the versions that were there
/// stay, and the next run makes the new one.
/// </summary>
[Trait("Suite", "mount")]
public sealed class BackupFaultTests
{
    private const int InputOutputError = 5;
    private const int NoSpace = 28;
    private const int NewBytes = 3_000_000;

    [Theory]
    [InlineData("size=2m", false)]
    [InlineData("size=100m", true)]
    public async Task A_full_or_read_only_disk_ends_the_run_and_the_next_one_makes_the_version(
        string options,
        bool isReadOnly
    )
    {
        using RoundTrip trip = new();
        Directory.CreateDirectory(trip.Destination);
        if (!Environment.IsPrivilegedProcess || !Native.Mount(trip.Destination, options))
        {
            Assert.Skip("A small file system can only be mounted by the root user.");
        }

        try
        {
            await PrepareAsync(trip, trip.Destination);
            string[] before = Directory.GetFiles(trip.Destination);
            Native.Remount(trip.Destination, options, isReadOnly);
            await AssertFailsAsync(trip, trip.Destination);
            Assert.Equal(before.Order(), Directory.GetFiles(trip.Destination).Where(before.Contains).Order());
            Native.Remount(trip.Destination, "size=100m");
            await AssertMadeAsync(trip, trip.Destination);
        }
        finally
        {
            Native.Unmount(trip.Destination);
        }
    }

    [Fact]
    public async Task Whatever_call_fails_no_version_is_lost_and_the_next_run_makes_the_new_one()
    {
        using FaultMount mount = await FaultMount.MountAsync();
        foreach (
            (string call, int first, int error) in new[]
            {
                ("create", 1, InputOutputError),
                ("write", 2, NoSpace),
                ("write", 9, InputOutputError),
                ("fsync", 2, InputOutputError),
                ("fsync", 5, NoSpace),
            }
        )
        {
            using RoundTrip trip = new();
            string destination = Directory.CreateDirectory(Path.Join(mount.Mounted, $"{call} {first}")).FullName;
            await PrepareAsync(trip, destination);
            await mount.ResetAsync();
            await mount.FailAsync(call, first, error, int.MaxValue);
            await AssertFailsAsync(trip, destination, $"{call} {first}");
            await mount.ResetAsync();
            await AssertMadeAsync(trip, destination);
        }
    }

    [Fact]
    public async Task A_file_that_cannot_seek_is_read_from_its_beginning_to_its_end()
    {
        using FaultMount mount = await FaultMount.MountAsync(asStreams: true);
        string source = Directory.CreateDirectory(Path.Join(mount.Backing, "source")).FullName;
        foreach ((string name, int length) in ((string, int)[])[("a", 5), ("b", 300_000), ("c", 0), ("d", 1_048_576)])
        {
            File.WriteAllBytes(Path.Join(source, name), SourceTree.Bytes(new Random(length), length));
        }

        using RoundTrip trip = new();
        string mounted = Path.Join(mount.Mounted, "source");
        BackupWriterReport report = await trip.WriteAsync(
            OptionsOf(trip, trip.Destination) with
            {
                Sources = [mounted],
            }
        );
        Assert.Empty(report.Issues);
        RoundTrip.AssertSame(RestoredTree.Read(source), await trip.RestoreAsync());
    }

    private static async Task PrepareAsync(RoundTrip trip, string destination)
    {
        File.WriteAllText(Path.Join(trip.Source, "old"), "old");
        await trip.WriteAsync(OptionsOf(trip, destination));
        File.WriteAllBytes(Path.Join(trip.Source, "new"), SourceTree.Bytes(new Random(1), NewBytes));
    }

    private static async Task AssertFailsAsync(RoundTrip trip, string destination, string what = "")
    {
        Exception? failure = await Record.ExceptionAsync(() => trip.WriteAsync(OptionsOf(trip, destination)));
        Assert.True(failure is RestoreException { Kind: RestoreErrorKind.TargetNotWritable }, $"{what}: {failure}");
        Assert.Single(Directory.GetFiles(destination, "*.dlist*"));
    }

    private static async Task AssertMadeAsync(RoundTrip trip, string destination)
    {
        await trip.WriteAsync(OptionsOf(trip, destination) with { BreakLock = true });
        await using Backup backup = await Backup.OpenAsync(destination);
        Assert.Equal(2, backup.Versions.Count);
        RestoreReport drill = await backup.ExecuteAsync(
            await backup.PlanDrillAsync(backup.Versions, new RestoreOptions())
        );
        Assert.True(drill.IsComplete, string.Join('\n', drill.Issues));
        Assert.DoesNotContain(
            Directory.GetFiles(destination),
            file => Path.GetFileName(file).StartsWith("restore-lock", StringComparison.Ordinal)
        );
    }

    private static BackupWriterOptions OptionsOf(RoundTrip trip, string destination) =>
        trip.Options with
        {
            Destination = destination,
            VolumeSizeBytes = 1 << 20,
            Concurrency = 1,
        };
}
