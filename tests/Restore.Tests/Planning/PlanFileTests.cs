using System.Security.Cryptography;
using System.Text;
using Restore.Tests.FixtureTests;
using Restore.Tests.Support;
using Restore.Tests.Writing;

namespace Restore.Tests.Planning;

/// <summary>
/// A plan is a value: it can be saved, loaded elsewhere and executed against the backup, opened
/// again.
/// </summary>
public sealed class PlanFileTests : IDisposable
{
    private readonly TempFolder folder = new();
    private readonly DateTime begun = TimeProvider.System.GetUtcNow().UtcDateTime.AddMinutes(-1);

    public static TheoryData<string> Backups() =>
        ["plain-1mb", "aes-100kb", "blocklists-1kb", "damaged/dblock-truncated-plain", "hostile/names-odd"];

    [Theory]
    [MemberData(nameof(Backups))]
    public async Task A_loaded_plan_restores_what_the_saved_one_would(string fixture)
    {
        FixtureBackup backup = FixtureCatalog.BackupsOf(fixture).Single();
        RestorePlan saved = await PlanAsync(backup, "direct");
        RestorePlan loaded = Reload(await PlanAsync(backup, "loaded"));
        Assert.Equal(Numbers(saved), Numbers(loaded));
        Assert.Equal(saved.Volumes, loaded.Volumes);

        RestoreReport direct = await ExecuteAsync(backup, saved);
        RestoreReport report = await ExecuteAsync(backup, loaded);

        Assert.Equal(Sentences(direct), Sentences(report));
        Assert.Equal(direct.FilesRestored, report.FilesRestored);
        Assert.Equal(FileFacts(Path.Combine(folder.Path, "direct")), FileFacts(Path.Combine(folder.Path, "loaded")));
    }

    [Fact]
    public async Task What_is_at_the_target_already_is_part_of_the_plan()
    {
        FixtureBackup backup = FixtureCatalog.BackupsOf("blocklists-1kb").Single();
        await ExecuteAsync(backup, await PlanAsync(backup, "target"));
        string biggest = FilesBelow(Path.Combine(folder.Path, "target")).MaxBy(file => new FileInfo(file).Length)!;
        byte[] right = File.ReadAllBytes(biggest);
        File.WriteAllBytes(biggest, [.. right.AsSpan(0, 5000), (byte)~right[5000], .. right.AsSpan(5001)]);

        RestorePlan plan = Reload(await PlanAsync(backup, "target", overwrite: true));
        RestoreReport report = await ExecuteAsync(backup, plan);

        Assert.Equal((right.Length, plan.Bytes - 1024), (report.BytesWritten, report.BytesReused));
        Assert.Equal(right, File.ReadAllBytes(biggest));
    }

    [Fact]
    public async Task What_is_restored_is_part_of_the_plan_and_how_is_not()
    {
        FixtureBackup fixture = FixtureCatalog.BackupsOf("plain-1mb").Single();
        await using Backup backup = await Backup.OpenAsync(fixture.Location, fixture.Options());
        RestoreOptions options = new()
        {
            Target = folder.Path,
            TrustTimes = true,
            SalvageVersions = true,
            AllowRestoreOutsideTargetDirectory = true,
        };
        ExecuteOptions execution = new()
        {
            Profile = true,
            SkipFlush = true,
            VerifyAfter = true,
            Tuning = new()
            {
                RangeReads = RangeReads.Always,
                RequestCostBytes = 1,
                PreallocateSize = true,
                FileProcessors = 2,
                VolumeDownloaders = 3,
                VolumeDecryptors = 4,
                VolumeDecompressors = 5,
                ChannelBufferSize = 6,
                CacheMaxBytes = 7,
                CacheEvictPercent = 8,
                VolumeCacheHintBytes = 9,
            },
        };

        RestorePlan plan = await backup.PlanAsync(backup.Versions[0], options, execution);
        byte[] saved = Save(plan);
        RestorePlan loaded = Reload(plan);

        Assert.Equal(options, loaded.Options);
        Assert.Equal(saved, Save(loaded));
        string head = Encoding.UTF8.GetString(saved, 16, BitConverter.ToInt32(saved, 12));
        Assert.DoesNotContain("Tuning", head, StringComparison.Ordinal);
        Assert.DoesNotContain("Flush", head, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_plan_runs_with_the_options_of_the_machine_that_executes_it()
    {
        FixtureBackup fixture = FixtureCatalog.BackupsOf("plain-1mb").Single();
        RestorePlan plan = Reload(await PlanAsync(fixture, "target"));
        await using Backup backup = await Backup.OpenAsync(fixture.Location, fixture.Options());
        RestoreTuning tuning = new()
        {
            FileProcessors = 3,
            VolumeDecompressors = 2,
            CacheMaxBytes = 0,
        };
        RestoreReport report = await backup.ExecuteAsync(
            plan,
            new ExecuteOptions
            {
                Tuning = tuning,
                Profile = true,
                SkipFlush = true,
            }
        );
        Assert.Equal(plan.Files, report.FilesRestored);
        Assert.Equal(3, report.Profile.Single(row => row.Process == "FileProcessor").Copies);
        Assert.DoesNotContain(report.Phases, phase => phase.Phase == RestorePhase.Flushing);
    }

    [Fact]
    public async Task A_plan_saved_and_loaded_on_other_threads_is_the_same()
    {
        RestorePlan plan = await PlanAsync(FixtureCatalog.BackupsOf("plain-1mb").Single(), "target");
        using MemoryStream stream = new();
        await plan.SaveAsync(stream, TestContext.Current.CancellationToken);
        Assert.Equal(Save(plan), stream.ToArray());
        stream.Position = 0;
        RestorePlan loaded = await RestorePlan.LoadAsync(stream, TestContext.Current.CancellationToken);
        Assert.Equal(Save(plan), Save(loaded));
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() =>
            plan.SaveAsync(stream, new CancellationToken(canceled: true))
        );
    }

    [Fact]
    public async Task A_relative_target_is_that_of_the_folder_where_the_plan_was_made()
    {
        FixtureBackup fixture = FixtureCatalog.BackupsOf("plain-1mb").Single();
        await using Backup backup = await Backup.OpenAsync(fixture.Location, fixture.Options());
        RestorePlan plan = Reload(await backup.PlanAsync(backup.Versions[0], new RestoreOptions { Target = "out" }));
        Assert.Equal(Path.GetFullPath("out"), plan.Target);
        Assert.True(plan.Covers(Path.GetFullPath("out/file")));
        Assert.Throws<ArgumentException>(() => plan.Covers("out/file"));
    }

    [Fact]
    public async Task A_plan_that_is_cut_or_changed_anywhere_is_refused()
    {
        FixtureBackup backup = FixtureCatalog.BackupsOf("plain-1mb").Single();
        byte[] saved = Save(await PlanAsync(backup, "target"));
        Random random = new(1);
        for (int i = 0; i < 200; i++)
        {
            byte[] damaged = i % 2 == 0 ? saved[..random.Next(saved.Length)] : [.. saved];
            if (i % 2 == 1)
            {
                damaged[random.Next(damaged.Length)] ^= (byte)(1 << random.Next(8));
            }

            RestoreException refusal = Refusal(damaged);
            Assert.Equal(RestoreErrorCode.PlanDamaged, refusal.Code);
            Assert.StartsWith("The plan cannot be read: ", refusal.Message, StringComparison.Ordinal);
        }
    }

    [Fact]
    public async Task A_text_of_an_impossible_length_is_damage_like_any_other()
    {
        RestorePlan plan = await PlanAsync(FixtureCatalog.BackupsOf("damaged/dblock-missing-plain").Single(), "target");
        byte[] saved = Save(plan);

        // The name of a lost volume is the last text: its length, in one byte, is before it.
        int length = saved.Length - SHA256.HashSizeInBytes - plan.Pass.Locations.Absent[^1].VolumeName.Length - 1;
        saved.AsSpan(length, 5).Fill(0xFF);
        Assert.Equal("The plan cannot be read: Its checksum is wrong", Refusal(saved).Message);
        SHA256.HashData(saved.AsSpan(..^32), saved.AsSpan(^32));
        Assert.Equal(RestoreErrorCode.PlanDamaged, Refusal(saved).Code);
    }

    [Fact]
    public async Task A_head_that_lacks_something_is_refused()
    {
        byte[] saved = Save(await PlanAsync(FixtureCatalog.BackupsOf("plain-1mb").Single(), "target"));
        int length = BitConverter.ToInt32(saved, 12);
        string head = Encoding.UTF8.GetString(saved, 16, length);
        string hostile = head.Replace("\"Renamed\":[]", "\"Renamed\":null", StringComparison.Ordinal);
        Assert.NotEqual(head, hostile);
        byte[] plan =
        [
            .. saved[..12],
            .. BitConverter.GetBytes(hostile.Length),
            .. Encoding.UTF8.GetBytes(hostile),
            .. saved[(16 + length)..],
        ];
        SHA256.HashData(plan.AsSpan(..^32), plan.AsSpan(^32));
        Assert.Equal("The plan cannot be read: Its head lacks something", Refusal(plan).Message);
    }

    [Fact]
    public async Task Impossible_numbers_under_a_right_checksum_end_in_an_error_and_take_no_memory()
    {
        FixtureBackup backup = FixtureCatalog.BackupsOf("blocklists-1kb").Single();
        byte[] saved = Save(await PlanAsync(backup, "target"));
        int head = BitConverter.ToInt32(saved, 12);
        Random random = new(1);
        int refused = 0;
        for (int i = 0; i < 100; i++)
        {
            byte[] hostile = [.. saved];
            BitConverter.TryWriteBytes(
                hostile.AsSpan(i == 0 ? 12 : random.Next(16 + head, saved.Length - 36)),
                int.MaxValue >> random.Next(4)
            );
            SHA256.HashData(hostile.AsSpan(..^32), hostile.AsSpan(^32));
            long before = GC.GetAllocatedBytesForCurrentThread();
            try
            {
                RestorePlan.Load(new MemoryStream(hostile));
            }
            catch (RestoreException refusal) when (refusal.Code == RestoreErrorCode.PlanDamaged)
            {
                refused++;
            }

            Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 0, 16 << 20);
        }

        Assert.InRange(refused, 5, 100);
    }

    [Fact]
    public void A_file_that_is_no_plan_is_called_so()
    {
        RestoreException refusal = Refusal(new byte[1000]);
        Assert.Equal("The plan cannot be read: It is not a plan", refusal.Message);
    }

    [Fact]
    public async Task A_plan_of_an_earlier_version_of_the_program_is_called_so()
    {
        byte[] saved = Save(await PlanAsync(FixtureCatalog.BackupsOf("plain-1mb").Single(), "target"));
        saved[7] = (byte)'1';
        Assert.Equal(
            "The plan cannot be read: Another version of this program saved it: make a new plan",
            Refusal(saved).Message
        );
    }

    [Fact]
    public async Task A_plan_holds_no_passphrase()
    {
        FixtureBackup backup = FixtureCatalog.BackupsOf("aes-100kb").Single();
        string text = Encoding.Latin1.GetString(Save(await PlanAsync(backup, "target")));
        Assert.DoesNotContain(backup.Options().Passphrase!, text, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_loaded_plan_is_refused_before_it_writes_if_the_passphrase_is_wrong_or_missing()
    {
        FixtureBackup fixture = FixtureCatalog.BackupsOf("aes-100kb").Single();
        RestorePlan plan = Reload(await PlanAsync(fixture, "target"));
        await AssertRefusedAsync(
            RestoreErrorCode.WrongPassphrase,
            fixture.Location,
            new BackupOptions { Passphrase = "wrong" },
            plan
        );
        await AssertRefusedAsync(RestoreErrorCode.PassphraseMissing, fixture.Location, new BackupOptions(), plan);
    }

    [Fact]
    public async Task A_loaded_plan_is_executed_although_the_smallest_volumes_were_planted_with_another_passphrase()
    {
        FixtureBackup fixture = FixtureCatalog.BackupsOf("aes-100kb").Single();
        RestorePlan plan = Reload(await PlanAsync(fixture, "target"));
        string copy = Path.Combine(folder.Path, "copy");
        Directory.CreateDirectory(copy);
        foreach (string file in Directory.GetFiles(fixture.Location))
        {
            File.Copy(file, Path.Combine(copy, Path.GetFileName(file)));
        }

        using RoundTrip other = new();
        await File.WriteAllTextAsync(Path.Combine(other.Source, "a"), "a", TestContext.Current.CancellationToken);
        await other.WriteAsync(other.Options with { Passphrase = "other" });
        for (int i = 0; i < 4; i++)
        {
            File.Copy(other.VolumesOf("dindex").Single(), Path.Combine(copy, $"duplicati-i{i:x32}.dindex.zip.aes"));
        }

        await AssertRefusedAsync(
            RestoreErrorCode.WrongPassphrase,
            copy,
            new BackupOptions { Passphrase = "wrong" },
            plan
        );
        await using Backup backup = await Backup.OpenAsync(copy, fixture.Options());
        RestoreReport report = await backup.ExecuteAsync(plan);
        Assert.True(report.FilesRestored > 0);
        Assert.All(report.Issues, issue => Assert.Equal(IssueCode.LinkOutsideTarget, issue.Code));
    }

    [Fact]
    public async Task A_loaded_plan_is_refused_before_it_writes_if_it_belongs_to_another_backup()
    {
        RestorePlan plan = Reload(await PlanAsync(FixtureCatalog.BackupsOf("plain-1mb").Single(), "target"));
        FixtureBackup other = FixtureCatalog.BackupsOf("blocklists-1kb").Single();
        await AssertRefusedAsync(RestoreErrorCode.PlanBackupOther, other.Location, other.Options(), plan);
    }

    [Fact]
    public async Task A_loaded_plan_is_refused_before_it_writes_if_its_version_is_gone()
    {
        FixtureBackup fixture = FixtureCatalog.BackupsOf("plain-1mb").Single();
        RestorePlan plan = Reload(await PlanAsync(fixture, "target"));
        string copy = Path.Combine(folder.Path, "copy");
        Directory.CreateDirectory(copy);
        foreach (
            string file in Directory
                .GetFiles(fixture.Location)
                .Where(file => Path.GetFileName(file) != plan.Version.FileListName)
        )
        {
            File.Copy(file, Path.Combine(copy, Path.GetFileName(file)));
        }

        await AssertRefusedAsync(RestoreErrorCode.PlanVersionGone, copy, fixture.Options(), plan);
    }

    public void Dispose() => folder.Dispose();

    private async Task AssertRefusedAsync(string code, string location, BackupOptions options, RestorePlan plan)
    {
        await using Backup backup = await Backup.OpenAsync(location, options);
        RestoreException refusal = await Assert.ThrowsAsync<RestoreException>(() => backup.ExecuteAsync(plan));
        Assert.Equal(code, refusal.Code);
        Assert.False(Directory.Exists(Path.Combine(folder.Path, "target")));
        Assert.Equal(0, backup.Pool.OutstandingBuffers);
    }

    private static byte[] Save(RestorePlan plan)
    {
        using MemoryStream stream = new();
        plan.Save(stream);
        return stream.ToArray();
    }

    private static RestoreException Refusal(byte[] plan) =>
        Assert.Throws<RestoreException>(() => RestorePlan.Load(new MemoryStream(plan)));

    private static RestorePlan Reload(RestorePlan plan) => RestorePlan.Load(new MemoryStream(Save(plan)));

    private static object Numbers(RestorePlan plan) =>
        (
            plan.Files,
            plan.Folders,
            plan.Symlinks,
            plan.Bytes,
            plan.BytesToWrite,
            plan.BytesToFetch,
            plan.Requests,
            plan.Version.FileListName,
            plan.Location
        );

    private static string[] Sentences(RestoreReport report) =>
        [.. report.Issues.Select(issue => $"{issue.Kind} {issue.Path} {issue.Reason}")];

    private SortedDictionary<string, string> FileFacts(string root) =>
        new(
            FilesBelow(root)
                .ToDictionary(
                    file => Path.GetRelativePath(root, file),
                    file => Convert.ToHexString(SHA256.HashData(File.ReadAllBytes(file))) + TimeOf(file)
                ),
            StringComparer.Ordinal
        );

    // A file whose metadata is lost has the time of its restore, and the two restores are not at
    // the same time.
    private string TimeOf(string file) =>
        File.GetLastWriteTimeUtc(file) is DateTime time && time < begun ? $" {time.Ticks}" : " now";

    // Links are left out, and not followed: some of the fixtures' point to a folder above them.
    private static string[] FilesBelow(string root) =>
        Directory.GetFiles(
            root,
            "*",
            new EnumerationOptions { RecurseSubdirectories = true, AttributesToSkip = FileAttributes.ReparsePoint }
        );

    private static async Task<RestoreReport> ExecuteAsync(FixtureBackup fixture, RestorePlan plan)
    {
        await using Backup backup = await Backup.OpenAsync(fixture.Location, fixture.Options());
        RestoreReport report = await backup.ExecuteAsync(plan);
        Assert.Equal(0, backup.Pool.OutstandingBuffers);
        return report;
    }

    private async Task<RestorePlan> PlanAsync(FixtureBackup fixture, string target, bool overwrite = false)
    {
        await using Backup backup = await Backup.OpenAsync(fixture.Location, fixture.Options());
        return await backup.PlanAsync(
            backup.Versions[0],
            new RestoreOptions { Target = Path.Combine(folder.Path, target), Overwrite = overwrite }
        );
    }
}
