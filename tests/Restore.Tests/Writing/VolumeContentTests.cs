using System.IO.Compression;
using System.Security.Cryptography;
using System.Text;
using System.Text.Json;
using System.Text.RegularExpressions;

namespace Restore.Tests.Writing;

/// <summary>
/// The volumes by the letter of the format, read without any code of the library: what Duplicati's
/// own reader insists on.
/// </summary>
public sealed partial class VolumeContentTests
{
    private static readonly byte[] Bom = [0xEF, 0xBB, 0xBF];
    private static readonly DateTimeOffset Time = new(2026, 1, 2, 3, 4, 5, TimeSpan.Zero);

    [Fact]
    public async Task Names_are_those_of_Duplicati()
    {
        using RoundTrip trip = await MakeAsync();

        Assert.All(Directory.GetFiles(trip.Destination), path => Assert.Matches(Name(), Path.GetFileName(path)));
        Assert.Equal(3, Directory.GetFiles(trip.Destination).Length);
    }

    [Fact]
    public async Task The_manifest_is_the_first_entry_of_every_volume_and_has_every_property_in_order()
    {
        using RoundTrip trip = await MakeAsync();
        string version = typeof(BackupWriter).Assembly.GetName().Version!.ToString();
        string expected =
            "{\"Version\":2,\"Created\":\"20260102T030405Z\",\"Encoding\":\"utf8\",\"Blocksize\":1024,"
            + $"\"BlockHash\":\"SHA1\",\"FileHash\":\"SHA256\",\"AppVersion\":\"{version}\"}}";

        foreach (string volume in Directory.GetFiles(trip.Destination))
        {
            using ZipArchive zip = ZipFile.OpenRead(volume);
            Assert.Equal("manifest", zip.Entries[0].FullName);
            byte[] manifest = Fixtures.ZipEntry(volume, "manifest");
            Assert.Equal(Bom, manifest[..3]);
            Assert.Equal(expected, Encoding.UTF8.GetString(manifest[3..]));
        }
    }

    [Fact]
    public async Task Entries_of_the_file_list_have_their_properties_in_the_one_order_that_Duplicati_reads()
    {
        using RoundTrip trip = await MakeAsync();
        byte[] list = Fixtures.ZipEntry(trip.VolumesOf("dlist").Single(), "filelist.json");

        Assert.Equal(Bom, list[..3]);
        Dictionary<string, string> properties = [];
        List<string> order = [];
        foreach (JsonElement entry in JsonDocument.Parse(list.AsMemory(3)).RootElement.EnumerateArray())
        {
            string path = Path.GetRelativePath(trip.Source, entry.GetProperty("path").GetString()!.TrimEnd('/'));
            properties[path] = string.Join(' ', entry.EnumerateObject().Select(property => property.Name));
            order.Add(path);
        }

        const string Plain = "type path metahash metasize metablockhash";
        Assert.Equal([".", "folder", "link", "linkToFolder", "empty", "large", "small", "withAttributes"], order);
        Assert.Equal(Plain, properties["."]);
        Assert.Equal(Plain, properties["folder"]);
        Assert.Equal(Plain, properties["link"]);
        Assert.Equal("type path hash size time metahash metasize metablockhash", properties["empty"]);
        Assert.Equal(
            "type path hash size time metahash metasize metablockhash blockhash blocksize",
            properties["small"]
        );
        Assert.Equal("type path hash size time metahash metasize metablockhash blocklists", properties["large"]);
        Assert.Equal(
            "type path hash size time metahash metasize metablocklists blockhash blocksize",
            properties["withAttributes"]
        );
        Assert.Equal(
            Bom.Concat("{\"IsFullBackup\":true}"u8.ToArray()),
            Fixtures.ZipEntry(trip.VolumesOf("dlist").Single(), "fileset")
        );
    }

    [Fact]
    public async Task With_one_hash_for_both_single_blocks_are_not_named_twice()
    {
        using RoundTrip trip = await MakeAsync(blockHash: "SHA256");
        JsonElement small = Entry(trip, "small");

        Assert.Equal(
            "type path hash size time metahash metasize",
            string.Join(' ', small.EnumerateObject().Select(property => property.Name))
        );
        Assert.Equal(
            "type path metahash metasize metablockhash",
            string.Join(' ', Entry(trip, "folder/").EnumerateObject().Select(property => property.Name))
        );
    }

    [Fact]
    public async Task Folders_and_links_to_folders_end_with_the_separator()
    {
        using RoundTrip trip = await MakeAsync();

        Assert.Equal("Folder", Entry(trip, "folder/").GetProperty("type").GetString());
        Assert.Equal("Symlink", Entry(trip, "linkToFolder/").GetProperty("type").GetString());
        Assert.Equal("Symlink", Entry(trip, "link").GetProperty("type").GetString());
    }

    [Fact]
    public async Task Hashes_and_sizes_of_a_file_are_those_of_its_content()
    {
        using RoundTrip trip = await MakeAsync();
        byte[] content = File.ReadAllBytes(Path.Combine(trip.Source, "large"));
        JsonElement large = Entry(trip, "large");

        Assert.Equal(Convert.ToBase64String(SHA256.HashData(content)), large.GetProperty("hash").GetString());
        Assert.Equal(content.Length, large.GetProperty("size").GetInt32());
        Assert.Equal("20200203T040506Z", large.GetProperty("time").GetString());

        // 1,024 bytes hold 51 hashes of 20; 60 blocks are one full blocklist and one of 9.
        byte[] hashes = [.. content.Chunk(1024).SelectMany(SHA1.HashData)];
        string[] expected = [.. hashes.Chunk(51 * 20).Select(list => Convert.ToBase64String(SHA1.HashData(list)))];
        Assert.Equal(expected, large.GetProperty("blocklists").EnumerateArray().Select(list => list.GetString()));
    }

    [Fact]
    public async Task Every_block_is_in_the_block_volume_under_its_hash()
    {
        using RoundTrip trip = await MakeAsync();
        string volume = trip.VolumesOf("dblock").Single();
        using ZipArchive zip = ZipFile.OpenRead(volume);

        Assert.All(
            zip.Entries.Skip(1),
            entry =>
            {
                byte[] block = Fixtures.ZipEntry(volume, entry.FullName);
                Assert.InRange(block.Length, 1, 1024);
                Assert.Equal(
                    Convert.ToBase64String(SHA1.HashData(block)).Replace('+', '-').Replace('/', '_'),
                    entry.FullName
                );
            }
        );
    }

    [Fact]
    public async Task The_index_volume_describes_exactly_the_block_volume()
    {
        using RoundTrip trip = await MakeAsync();
        string blocks = trip.VolumesOf("dblock").Single();
        string index = trip.VolumesOf("dindex").Single();
        using ZipArchive blockZip = ZipFile.OpenRead(blocks);
        using ZipArchive indexZip = ZipFile.OpenRead(index);
        byte[] json = Fixtures.ZipEntry(index, $"vol/{Path.GetFileName(blocks)}");

        // No byte order mark here: the one JSON of a backup that has none.
        Assert.Equal((byte)'{', json[0]);
        using JsonDocument document = JsonDocument.Parse(json);
        Assert.Equal(
            ["blocks", "volumehash", "volumesize"],
            document.RootElement.EnumerateObject().Select(property => property.Name)
        );
        Assert.Equal(
            blockZip.Entries.Skip(1).Select(entry => (entry.FullName, entry.Length)),
            document
                .RootElement.GetProperty("blocks")
                .EnumerateArray()
                .Select(block =>
                    (
                        block.GetProperty("hash").GetString()!.Replace('+', '-').Replace('/', '_'),
                        block.GetProperty("size").GetInt64()
                    )
                )
        );
        Assert.Equal(
            Convert.ToBase64String(SHA256.HashData(File.ReadAllBytes(blocks))),
            document.RootElement.GetProperty("volumehash").GetString()
        );
        Assert.Equal(new FileInfo(blocks).Length, document.RootElement.GetProperty("volumesize").GetInt64());

        // Copies of the blocklists: two of the large file, one of the long metadata.
        ZipArchiveEntry[] lists =
        [
            .. indexZip.Entries.Where(entry => entry.FullName.StartsWith("list/", StringComparison.Ordinal)),
        ];
        Assert.Equal(3, lists.Length);
        Assert.All(
            lists,
            list => Assert.Equal(Fixtures.ZipEntry(blocks, list.FullName[5..]), Fixtures.ZipEntry(index, list.FullName))
        );
    }

    [Theory]
    [InlineData(null)]
    [InlineData("secret")]
    public async Task No_block_volume_is_longer_than_the_volume_size(string? passphrase)
    {
        using RoundTrip trip = new();
        Random random = new(5);
        for (int i = 0; i < 40; i++)
        {
            File.WriteAllBytes(Path.Combine(trip.Source, $"f{i}"), SourceTree.Bytes(random, random.Next(20_000)));
        }

        foreach (int volumeSize in new[] { 18_432, 20_000, 50_001, 100_000 })
        {
            await trip.WriteAsync(
                trip.Options with
                {
                    VolumeSizeBytes = volumeSize,
                    Prefix = $"v{volumeSize}",
                    Passphrase = passphrase,
                }
            );
            IEnumerable<string> volumes = trip.VolumesOf("dblock")
                .Where(path => path.Contains($"v{volumeSize}-", StringComparison.Ordinal));
            long[] sizes = [.. volumes.Select(path => new FileInfo(path).Length)];
            Assert.All(sizes, size => Assert.InRange(size, 1, volumeSize));

            // And none is closed before it is nearly full, but the last.
            Assert.True(sizes.Count(size => size < volumeSize - 3_000) <= 1, string.Join(' ', sizes));
        }
    }

    [Fact]
    public async Task What_does_not_shrink_is_stored_and_what_does_is_compressed()
    {
        using RoundTrip trip = new();
        File.WriteAllBytes(Path.Combine(trip.Source, "random"), SourceTree.Bytes(new Random(6), 300_000));
        byte[] mixed = SourceTree.Bytes(new Random(7), 300_000);
        mixed.AsSpan(150_000, 64 << 10).Clear();
        File.WriteAllBytes(Path.Combine(trip.Source, "mixed"), mixed);
        await trip.WriteAsync(trip.Options with { BlockSizeBytes = 300_000 });

        using ZipArchive zip = ZipFile.OpenRead(trip.VolumesOf("dblock").Single());
        (long Length, bool IsSmaller)[] blocks =
        [
            .. zip
                .Entries.Where(entry => entry.Length == 300_000)
                .Select(entry => (entry.Length, entry.CompressedLength < 250_000))
                .Order(),
        ];
        Assert.Equal([(300_000, false), (300_000, true)], blocks);
        Assert.Equal(300_000, zip.Entries.Max(entry => entry.CompressedLength));
    }

    private static async Task<RoundTrip> MakeAsync(string blockHash = "SHA1")
    {
        RoundTrip trip = new();
        Directory.CreateDirectory(Path.Combine(trip.Source, "folder"));
        File.WriteAllBytes(Path.Combine(trip.Source, "empty"), []);
        File.WriteAllText(Path.Combine(trip.Source, "small"), "some text");
        File.WriteAllText(Path.Combine(trip.Source, "withAttributes"), "x");
        File.WriteAllBytes(Path.Combine(trip.Source, "large"), SourceTree.Bytes(new Random(9), 60 * 1024));
        File.CreateSymbolicLink(Path.Combine(trip.Source, "link"), "small");
        File.CreateSymbolicLink(Path.Combine(trip.Source, "linkToFolder"), "folder");
        SourceTree.SetAttribute(Path.Combine(trip.Source, "withAttributes"), "user.long", new byte[1500]);
        File.SetLastWriteTimeUtc(
            Path.Combine(trip.Source, "large"),
            new DateTime(2020, 2, 3, 4, 5, 6, 789, DateTimeKind.Utc)
        );
        BackupWriterReport report = await trip.WriteAsync(trip.Options with { BlockHash = blockHash, Time = Time });
        Assert.Empty(report.Issues);
        return trip;
    }

    private static JsonElement Entry(RoundTrip trip, string path)
    {
        byte[] list = Fixtures.ZipEntry(trip.VolumesOf("dlist").Single(), "filelist.json");
        return JsonDocument
            .Parse(list.AsMemory(3))
            .RootElement.EnumerateArray()
            .Single(entry => entry.GetProperty("path").GetString() == $"{trip.Source}/{path}");
    }

    [GeneratedRegex(@"\Aduplicati-(b[0-9a-f]{32}\.dblock|i[0-9a-f]{32}\.dindex|20260102T030405Z\.dlist)\.zip\z")]
    private static partial Regex Name();
}
