using Restore.Tests.Ends;

namespace Restore.Tests.Writing;

/// <summary>What is not read again is what the backup has for certain.</summary>
public sealed class UnchangedFileTests : IDisposable
{
    private static readonly DateTime Old = new(2020, 1, 2, 3, 4, 5, DateTimeKind.Utc);

    private readonly RoundTrip trip = new();

    public void Dispose() => trip.Dispose();

    [Fact]
    public async Task Only_what_changed_is_read_and_every_version_comes_back()
    {
        for (int file = 0; file < 6; file++)
        {
            Write($"f{file}", 10_000 + (file * 700), seed: file);
        }

        SortedDictionary<string, TreeEntry> before = RestoredTree.Read(trip.Source);
        await trip.WriteAsync();
        Write("f1", 10_700, seed: 99, Old.AddHours(1));
        Write("f2", 11_401, seed: 2);
        File.Delete(In("f3"));
        Write("new", 5000, seed: 100);

        BackupWriterReport second = await trip.WriteAsync();

        Assert.Equal((3L, 10_700L + 11_401 + 5000), (second.UnchangedFiles, second.BytesRead));
        trip.AssertLikeSource(await trip.RestoreAsync(version: 0));
        RoundTrip.AssertSame(before, await trip.RestoreAsync(version: 1));
    }

    [Fact]
    public async Task A_file_changed_in_the_second_of_the_backup_is_read_again()
    {
        DateTimeOffset now = new(2026, 11, 23, 4, 0, 0, TimeSpan.Zero);
        Write("a", 5000, seed: 1, now.UtcDateTime.AddMilliseconds(100));
        await trip.WriteAsync(trip.Options with { Time = now });
        Write("a", 5000, seed: 2, now.UtcDateTime.AddMilliseconds(900));

        BackupWriterReport second = await trip.WriteAsync();

        Assert.Equal((0L, 5000L), (second.UnchangedFiles, second.BytesRead));
        trip.AssertLikeSource(await trip.RestoreAsync());
    }

    [Fact]
    public async Task A_file_changed_after_it_was_read_is_read_again_though_the_clock_of_the_files_is_late()
    {
        DateTimeOffset now = new(2026, 11, 23, 4, 0, 0, TimeSpan.Zero);
        Write("a", 5000, seed: 1, now.UtcDateTime.AddMinutes(-10).AddMilliseconds(100));
        await trip.WriteAsync(trip.Options with { Time = now });
        Write("a", 5000, seed: 2, now.UtcDateTime.AddMinutes(-10).AddMilliseconds(900));

        BackupWriterReport second = await trip.WriteAsync();

        Assert.Equal((0L, 5000L), (second.UnchangedFiles, second.BytesRead));
        trip.AssertLikeSource(await trip.RestoreAsync());
    }

    [Fact]
    public async Task A_file_whose_time_was_set_back_after_a_change_is_read_again()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Only Linux has a time that no program sets.");
        Write("container", 5000, seed: 1);
        await trip.WriteAsync(trip.Options with { Time = TimeProvider.System.GetUtcNow().AddHours(-1) });
        Write("container", 5000, seed: 2);

        BackupWriterReport second = await trip.WriteAsync();

        Assert.Equal((0L, 5000L), (second.UnchangedFiles, second.BytesRead));
        trip.AssertLikeSource(await trip.RestoreAsync());
    }

    [Fact]
    public async Task A_file_with_another_mode_is_read_again_as_it_may_be_another_file()
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "Windows has no modes.");
        DateTimeOffset later = TimeProvider.System.GetUtcNow().AddHours(1);
        Write("a", 5000, seed: 1);
        await trip.WriteAsync(trip.Options with { Time = later });
        Write("a", 5000, seed: 2);
        Native.SetMode(In("a"), 0x1C0);

        BackupWriterReport second = await trip.WriteAsync(trip.Options with { Time = later.AddHours(1) });

        Assert.Equal((0L, 5000L), (second.UnchangedFiles, second.BytesRead));
        trip.AssertLikeSource(await trip.RestoreAsync(warns: true));
    }

    [Fact]
    public async Task A_version_that_follows_one_of_the_future_says_so()
    {
        Write("a", 5000, seed: 1);
        await trip.WriteAsync(trip.Options with { Time = TimeProvider.System.GetUtcNow().AddDays(100) });
        Write("a", 5000, seed: 2, Old.AddHours(1));

        BackupWriterReport second = await trip.WriteAsync();

        Assert.Contains(
            second.Issues,
            issue =>
                issue.Kind == IssueKind.Warning
                && issue.Reason.StartsWith("The newest version before is of ", StringComparison.Ordinal)
        );
    }

    [Theory]
    [InlineData("dblock")]
    [InlineData("dindex")]
    [InlineData("both")]
    public async Task A_file_whose_blocks_are_not_all_there_is_read_again(string lost)
    {
        Write("large", 50_000, seed: 1);
        Write("small", 500, seed: 2);
        await trip.WriteAsync();
        bool IsLost(string path) =>
            path.Contains(lost, StringComparison.Ordinal)
            || (lost == "both" && !path.Contains("dlist", StringComparison.Ordinal));
        foreach (string volume in trip.VolumesOf("*").Where(IsLost))
        {
            File.Delete(volume);
        }

        BackupWriterReport second = await trip.WriteAsync();

        Assert.Equal((0L, 50_500L), (second.UnchangedFiles, second.BytesRead));
        trip.AssertLikeSource(await trip.RestoreAsync(warns: true));
    }

    [Fact]
    public async Task One_lost_volume_costs_reading_only_the_files_that_need_it()
    {
        for (int file = 0; file < 8; file++)
        {
            Write($"f{file}", 40_000, seed: file);
        }

        await trip.WriteAsync(trip.Options with { VolumeSizeBytes = 100_000, Concurrency = 1 });
        string[] volumes = [.. trip.VolumesOf("dblock")];
        Assert.True(volumes.Length > 2, "the test needs several volumes");
        File.Delete(volumes[0]);

        BackupWriterReport second = await trip.WriteAsync();

        Assert.InRange(second.UnchangedFiles, 1, 7);
        trip.AssertLikeSource(await trip.RestoreAsync(warns: true));
    }

    [Fact]
    public async Task A_damaged_newest_list_costs_reading_everything_and_no_version()
    {
        Write("a", 5000, seed: 1);
        await trip.WriteAsync();
        string list = trip.VolumesOf("dlist").Single();
        await File.WriteAllBytesAsync(list, File.ReadAllBytes(list)[..^100], TestContext.Current.CancellationToken);

        BackupWriterReport second = await trip.WriteAsync(trip.Options with { BlockSizeBytes = null });

        Assert.Equal((0L, 5000L, 0L), (second.UnchangedFiles, second.BytesRead, second.NewBlocks));
        Assert.StartsWith(
            "The newest file list cannot be used, so every file is read: ",
            Assert.Single(second.Issues).Reason,
            StringComparison.Ordinal
        );
        trip.AssertLikeSource(await trip.RestoreAsync(version: 0));
    }

    [Fact]
    public async Task Block_size_and_hashes_are_those_of_the_backup_unless_asked_for()
    {
        Write("a", 5000, seed: 1);
        await trip.WriteAsync(trip.Options with { BlockSizeBytes = 2048, BlockHash = "SHA1", FileHash = "MD5" });
        Write("b", 5000, seed: 2);

        BackupWriterReport second = await trip.WriteAsync(trip.Options with { BlockSizeBytes = null });

        Assert.Equal(1, second.UnchangedFiles);
        trip.AssertLikeSource(await trip.RestoreAsync());
    }

    [Theory]
    [InlineData(HardlinkPolicy.All, 3)]
    [InlineData(HardlinkPolicy.First, 2)]
    [InlineData(HardlinkPolicy.None, 1)]
    public async Task Names_of_one_file_are_taken_as_the_policy_says(HardlinkPolicy policy, int files)
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Only Linux says which names are of one file.");
        Write("a", 100, seed: 1);
        Write("other", 100, seed: 2);
        using (System.Diagnostics.Process link = System.Diagnostics.Process.Start("ln", [In("a"), In("b")]))
        {
            await link.WaitForExitAsync(TestContext.Current.CancellationToken);
        }

        BackupWriterReport report = await trip.WriteAsync(trip.Options with { Hardlinks = policy });

        Assert.Equal(files, report.Files);
    }

    [Fact]
    public async Task Types_that_are_compressed_already_are_stored()
    {
        File.WriteAllBytes(In("a.JPG"), new byte[5000]);
        BackupWriterReport stored = await trip.WriteAsync();
        Directory.Delete(trip.Destination, recursive: true);
        BackupWriterReport compressed = await trip.WriteAsync(trip.Options with { StoredExtensions = [] });

        Assert.True(stored.BytesWritten > compressed.BytesWritten + 900, "a block of zeros compresses");
        trip.AssertLikeSource(await trip.RestoreAsync());
    }

    [Fact]
    public async Task Following_links_that_lead_upwards_ends()
    {
        Directory.CreateDirectory(In("sub"));
        Write("sub/a", 100, seed: 1);
        Directory.CreateSymbolicLink(In("sub/up"), trip.Source);
        Directory.CreateSymbolicLink(In("twice"), In("sub"));

        BackupWriterReport report = await trip.WriteAsync(trip.Options with { Symlinks = SymlinkPolicy.Follow });

        Assert.Equal(2, report.Files);
    }

    private string In(string name) => Path.Combine(trip.Source, name);

    private void Write(string name, int length, int seed, DateTime? time = null)
    {
        File.WriteAllBytes(In(name), SourceTree.Bytes(new Random(seed), length));
        File.SetLastWriteTimeUtc(In(name), time ?? Old);
    }
}
