using System.IO.Compression;
using System.Text;
using System.Text.Json.Nodes;
using FsCheck;
using FsCheck.Fluent;
using Restore.Format;

namespace Restore.Tests.Format;

public class IndexVolumeReaderTests
{
    private const string Hash = "OpKexr5+YmlIcUfz0ZX9178CcvHwWtF2w9/x7xy95Ds=";

    [Theory]
    [InlineData("plain-1mb")]
    [InlineData("blocklists-1kb")]
    [InlineData("hashes")]
    [InlineData("hashes-sha384")]
    public void Every_block_of_a_real_volume_is_in_its_index_and_the_index_is_written_byte_for_byte(string fixture)
    {
        foreach (string index in Volumes.Of(fixture, "dindex"))
        {
            BlockLayout layout = Volumes.LayoutOf(index);
            (string name, byte[] json) = Volumes.Entries(index).Single(IsVolume);
            var sink = new BlockSink();
            IndexVolumeInfo info = IndexVolumeReader.ReadBlocks(new MemoryStream(json), sink, layout);

            Assert.True(IndexEntryName.TryGetVolume(Encoding.ASCII.GetBytes(name), out ReadOnlySpan<byte> volumeName));
            string volume = Path.Combine(Fixtures.Backup(fixture), Encoding.ASCII.GetString(volumeName));
            byte[] content = File.ReadAllBytes(volume);
            Assert.Equal(content.Length, info.VolumeSizeBytes);
            Assert.True(layout.FileHash.Matches(content, info.VolumeHash));
            using ZipArchive archive = ZipFile.OpenRead(volume);
            Assert.Equal(
                archive.Entries.Where(e => e.FullName != "manifest").Select(e => (e.FullName, e.Length)).Order(),
                sink.Blocks.Select(b => (BlockName.Format(Convert.FromHexString(b.Hash)), b.Size)).Order()
            );
            Assert.Equal(json, Write(sink.Blocks, info.VolumeHash!, content.Length));
        }
    }

    [Theory]
    [InlineData("{}", 0, 0, null)]
    [InlineData("""{"blocks":[]}""", 0, 0, null)]
    [InlineData("""{"blocks":null,"volumesize":7,"volumehash":""}""", 0, 0, 7L)]
    [InlineData("""{"volumesize":7,"blocks":[{"size":3,"x":[{}],"hash":"#"}],"volumehash":"AAAA"}""", 1, 0, 7L)]
    [InlineData("""{"volumesize":-7,"blocks":[{"h\u0061sh":"#","size":1024}]}""", 1, 0, null)]
    [InlineData("""{"volumesize":1.5,"blocks":[{"hash":"#","size":1025}]}""", 0, 1, null)]
    [InlineData(
        """{"volumesize":"7","blocks":[{"hash":"#","size":-1},{"hash":"#"},{"size":1},{"hash":"AAAA","size":1}]}""",
        0,
        4,
        null
    )]
    [InlineData("""{"blocks":[{"hash":["#"],"size":[1]},5,null,[[]],{}]}""", 0, 5, null)]
    [InlineData("""{"unknown":{"blocks":[1]},"volumehash":[1],"volumesize":{}}""", 0, 0, null)]
    public void Order_and_missing_properties_do_not_matter_and_impossible_blocks_are_skipped(
        string json,
        int taken,
        int skipped,
        long? volumeSize
    )
    {
        var sink = new BlockSink();
        IndexVolumeInfo info = Read(json.Replace("#", Hash, StringComparison.Ordinal), sink);
        Assert.Equal(new IndexVolumeInfo(volumeSize, null, skipped), info);
        Assert.Equal(taken, sink.Blocks.Count);
    }

    [Theory]
    [InlineData("")]
    [InlineData("[]")]
    [InlineData("{\"blocks\":[")]
    [InlineData("{\"blocks\":7}")]
    [InlineData("{\"blocks\":[]}x")]
    [InlineData("{\"blocks\":[{\"hash\":\"")]
    public void A_broken_entry_is_refused(string json) =>
        Assert.StartsWith(
            "The list of blocks ",
            Assert.Throws<InvalidDataException>(() => Read(json, new BlockSink())).Message,
            StringComparison.Ordinal
        );

    [Fact]
    public void Nested_arrays_without_end_are_refused() =>
        Assert.Throws<InvalidDataException>(() => Read("{\"blocks\":" + new string('[', 100_000), new BlockSink()));

    [Fact]
    public void A_gibibyte_of_zeros_is_refused_at_once()
    {
        using var zeros = new RepeatingStream([], 0, 1L << 30, []);
        Assert.Throws<InvalidDataException>(() => IndexVolumeReader.ReadBlocks(zeros, new BlockSink(), Volumes.Small));
        Assert.InRange(zeros.Position, 1, 1 << 20);
    }

    [Fact]
    public void Negative_sizes_of_a_hostile_index_are_all_skipped()
    {
        int skipped = 0;
        foreach (
            (string name, byte[] json) in Volumes
                .Of("hostile/negative-sizes", "dindex")
                .SelectMany(Volumes.Entries)
                .Where(IsVolume)
        )
        {
            BlockSink sink = new();
            IndexVolumeInfo info = IndexVolumeReader.ReadBlocks(new MemoryStream(json), sink, Volumes.Small);
            Assert.True(sink.Blocks.Count == 0 || info.SkippedCount == 0, name);
            skipped += (int)info.SkippedCount;
        }

        Assert.True(skipped > 5);
    }

    [Fact]
    public void Changed_lists_are_read_or_refused_alike_with_and_without_blanks()
    {
        Random random = new(11);
        int refused = 0;
        for (int run = 0; run < 4_000; run++)
        {
            string block = $$"""{"hash":"{{Hash}}","size":{{random.Next(1100)}}}""";
            StringBuilder changed = new(block);
            changed[random.Next(block.Length)] = "09 \"\\,{}[]:-.aZ="[random.Next(15)];
            (string? fast, string? slow) = (
                Outcome($"{block},{changed},{block}"),
                Outcome($"{block} , {changed} , {block}")
            );
            Assert.True(fast == slow, $"{changed}: {fast}, {slow}");
            refused += fast is null ? 1 : 0;
        }

        Assert.InRange(refused, 100, 3_900);
    }

    [Fact]
    public void Odd_entries_of_a_hostile_index_are_not_volumes_or_have_no_blocks()
    {
        byte[] hash = new byte[64];
        int blocklists = 0;
        foreach (
            (string name, byte[] content) in Volumes.Of("hostile/entry-names-odd", "dindex").SelectMany(Volumes.Entries)
        )
        {
            byte[] utf8 = Encoding.UTF8.GetBytes(name);
            blocklists +=
                IndexEntryName.TryGetBlocklist(utf8, hash, out int length)
                && HashKind.Sha256.Matches(content, hash.AsSpan(0, length))
                    ? 1
                    : 0;
            if (
                IndexEntryName.TryGetVolume(utf8, out ReadOnlySpan<byte> volume)
                && !VolumeName.TryParse(Encoding.UTF8.GetString(volume), out _)
            )
            {
                BlockSink sink = new();
                IndexVolumeReader.ReadBlocks(new MemoryStream(content), sink, Volumes.Small);
                Assert.Empty(sink.Blocks);
            }
        }

        Assert.Equal(1, blocklists);
    }

    [Fact]
    public void What_is_written_is_read_back()
    {
        var blocks = Gen.ListOf(
            from seed in Gen.Choose(0, int.MaxValue)
            from size in Gen.Choose(0, 1024)
            select (Convert.ToHexString(RandomHash(seed)), (long)size)
        );
        Check.One(
            Config.QuickThrowOnFailure,
            Prop.ForAll(
                blocks.ToArbitrary(),
                list =>
                {
                    byte[] volumeHash = RandomHash(list.Count);
                    byte[] json = Write(list, volumeHash, list.Count);
                    foreach (byte[] order in (byte[][])[json, Reverse(json)])
                    {
                        var sink = new BlockSink();
                        IndexVolumeInfo info = IndexVolumeReader.ReadBlocks(
                            new TricklingStream(order),
                            sink,
                            Volumes.Small
                        );
                        Assert.Equal(list, sink.Blocks);
                        Assert.Equal(volumeHash, info.VolumeHash);
                        Assert.Equal(list.Count, info.VolumeSizeBytes);
                    }
                }
            )
        );
    }

    [Fact]
    public void Flipped_bytes_give_blocks_or_a_refusal_and_nothing_else()
    {
        byte[] sound = Volumes.Entries(Volumes.Of("plain-1mb", "dindex")[0]).Single(IsVolume).Content;
        var random = new Random(4);
        int refused = 0;
        for (int run = 0; run < 500; run++)
        {
            byte[] json = [.. sound];
            json[random.Next(json.Length)] ^= (byte)(1 << random.Next(8));
            try
            {
                IndexVolumeReader.ReadBlocks(new MemoryStream(json), new BlockSink(), Volumes.Small);
            }
            catch (InvalidDataException)
            {
                refused++;
            }
        }

        Assert.InRange(refused, 1, 499);
    }

    [Fact]
    public void Reading_a_block_allocates_nothing()
    {
        byte[] json = Write(
            Enumerable.Range(0, 20_000).Select(i => (Convert.ToHexString(RandomHash(i)), 1024L)),
            RandomHash(1),
            1
        );
        var sink = new CountingSink();
        IndexVolumeReader.ReadBlocks(new MemoryStream(json), sink, Volumes.Small);
        Assert.Equal(20_000, sink.Count);
        Assert.InRange(Enumerable.Range(0, 3).Min(_ => Allocated(json, sink)), 0, 1024);
    }

    private static long Allocated(byte[] json, IIndexSink sink)
    {
        using var stream = new MemoryStream(json);
        long before = GC.GetAllocatedBytesForCurrentThread();
        IndexVolumeReader.ReadBlocks(stream, sink, Volumes.Small);
        return GC.GetAllocatedBytesForCurrentThread() - before;
    }

    /// <summary>What is read of a list; null if it is refused.</summary>
    private static string? Outcome(string list)
    {
        try
        {
            BlockSink sink = new();
            IndexVolumeInfo info = Read($$"""{"blocks":[{{list}}],"volumesize":7}""", sink);
            return $"{info} {string.Join(' ', sink.Blocks)}";
        }
        catch (InvalidDataException)
        {
            return null;
        }
    }

    private static IndexVolumeInfo Read(string json, IIndexSink sink) =>
        IndexVolumeReader.ReadBlocks(new MemoryStream(Encoding.UTF8.GetBytes(json)), sink, Volumes.Small);

    private static byte[] RandomHash(int seed)
    {
        byte[] hash = new byte[32];
        new Random(seed).NextBytes(hash);
        return hash;
    }

    private static byte[] Write(IEnumerable<(string Hash, long Size)> blocks, byte[] volumeHash, long volumeSize)
    {
        using var stream = new MemoryStream();
        var writer = new IndexVolumeWriter(stream);
        foreach ((string hash, long size) in blocks)
        {
            writer.Add(Convert.FromHexString(hash), size);
        }

        writer.Finish(volumeHash, volumeSize);
        return stream.ToArray();
    }

    private static bool IsVolume((string Name, byte[] Content) entry) =>
        entry.Name.StartsWith("vol/", StringComparison.Ordinal);

    private static byte[] Reverse(byte[] json)
    {
        IEnumerable<KeyValuePair<string, JsonNode?>> properties = JsonNode.Parse(json)!.AsObject().Reverse();
        return Encoding.UTF8.GetBytes(
            new JsonObject(properties.Select(p => KeyValuePair.Create(p.Key, p.Value?.DeepClone()))).ToJsonString()
        );
    }

    private sealed class BlockSink : IIndexSink
    {
        public List<(string Hash, long Size)> Blocks { get; } = [];

        public void Block(ReadOnlySpan<byte> hash, long sizeBytes) =>
            Blocks.Add((Convert.ToHexString(hash), sizeBytes));
    }

    private sealed class CountingSink : IIndexSink
    {
        public int Count { get; private set; }

        public void Block(ReadOnlySpan<byte> hash, long sizeBytes) => Count++;
    }
}
