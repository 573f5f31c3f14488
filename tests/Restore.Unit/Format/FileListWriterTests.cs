using System.Text;
using System.Text.Json.Nodes;
using FsCheck;
using FsCheck.Fluent;
using Restore.Format;
using Restore.Tests.Support.Machine;

namespace Restore.Tests.Format;

public class FileListWriterTests
{
    [Theory]
    [FixtureData(
        "plain-1mb",
        "blocklists-1kb",
        "damaged/base-plain",
        "hand-made",
        "hashes",
        "hashes-sha384",
        "many-small"
    )]
    public void A_list_of_Duplicati_is_written_byte_for_byte(string fixture)
    {
        foreach (string volume in Volumes.Of(fixture, "dlist"))
        {
            byte[] real = Fixtures.ZipEntry(volume, "filelist.json");
            BlockLayout layout = Volumes.LayoutOf(volume);
            Assert.Equal(
                Encoding.UTF8.GetString(real),
                Encoding.UTF8.GetString(Write(RecordingSink.Read(real, layout).Entries, layout))
            );
        }
    }

    [Fact]
    public void What_is_written_is_read_back_whatever_the_order_of_the_properties()
    {
        var cases =
            from layout in Layouts
            from entries in Gen.ListOf(Entry(layout))
            from seed in Gen.Choose(0, int.MaxValue)
            select (layout, entries, seed);
        Check.One(
            Config.QuickThrowOnFailure,
            Prop.ForAll(
                cases.ToArbitrary(),
                c =>
                {
                    byte[] written = Write(c.entries, c.layout);
                    RecordingSink straight = RecordingSink.Read(written, c.layout);
                    RecordingSink shuffled = RecordingSink.Read(Shuffle(written, new Random(c.seed)), c.layout);
                    Assert.Empty(straight.Refused);
                    Assert.Equal(c.entries, straight.Entries);
                    Assert.Empty(shuffled.Refused);
                    Assert.Equal(c.entries, shuffled.Entries);
                }
            )
        );
    }

    [Fact]
    public void Texts_are_escaped_as_Duplicati_does_it()
    {
        var json = new JsonOutput();
        json.Text("\"\\/\b\f\n\r\t\u0000\u001b\u007f\u0085\u2028\u2029ä\u00a0😀\u2027");
        json.Text("\ud800");
        Assert.Equal(
            "\"\\\"\\\\/\\b\\f\\n\\r\\t\\u0000\\u001b\u007f\\u0085\\u2028\\u2029ä\u00a0😀\u2027\"\"\ufffd\"",
            Encoding.UTF8.GetString(json.ToArray())
        );
    }

    private static Gen<BlockLayout> Layouts =>
        Gen.Elements(
            Volumes.Small,
            new BlockLayout(1 << 20, HashKind.Sha256, HashKind.Sha256),
            new BlockLayout(10240, HashKind.Sha1, HashKind.Sha512),
            new BlockLayout(1025, HashKind.Sha384, HashKind.Md5)
        );

    private static Gen<string> Paths =>
        from text in ArbMap.Default.GeneratorFor<string>()
        select "/" + Encoding.UTF8.GetString(Encoding.UTF8.GetBytes(text ?? ""));

    // At most a thousand blocklists, so that a case stays small.
    private static Gen<long> Sizes(BlockLayout layout) =>
        Gen.OneOf(
            Gen.Constant(0L),
            Gen.Choose(1, layout.BlockSizeBytes).Select(s => (long)s),
            Gen.Choose(0, 3).Select(n => (long)layout.BlockSizeBytes * layout.HashesPerBlocklist * n),
            Gen.Choose(1, 1000).Select(n => (long)layout.BlockSizeBytes * layout.HashesPerBlocklist * n / 100)
        );

    private static Gen<string> Hashes(HashKind kind, long count) =>
        from seed in Gen.Choose(0, int.MaxValue)
        select Convert.ToHexString(RandomBytes(seed, (int)count * kind.LengthBytes()));

    private static byte[] RandomBytes(int seed, int length)
    {
        byte[] bytes = new byte[length];
        new Random(seed).NextBytes(bytes);
        return bytes;
    }

    private static Gen<ListedEntry> Entry(BlockLayout layout)
    {
        bool isOneHash = layout.BlockHash == layout.FileHash;
        return from kind in Gen.Elements(EntryKind.File, EntryKind.Folder, EntryKind.Symlink, EntryKind.AlternateStream)
            let isFile = kind is EntryKind.File or EntryKind.AlternateStream
            from path in Paths
            from hash in Hashes(layout.FileHash, isFile ? 1 : 0)
            from anySize in Sizes(layout)
            let size = isFile ? anySize : 0
            from seconds in Gen.Choose(0, int.MaxValue)
            from blocklists in Hashes(layout.BlockHash, layout.BlocklistCount(size))
            from blockHash in Hashes(layout.BlockHash, !isOneHash && size > 0 && size <= layout.BlockSizeBytes ? 1 : 0)
            from metaSize in Sizes(layout)
            from metaHash in Hashes(layout.FileHash, metaSize > 0 ? 1 : 0)
            from metaBlockHash in Hashes(
                layout.BlockHash,
                !isOneHash && metaSize > 0 && metaSize <= layout.BlockSizeBytes ? 1 : 0
            )
            from metaBlocklists in Hashes(layout.BlockHash, layout.BlocklistCount(metaSize))
            select new ListedEntry(
                kind,
                path,
                hash,
                size,
                isFile ? DateTime.UnixEpoch.AddSeconds(seconds).Ticks : 0,
                metaHash,
                metaSize,
                metaBlockHash,
                metaBlocklists,
                blockHash,
                blocklists
            );
    }

    private static byte[] Write(IEnumerable<ListedEntry> entries, BlockLayout layout)
    {
        using var stream = new MemoryStream();
        var writer = new FileListWriter(stream, layout);
        foreach (ListedEntry entry in entries)
        {
            writer.Add(entry.ToEntry());
        }

        writer.Finish();
        return stream.ToArray();
    }

    private static byte[] Shuffle(byte[] json, Random random)
    {
        var shuffled = new JsonArray();
        foreach (JsonNode? entry in JsonNode.Parse(JsonText.WithoutBom(json))!.AsArray())
        {
            KeyValuePair<string, JsonNode?>[] properties = [.. entry!.AsObject()];
            random.Shuffle(properties);
            shuffled.Add(new JsonObject(properties.Select(p => KeyValuePair.Create(p.Key, p.Value?.DeepClone()))));
        }

        return Encoding.UTF8.GetBytes(shuffled.ToJsonString());
    }
}
