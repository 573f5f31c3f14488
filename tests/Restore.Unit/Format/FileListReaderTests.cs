using System.Text;
using System.Text.Json;
using Restore.Format;
using Restore.Tests.Support.Machine;

namespace Restore.Tests.Format;

public class FileListReaderTests
{
    private const string Hash = "OpKexr5+YmlIcUfz0ZX9178CcvHwWtF2w9/x7xy95Ds=";
    private const string HashHex = "3A929EC6BE7E6269487147F3D195FDD7BF0272F1F05AD176C3DFF1EF1CBDE43B";
    private static readonly BlockLayout TwoHashes = new(1024, HashKind.Sha1, HashKind.Sha256);

    [Theory]
    [FixtureData(
        "plain-1mb",
        "blocklists-1kb",
        "damaged/base-plain",
        "hand-made",
        "hashes",
        "hashes-sha384",
        "many-small",
        "skip-metadata",
        "windows-paths",
        "hostile/dates-as-paths"
    )]
    public void Real_lists_are_read_as_another_JSON_reader_reads_them(string fixture)
    {
        foreach (string volume in Volumes.Of(fixture, "dlist"))
        {
            byte[] json = Fixtures.ZipEntry(volume, "filelist.json");
            RecordingSink sink = RecordingSink.Read(json, Volumes.LayoutOf(volume));
            using JsonDocument document = JsonDocument.Parse(JsonText.WithoutBom(json).ToArray());
            Assert.Empty(sink.Refused);
            Assert.Equal(document.RootElement.EnumerateArray().Select(FromDocument), sink.Entries);
            Assert.True(sink.Entries.Count > 3);
        }
    }

    [Fact]
    public void Order_spaces_escapes_nulls_and_unknown_properties_do_not_matter()
    {
        RecordingSink sink = RecordingSink.Read(
            "\uFEFF [ {\n\"unknown\":{\"a\":[1,{\"path\":\"x\"}]}, \"size\":20, \"metahash\":null,"
                + "\"p\\u0061th\":\"\\/a\\u00e4\\ud83d\\ude00\\n\\\"\\\\\", \"blocklists\":[],"
                + $"\"time\":\"20260102T030406Z\", \"hash\":\"{Hash.Replace("/", "\\/", StringComparison.Ordinal)}\", \"type\":\"FILE\" }} ] ",
            Volumes.Small
        );
        Assert.Empty(sink.Refused);
        Assert.Equal(
            new ListedEntry(
                EntryKind.File,
                "/aä😀\n\"\\",
                HashHex,
                20,
                new DateTime(2026, 1, 2, 3, 4, 6).Ticks,
                "",
                0,
                "",
                "",
                "",
                ""
            ),
            Assert.Single(sink.Entries)
        );
    }

    [Fact]
    public void An_alternate_stream_is_read_like_a_file()
    {
        RecordingSink sink = RecordingSink.Read(
            $$"""[{"type":"AlternateStream","path":"C:\\a:b","hash":"{{Hash}}","size":3}]""",
            Volumes.Small
        );
        ListedEntry entry = Assert.Single(sink.Entries);
        Assert.Equal((EntryKind.AlternateStream, "C:\\a:b", 3L, 0L), (entry.Kind, entry.Path, entry.Size, entry.Time));
    }

    [Fact]
    public void A_folder_keeps_nothing_of_what_only_files_have()
    {
        string json = $$"""[{"type":"Folder","path":"/a/","hash":"x","size":-3,"time":7,"blocklists":["{{Hash}}"]}]""";
        Assert.Equal(
            new ListedEntry(EntryKind.Folder, "/a/", "", 0, 0, "", 0, "", "", "", ""),
            Assert.Single(RecordingSink.Read(json, Volumes.Small).Entries)
        );
    }

    [Fact]
    public void A_time_that_cannot_be_does_not_cost_the_file()
    {
        foreach (string time in (string[])["\"20261399T000000Z\"", "5", "[1]", "{\"a\":2}", "\"\"", "null"])
        {
            RecordingSink sink = RecordingSink.Read(
                $$"""[{"type":"File","path":"/a","time":{{time}},"hash":"{{Hash}}","size":3}]""",
                Volumes.Small
            );
            Assert.Equal(0, Assert.Single(sink.Entries).Time);
        }
    }

    [Theory]
    [InlineData("\"x\"", "entry 1", "It is not a JSON object")]
    [InlineData("[[1],{}]", "entry 1", "It is not a JSON object")]
    [InlineData("{}", "entry 1", "It has no path")]
    [InlineData("""{"path":""}""", "entry 1", "It has no path")]
    [InlineData("""{"path":7}""", "entry 1", "Its path is not Unicode text")]
    [InlineData("""{"path":{"a":[]}}""", "entry 1", "Its path is not Unicode text")]
    [InlineData("""{"path":"/\ud83d"}""", "/\uFFFD", "Its path is not Unicode text")]
    [InlineData("""{"path":"/\ude00\ud83d\u0041"}""", "/\uFFFD\uFFFDA", "Its path is not Unicode text")]
    [InlineData("""{"path":"/a"}""", "/a", "It has no type")]
    [InlineData("""{"path":"/a","type":"Device"}""", "/a", "Its type is not known to this program")]
    [InlineData("""{"path":"/a","type":{"a":1}}""", "/a", "Its type is not known to this program")]
    [InlineData(
        """{"path":"/a","type":"File","path":"/b"}""",
        "/b",
        "It has a property twice (Path), so its value is ambiguous"
    )]
    [InlineData("""{"path":"/a","type":"File"}""", "/a", "It has no size")]
    [InlineData("""{FILE"size":1}""", "/a", "It has no hash")]
    [InlineData("""{FILE"size":-1,"hash":"#"}""", "/a", "Its size is not a whole number of bytes")]
    [InlineData("""{FILE"size":1.5,"hash":"#"}""", "/a", "Its size is not a whole number of bytes")]
    [InlineData("""{FILE"size":1e3,"hash":"#"}""", "/a", "Its size is not a whole number of bytes")]
    [InlineData("""{FILE"size":9223372036854775808,"hash":"#"}""", "/a", "Its size is not a whole number of bytes")]
    [InlineData("""{FILE"size":"1","hash":"#"}""", "/a", "Its size is not a whole number of bytes")]
    [InlineData("""{FILE"size":[1],"hash":"#"}""", "/a", "Its size is not a whole number of bytes")]
    [InlineData("""{FILE"size":1,"hash":"AAAA"}""", "/a", "Its hash is not a SHA256 hash")]
    [InlineData("""{FILE"size":1,"hash":["#"]}""", "/a", "Its hash is not a SHA256 hash")]
    [InlineData("""{FILE"size":1,"hash":"#","blocklists":["#"]}""", "/a", "It has 1 blocklists, where 1 bytes need 0")]
    [InlineData("""{FILE"size":1025,"hash":"#"}""", "/a", "It has 0 blocklists, where 1025 bytes need 1")]
    [InlineData(
        """{FILE"size":1025,"hash":"#","blocklists":["#","#"]}""",
        "/a",
        "It has 2 blocklists, where 1025 bytes need 1"
    )]
    [InlineData(
        """{FILE"blocklists":["#","#"],"size":1025,"hash":"#"}""",
        "/a",
        "It has 2 blocklists, where 1025 bytes need 1"
    )]
    [InlineData("""{FILE"size":1025,"hash":"#","blocklists":["!"]}""", "/a", "Its blocklists are not SHA256 hashes")]
    [InlineData("""{FILE"size":1025,"hash":"#","blocklists":[["#"]]}""", "/a", "Its blocklists are not SHA256 hashes")]
    [InlineData(
        """{FILE"size":1025,"hash":"#","blocklists":{"a":"#"}}""",
        "/a",
        "Its blocklists are not SHA256 hashes"
    )]
    [InlineData(
        """{FILE"size":1,"hash":"#","blockhash":"AA=="}""",
        "/a",
        "The hash or the size of its block cannot be right"
    )]
    [InlineData(
        """{FILE"size":1,"hash":"#","blockhash":"#","blocksize":2}""",
        "/a",
        "The hash or the size of its block cannot be right"
    )]
    public void An_entry_that_cannot_be_used_is_reported_and_the_next_one_is_read(
        string entry,
        string path,
        string reason
    )
    {
        string json = entry
            .Replace("#", Hash, StringComparison.Ordinal)
            .Replace("FILE", "\"path\":\"/a\",\"type\":\"File\",", StringComparison.Ordinal);
        RecordingSink sink = RecordingSink.Read($$"""[{{json}},{"type":"Folder","path":"/sound/"}]""", Volumes.Small);
        Assert.Equal((path, reason), Assert.Single(sink.Refused));
        Assert.Equal(["/sound/"], sink.Paths);
    }

    [Theory]
    [InlineData("""{"metahash":"AA=="}""", "The hash of its metadata is not a SHA256 hash")]
    [InlineData("""{"metahash":"#"}""", "The size of its metadata is missing or not a whole number of bytes")]
    [InlineData(
        """{"metahash":"#","metasize":-7}""",
        "The size of its metadata is missing or not a whole number of bytes"
    )]
    [InlineData(
        """{"metahash":"#","metasize":1099511627776}""",
        "It has 0 blocklists, where 1099511627776 bytes need 33554432"
    )]
    [InlineData(
        """{"metahash":"#","metasize":5,"metablockhash":"x"}""",
        "The hash of its metadata's block is missing or cannot be right"
    )]
    [InlineData(
        """{"metahash":"#","metasize":5,"metasize":6}""",
        "It has a property twice (MetaSize), so its value is ambiguous"
    )]
    public void Metadata_that_cannot_be_used_does_not_cost_the_file(string metadata, string reason)
    {
        string json = metadata
            .Replace("{", $$"""{"path":"/a","type":"File","size":3,"hash":"{{Hash}}",""", StringComparison.Ordinal)
            .Replace("#", Hash, StringComparison.Ordinal);
        RecordingSink sink = RecordingSink.Read($"[{json}]", Volumes.Small);
        Assert.Empty(sink.Refused);
        Assert.Equal(
            new ListedEntry(EntryKind.File, "/a", HashHex, 3, 0, "", 0, "", "", "", ""),
            Assert.Single(sink.Entries)
        );
        Assert.Equal(("/a", reason), Assert.Single(sink.WithoutMetadata));
    }

    [Fact]
    public void Where_the_two_hashes_differ_the_hash_of_the_block_is_needed()
    {
        RecordingSink sink = RecordingSink.Read(
            $$"""
            [{"type":"File","path":"/a","hash":"{{Hash}}","size":3},
             {"type":"File","path":"/b","hash":"{{Hash}}","size":3,"blockhash":"Tzej/lk3dLuS1shyvxQBSyMtx4I=","blocksize":3},
             {"type":"File","path":"/c","hash":"{{Hash}}","size":0},
             {"type":"Folder","path":"/d","metahash":"{{Hash}}","metasize":3}]
            """,
            TwoHashes
        );
        Assert.Equal(["/b", "/c", "/d"], sink.Paths);
        Assert.Equal("4F37A3FE593774BB92D6C872BF14014B232DC782", sink.Entries[0].BlockHash);
        Assert.Equal(
            ("/a", "The hash of its block is missing, and the backup uses other hashes for blocks than for files"),
            Assert.Single(sink.Refused)
        );
        Assert.Equal(
            ("/d", "The hash of its metadata's block is missing or cannot be right"),
            Assert.Single(sink.WithoutMetadata)
        );
    }

    [Fact]
    public void Invalid_UTF8_makes_the_entry_unusable()
    {
        byte[] json =
        [
            .. "[{\"type\":\"Folder\",\"path\":\"/"u8,
            0xFF,
            0xFE,
            .. "\"},{\"type\":\"Folder\",\"path\":\"/b/\"}]"u8,
        ];
        RecordingSink sink = RecordingSink.Read(json, Volumes.Small);
        Assert.Equal(("/\uFFFD\uFFFD", "Its path is not Unicode text"), Assert.Single(sink.Refused));
        Assert.Equal(["/b/"], sink.Paths);
    }

    [Fact]
    public void A_legal_file_of_64_TiB_keeps_its_2048_blocklists()
    {
        string lists = string.Join(',', Enumerable.Repeat($"\"{Hash}\"", 2048));
        var layout = new BlockLayout(1 << 20, HashKind.Sha256, HashKind.Sha256);
        foreach (
            string order in (string[])
                ["\"size\":70368744177664,\"blocklists\":[$]", "\"blocklists\":[$],\"size\":70368744177664"]
        )
        {
            RecordingSink sink = RecordingSink.Read(
                $$"""[{"type":"File","path":"/a","hash":"{{Hash}}",{{order.Replace("$", lists, StringComparison.Ordinal)}}}]""",
                layout
            );
            Assert.Equal(2048 * 64, Assert.Single(sink.Entries).Blocklists.Length);
        }
    }

    private static ListedEntry FromDocument(JsonElement e)
    {
        string Hex(string name) =>
            e.TryGetProperty(name, out JsonElement value) ? Convert.ToHexString(value.GetBytesFromBase64()) : "";
        string Hexes(string name) =>
            e.TryGetProperty(name, out JsonElement value)
                ? string.Concat(value.EnumerateArray().Select(h => Convert.ToHexString(h.GetBytesFromBase64())))
                : "";
        long Number(string name) => e.TryGetProperty(name, out JsonElement value) ? value.GetInt64() : 0;
        string time = e.TryGetProperty("time", out JsonElement text) ? text.GetString()! : "";
        string Unless(string value, string other) => value == other ? "" : value;
        return new ListedEntry(
            Enum.Parse<EntryKind>(e.GetProperty("type").GetString()!),
            e.GetProperty("path").GetString()!,
            Hex("hash"),
            Number("size"),
            time.Length == 0 ? 0 : DateTime.ParseExact(time, "yyyyMMdd'T'HHmmss'Z'", null).Ticks,
            Hex("metahash"),
            Number("metasize"),
            Unless(Hex("metablockhash"), Hex("metahash")),
            Hexes("metablocklists"),
            Unless(Hex("blockhash"), Hex("hash")),
            Hexes("blocklists")
        );
    }
}
