using System.IO.Compression;
using System.Runtime.Versioning;
using System.Security.Cryptography;

namespace Restore.Tests.Writing;

/// <summary>
/// "Everything is in the backup" is said only of what was looked at and stored whole.
/// </summary>
public sealed class WholeContentTests : IDisposable
{
    private readonly RoundTrip trip = new();

    public void Dispose() => trip.Dispose();

    [Fact]
    public async Task A_file_whose_status_says_no_length_is_read_to_its_end()
    {
        Assert.SkipUnless(File.Exists("/proc/version"), "This system has no such file");

        BackupWriterReport report = await trip.WriteAsync(
            trip.Options with
            {
                Sources = ["/proc/version"],
                SkipMetadata = true,
            }
        );

        Assert.Empty(report.Issues);
        string restored = Assert.Single(
            Directory.GetFiles(await trip.RestoreAsync(warns: true), "version", SearchOption.AllDirectories)
        );
        Assert.Equal(File.ReadAllText("/proc/version"), File.ReadAllText(restored));
    }

    [Fact]
    public async Task A_file_whose_status_says_too_great_a_length_is_whole_if_it_is_the_same_each_time()
    {
        const string Online = "/sys/devices/system/cpu/online";
        Assert.SkipUnless(
            File.Exists(Online) && new FileInfo(Online).Length > File.ReadAllText(Online).Length,
            "This system has no such file"
        );

        BackupWriterReport report = await trip.WriteAsync(
            trip.Options with
            {
                Sources = [Online],
                SkipMetadata = true,
            }
        );

        Assert.Empty(report.Issues);
        string restored = Assert.Single(
            Directory.GetFiles(await trip.RestoreAsync(warns: true), "online", SearchOption.AllDirectories)
        );
        Assert.Equal(File.ReadAllText(Online), File.ReadAllText(restored));
    }

    [Fact]
    public async Task A_file_of_several_blocks_whose_status_says_no_length_is_read_to_its_end()
    {
        Assert.SkipUnless(
            File.Exists("/proc/cpuinfo") && File.ReadAllBytes("/proc/cpuinfo").Length > 1024,
            "This system has no such file"
        );

        BackupWriterReport report = await trip.WriteAsync(
            trip.Options with
            {
                Sources = ["/proc/cpuinfo"],
                SkipMetadata = true,
            }
        );

        Assert.True(report.Bytes > 1024, $"{report.Bytes} bytes");
        await trip.RestoreAsync(warns: true);
    }

    [Fact]
    public async Task Many_extended_attributes_with_long_names_come_back()
    {
        using AttributePlace place = new();
        for (int i = 0; i < 30; i++)
        {
            SourceTree.SetAttribute(place.File1, $"user.{new string('n', 200)}{i}", [1]);
        }

        BackupWriterReport report = await trip.WriteAsync(
            trip.Options with
            {
                Sources = [place.File1],
                BlockSizeBytes = 100 << 10,
            }
        );

        Assert.Empty(report.Issues);
        string restored = await RestoreAsync(place);
        Assert.Equal(FileFacts.ExtendedAttributes(place.File1), FileFacts.ExtendedAttributes(restored));
        Assert.Contains(
            $"user.{new string('n', 200)}29",
            FileFacts.ExtendedAttributes(restored),
            StringComparison.Ordinal
        );
    }

    [Fact]
    [UnsupportedOSPlatform("windows")]
    public async Task Of_metadata_that_is_too_long_only_the_longest_attribute_is_left_out_and_named()
    {
        using AttributePlace place = new();
        for (int i = 0; i < 6; i++)
        {
            SourceTree.SetAttribute(place.File1, $"user.a{i}", new byte[500]);
        }

        // A blocklist of 1 KiB has 16 hashes of 64 bytes: metadata can have 16 KiB.
        SourceTree.SetAttribute(place.File1, "user.longest", new byte[14_000]);
        File.SetUnixFileMode(place.File1, UnixFileMode.UserRead | UnixFileMode.UserWrite);
        File.SetLastWriteTimeUtc(place.File1, new DateTime(2020, 1, 2, 3, 4, 5, DateTimeKind.Utc));
        BackupWriterReport report = await trip.WriteAsync(
            trip.Options with
            {
                Sources = [place.File1],
                BlockHash = "SHA512",
            }
        );

        RestoreIssue issue = Assert.Single(report.Issues);
        Assert.Equal((IssueKind.Damaged, place.File1), (issue.Kind, issue.Path));
        Assert.Contains("user.longest of 14,000 bytes", issue.Reason, StringComparison.Ordinal);
        string restored = await RestoreAsync(place);
        Assert.Equal(File.GetLastWriteTimeUtc(place.File1), File.GetLastWriteTimeUtc(restored));
        Assert.Equal(File.GetUnixFileMode(place.File1), File.GetUnixFileMode(restored));
        Assert.Contains("user.a5", FileFacts.ExtendedAttributes(restored), StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_path_that_no_restore_takes_is_refused_by_name_and_the_rest_can_be_verified()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Only Linux has folders that no path reaches");
        string upper = Chain(trip.Source, 'u', 3900 - trip.Source.Length);
        string lower = Chain(Path.Join(trip.Folder, "lower"), 'l', 700);
        File.WriteAllText(Path.Join(lower, "deep"), "deep");
        File.WriteAllText(Path.Join(trip.Source, "file"), "x");
        string moved = Path.Join(upper, "l");
        Directory.Move(Path.Join(trip.Folder, "lower"), moved);
        try
        {
            BackupWriterReport report = await trip.WriteAsync();

            RestoreIssue issue = Assert.Single(report.Issues);
            Assert.Equal(IssueKind.Missing, issue.Kind);
            Assert.Contains("Its path has 4,", issue.Reason, StringComparison.Ordinal);
            await using Backup backup = await Backup.OpenAsync(trip.Destination);
            RestoreReport verified = await backup.ExecuteAsync(
                await backup.PlanAsync(backup.GetVersion(0), new RestoreOptions { VerifyOnly = true })
            );
            Assert.True(verified.IsComplete, string.Join('\n', verified.Issues));
        }
        finally
        {
            Directory.Move(moved, Path.Join(trip.Folder, "lower"));
        }
    }

    [Fact]
    public async Task A_blocklist_that_is_the_content_of_a_file_too_is_copied_into_an_index_volume()
    {
        byte[] two = SourceTree.Bytes(new Random(1), 2000);
        byte[] list = [.. SHA256.HashData(two.AsSpan(0, 1024)), .. SHA256.HashData(two.AsSpan(1024))];
        File.WriteAllBytes(Path.Join(trip.Source, "list"), list);
        await trip.WriteAsync();
        File.WriteAllBytes(Path.Join(trip.Source, "two"), two);
        await trip.WriteAsync();
        string[] copies = CopiesIn(trip);
        File.WriteAllBytes(Path.Join(trip.Source, "again"), two);
        BackupWriterReport third = await trip.WriteAsync();

        Assert.Contains(
            "list/" + Convert.ToBase64String(SHA256.HashData(list)).Replace('+', '-').Replace('/', '_'),
            copies
        );
        Assert.Equal(1, third.NewBlocks - 1);
        trip.AssertLikeSource(await trip.RestoreAsync());
    }

    private static string[] CopiesIn(RoundTrip trip) =>
        [
            .. trip.VolumesOf("dindex")
                .SelectMany(path =>
                {
                    using ZipArchive zip = ZipFile.OpenRead(path);
                    return zip.Entries.Select(entry => entry.FullName).ToArray();
                }),
        ];

    /// <summary>A chain of folders whose path is about so much longer.</summary>
    private static string Chain(string from, char letter, int length)
    {
        string path = from;
        while (path.Length + 101 < from.Length + length)
        {
            path = Path.Join(path, new string(letter, 100));
        }

        Directory.CreateDirectory(path);
        return path;
    }

    private async Task<string> RestoreAsync(AttributePlace place)
    {
        await using Backup backup = await Backup.OpenAsync(trip.Destination);
        RestoreOptions options = new() { Target = place.Target, RestorePermissions = true };
        RestoreReport report = await backup.ExecuteAsync(await backup.PlanAsync(backup.GetVersion(0), options));
        Assert.True(report.IsComplete && report.Issues.Count == 0, string.Join('\n', report.Issues));
        return Assert.Single(Directory.GetFiles(place.Target, "file", SearchOption.AllDirectories));
    }

    /// <summary>
    /// A folder in memory, whose files take long attributes, as those of XFS and Btrfs do.
    /// </summary>
    private sealed class AttributePlace : IDisposable
    {
        private readonly string folder = $"/dev/shm/restore-test-{Guid.NewGuid():N}";

        public AttributePlace()
        {
            Assert.SkipUnless(
                OperatingSystem.IsLinux() && Directory.Exists("/dev/shm"),
                "This system has no folder in memory"
            );
            Directory.CreateDirectory(folder);
            File.WriteAllText(File1, "x");
            try
            {
                SourceTree.SetAttribute(File1, "user.probe", new byte[14_000]);
            }
            catch (Xunit.Sdk.XunitException)
            {
                Dispose();
                Assert.Skip("The folder in memory takes no long attributes");
            }

            File.Delete(File1);
            File.WriteAllText(File1, "x");
        }

        public string File1 => Path.Join(folder, "file");

        public string Target => Path.Join(folder, "target");

        public void Dispose() => Directory.Delete(folder, recursive: true);
    }
}
