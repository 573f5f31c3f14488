using System.IO.Compression;
using System.Text;
using Restore.Tests.Ends;
using Restore.Writing.Source;

namespace Restore.Tests.Writing;

/// <summary>
/// What the file system says of an entry goes into its metadata, in Duplicati's words.
/// </summary>
public sealed class MetadataTests
{
    [Fact]
    public async Task Metadata_has_the_keys_of_Duplicati_in_their_order()
    {
        using RoundTrip trip = new();
        string file = Path.Combine(trip.Source, ".hidden");
        File.WriteAllText(file, "x");
        SourceTree.SetAttribute(file, "user.note", "hi"u8.ToArray());
        Native.SetMode(file, 0b110_100_000);
        DateTime written = new DateTime(2021, 5, 6, 7, 8, 9, DateTimeKind.Utc).AddTicks(1234567);
        File.SetLastWriteTimeUtc(file, written);
        File.CreateSymbolicLink(Path.Combine(trip.Source, "link"), "../else where");
        FileFacts facts = FileFacts.Of(file);

        await trip.WriteAsync();

        string[] blobs = Blobs(trip);
        string owner = $"\"unix:uid-gid-perm\":\"{facts.Owner.User}-{facts.Owner.Group}-416\"";
        string time = $"\"CoreLastWritetime\":\"{written.Ticks}\",\"CoreCreatetime\":\"{written.Ticks}\"}}";
        string blob = Assert.Single(blobs, one => one.Contains("user.note", StringComparison.Ordinal));
        Assert.StartsWith("{\"unix-ext:user.note\":\"aGk=\"," + owner, blob, StringComparison.Ordinal);
        Assert.EndsWith(",\"CoreAttributes\":\"Hidden\"," + time, blob, StringComparison.Ordinal);
        string link = Assert.Single(blobs, one => one.Contains("CoreSymlinkTarget", StringComparison.Ordinal));
        Assert.Contains("\"CoreAttributes\":\"ReparsePoint\"", link, StringComparison.Ordinal);
        Assert.EndsWith(",\"CoreSymlinkTarget\":\"../else where\"}", link, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Access_lists_and_attributes_without_a_value_come_back()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Access lists of this kind are of Linux");
        using RoundTrip trip = new();
        string file = Path.Combine(trip.Source, "file");
        string folder = Path.Combine(trip.Source, "folder");
        File.WriteAllText(file, "x");
        Directory.CreateDirectory(folder);
        byte[] list = Native.AccessList((1, 6, ~0u), (2, 7, 77), (4, 4, ~0u), (0x10, 7, ~0u), (0x20, 4, ~0u));
        SourceTree.SetAttribute(file, "system.posix_acl_access", list);
        SourceTree.SetAttribute(file, "user.empty", []);
        SourceTree.SetAttribute(folder, "system.posix_acl_access", list);
        SourceTree.SetAttribute(folder, "system.posix_acl_default", list);
        Assert.Equal(0b110_111_100, Native.Mode(file));

        await trip.WriteAsync();

        string blob = Assert.Single(Blobs(trip), one => one.Contains("user.empty", StringComparison.Ordinal));
        Assert.Contains(
            $"\"unix-ext:system.posix_acl_access\":\"{Convert.ToBase64String(list)}\"",
            blob,
            StringComparison.Ordinal
        );
        Assert.Contains("\"unix-ext:user.empty\":\"\"", blob, StringComparison.Ordinal);
        string target = await trip.RestoreAsync();
        trip.AssertLikeSource(target);
        string restored = Directory.EnumerateFiles(target, "file", SearchOption.AllDirectories).Single();
        Assert.Contains(
            $"system.posix_acl_access={Convert.ToBase64String(list)}",
            FileFacts.ExtendedAttributes(restored),
            StringComparison.Ordinal
        );
    }

    [Fact]
    public async Task Pipes_are_left_out_and_named()
    {
        using RoundTrip trip = new();
        string pipe = Path.Combine(trip.Source, "pipe");
        Native.Fifo(pipe);
        File.WriteAllText(Path.Combine(trip.Source, "file"), "x");

        BackupWriterReport report = await trip.WriteAsync();

        RestoreIssue issue = Assert.Single(report.Issues);
        Assert.Equal(
            (IssueKind.Warning, pipe, "It is a pipe, a socket or a device, which a backup cannot hold"),
            (issue.Kind, issue.Path, issue.Reason)
        );
        Assert.Equal(1, report.Files);
    }

    [Fact]
    public async Task Metadata_of_several_blocks_comes_back()
    {
        using RoundTrip trip = new();
        string file = Path.Combine(trip.Source, "file");
        File.WriteAllText(file, "x");

        // With MD5 a blocklist of 1 KiB holds 64 hashes, with SHA512 16: 16 KiB of metadata at
        // most.
        for (int i = 0; i < 4; i++)
        {
            SourceTree.SetAttribute(file, $"user.a{i}", new byte[900]);
        }

        await trip.WriteAsync(trip.Options with { BlockHash = "SHA512" });

        trip.AssertLikeSource(await trip.RestoreAsync());
        Assert.DoesNotContain("{}", Blobs(trip));
    }

    [Fact]
    public void Attributes_are_those_of_the_runtime_for_every_mode_of_own_files_and_of_others()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Modes are of Linux");
        using TempFolder folder = new();
        string[] paths =
        [
            Path.Join(folder.Path, "file"),
            Path.Join(folder.Path, ".file"),
            Path.Join(folder.Path, "folder"),
            Path.Join(folder.Path, ".folder"),
        ];
        File.WriteAllText(paths[0], "x");
        File.WriteAllText(paths[1], "x");
        Directory.CreateDirectory(paths[2]);
        Directory.CreateDirectory(paths[3]);

        Compare(paths);
        if (Array.TrueForAll(paths, path => Native.TryGive(path, owner: 12345)))
        {
            Compare(paths);
        }
    }

    private static void Compare(string[] paths)
    {
        foreach (string path in paths)
        {
            for (int mode = 0; mode < 512; mode++)
            {
                Native.SetMode(path, mode);
                Assert.Equal((mode, File.GetAttributes(path)), (mode, SourceStatus.Read(path).Attributes));
            }
        }
    }

    private static string[] Blobs(RoundTrip trip)
    {
        string volume = trip.VolumesOf("dblock").Single();
        using ZipArchive zip = ZipFile.OpenRead(volume);
        return
        [
            .. zip
                .Entries.Skip(1)
                .Select(entry => Fixtures.ZipEntry(volume, entry.FullName))
                .Where(block => block.AsSpan().StartsWith("\uFEFF{"u8))
                .Select(block => Encoding.UTF8.GetString(block.AsSpan(3))),
        ];
    }
}
