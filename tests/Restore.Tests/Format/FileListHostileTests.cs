using System.Text;
using System.Text.Json;
using Restore.Format;

namespace Restore.Tests.Format;

public class FileListHostileTests
{
    [Theory]
    [InlineData("hostile/json-deep", "top level arrays", "refused")]
    [InlineData("hostile/json-deep", "top level objects", "refused")]
    [InlineData("hostile/json-deep", "100,000 arrays opened and never closed", "refused")]
    [InlineData("hostile/json-deep", "an element that is 100,000 arrays, after the sound ones", "refused")]
    [InlineData("hostile/json-deep", "an unknown property with 100,000 arrays", "refused")]
    [InlineData("hostile/json-deep", "blocklists nested", "refused")]
    [InlineData("hostile/json-invalid", "cut in the middle of an entry", "refused")]
    [InlineData("hostile/json-invalid", "empty", "refused")]
    [InlineData("hostile/json-invalid", "BOM only", "refused")]
    [InlineData("hostile/json-invalid", "null", "refused")]
    [InlineData("hostile/json-invalid", "an object in place of the array", "refused")]
    [InlineData("hostile/json-invalid", "two arrays", "refused")]
    [InlineData("hostile/json-invalid", "garbage after the array", "refused")]
    [InlineData("hostile/json-invalid", "a comma too many", "refused")]
    [InlineData("hostile/json-invalid", "single quotes", "refused")]
    [InlineData("hostile/json-invalid", "not UTF-8", "entry")]
    [InlineData("hostile/json-invalid", "UTF-16", "refused")]
    [InlineData("hostile/json-invalid", "BOM twice", "refused")]
    [InlineData("hostile/json-invalid", "NaN as size", "refused")]
    [InlineData("hostile/json-invalid", "path is a number", "entry")]
    [InlineData("hostile/json-invalid", "path is null", "entry")]
    [InlineData("hostile/json-invalid", "path twice", "entry")]
    [InlineData("hostile/json-invalid", "hash is not base64", "entry")]
    [InlineData("hostile/json-invalid", "hash of another length", "entry")]
    [InlineData("hostile/json-invalid", "blocklists is a string", "entry")]
    [InlineData("hostile/json-invalid", "blocklists of numbers", "entry")]
    [InlineData("hostile/json-invalid", "type unknown", "entry")]
    [InlineData("hostile/json-invalid", "type missing", "entry")]
    [InlineData("hostile/json-invalid", "entry is a string", "entry")]
    [InlineData("hostile/json-invalid", "entry is null", "entry")]
    [InlineData("hostile/json-long-string", "a path of 50 MB", "refused")]
    [InlineData("hostile/json-long-string", "a hash of 50 MB", "refused")]
    [InlineData("hostile/json-long-string", "an unknown property of 50 MB", "refused")]
    [InlineData("hostile/json-long-string", "a string of 50 MB that never ends", "refused")]
    public void A_broken_list_is_refused_and_a_broken_entry_reported(string fixture, string attack, string outcome)
    {
        JsonElement version = Fixtures
            .Info(fixture)
            .GetProperty("versions")
            .EnumerateArray()
            .Single(v => v.TryGetProperty("attack", out JsonElement text) && text.GetString() == attack);
        byte[] json = Fixtures.ZipEntry(
            Path.Combine(Fixtures.Backup(fixture), version.GetProperty("dlist").GetString()!),
            "filelist.json"
        );
        if (outcome == "refused")
        {
            var e = Assert.Throws<InvalidDataException>(() => RecordingSink.Read(json, Volumes.Small));
            Assert.Matches("^The (file list|JSON) .+[^.]$", e.Message);
        }
        else
        {
            RecordingSink sink = RecordingSink.Read(json, Volumes.Small);
            Assert.Single(sink.Refused);
            Assert.Contains(sink.Paths, p => p.EndsWith("/data/good.txt", StringComparison.Ordinal));
            Assert.Contains(sink.Paths, p => p.EndsWith("/more/good blocks.txt", StringComparison.Ordinal));
        }
    }

    [Theory]
    [InlineData("hostile/json-deep")]
    [InlineData("hostile/json-invalid")]
    [InlineData("hostile/json-long-string")]
    public void The_sound_version_beside_the_attacks_is_read(string fixture)
    {
        RecordingSink sink = RecordingSink.Read(
            Fixtures.ZipEntry(Volumes.Of(fixture, "dlist")[^1], "filelist.json"),
            Volumes.Small
        );
        Assert.Empty(sink.Refused);
        Assert.True(sink.Entries.Count >= 4);
    }

    [Fact]
    public void An_empty_list_is_sound()
    {
        RecordingSink sink = RecordingSink.Read("[]", Volumes.Small);
        Assert.Empty(sink.Entries);
        Assert.Empty(sink.Refused);
    }

    // What only the blocks can show (a wrong last block, for one) is not the list's business.
    [Theory]
    [InlineData("hostile/negative-sizes", "size-negative", "size-min", "blocksize-negative")]
    [InlineData(
        "hostile/huge-size",
        "two-to-60.bin",
        "one-block-but-2-to-60.bin",
        "two-to-63-minus-1",
        "two-to-63",
        "two-to-64",
        "exponent",
        "fraction",
        "text",
        "null",
        "leading-zero-digits"
    )]
    public void Absurd_sizes_cost_their_entry_only(string fixture, params string[] refused)
    {
        string root = Fixtures.Info(fixture).GetProperty("source_root").GetString() + "/";
        RecordingSink sink = RecordingSink.Read(
            Fixtures.ZipEntry(Volumes.Of(fixture, "dlist")[0], "filelist.json"),
            Volumes.Small
        );
        Assert.Equal(
            refused.Order(StringComparer.Ordinal),
            sink.Refused.Select(r => r.Path[root.Length..]).Order(StringComparer.Ordinal)
        );
        Assert.Contains(root + "more/good blocks.txt", sink.Paths);
    }

    [Fact]
    public void A_list_cut_anywhere_is_refused()
    {
        byte[] json = Fixtures.ZipEntry(Volumes.Of("hand-made", "dlist")[0], "filelist.json");
        for (int length = 0; length < json.Length; length++)
        {
            Assert.Throws<InvalidDataException>(() => RecordingSink.Read(json[..length], Volumes.Small));
        }
    }

    [Fact]
    public void A_stream_that_gives_single_bytes_is_read_alike()
    {
        byte[] json = Fixtures.ZipEntry(Volumes.Of("hand-made", "dlist")[0], "filelist.json");
        Assert.Equal(
            RecordingSink.Read(json, Volumes.Small).Entries,
            RecordingSink.Read(new TricklingStream(json), Volumes.Small).Entries
        );
    }

    [Fact]
    public void Lists_with_flipped_bytes_are_read_or_refused_and_nothing_else()
    {
        byte[] sound = Fixtures.ZipEntry(Volumes.Of("plain-1mb", "dlist")[0], "filelist.json");
        BlockLayout layout = Volumes.LayoutOf(Volumes.Of("plain-1mb", "dlist")[0]);
        var random = new Random(20260102);
        int refused = 0;
        for (int run = 0; run < 400; run++)
        {
            byte[] json = [.. sound];
            for (int flips = random.Next(1, 20); flips > 0; flips--)
            {
                json[random.Next(json.Length)] ^= (byte)(1 << random.Next(8));
            }

            try
            {
                RecordingSink.Read(json, layout);
            }
            catch (InvalidDataException)
            {
                refused++;
            }
        }

        Assert.InRange(refused, 1, 399);
    }

    [Fact]
    public void Structural_noise_is_read_or_refused_and_nothing_else()
    {
        string[] pieces =
        [
            .. "[ ] { } , : \" \\ \\u d800 \"path\" \"type\" \"size\" \"blocklists\" \"File\" 1 - e9 null \uFEFF ä".Split(
                ' '
            ),
            " ",
        ];
        var random = new Random(7);
        for (int run = 0; run < 20_000; run++)
        {
            IEnumerable<string> noise = Enumerable
                .Range(0, random.Next(12))
                .Select(_ => pieces[random.Next(pieces.Length)]);
            string json = "[{\"type\":\"File\"," + string.Concat(noise) + (run % 2 == 0 ? "}]" : "");
            try
            {
                RecordingSink sink = RecordingSink.Read(json, Volumes.Small);
                Assert.Empty(sink.Entries);
            }
            catch (InvalidDataException e)
            {
                Assert.False(e.Message.EndsWith('.'), e.Message);
            }
        }
    }

    [Fact]
    public void Sixty_four_MiB_of_blanks_cost_no_memory()
    {
        byte[] sound = "[{\"type\":\"Folder\",\"path\":\"/a/\"}"u8.ToArray();
        RecordingSink.Read("[]", Volumes.Small);
        long before = GC.GetAllocatedBytesForCurrentThread();
        RecordingSink sink = RecordingSink.Read(
            new RepeatingStream(sound, (byte)' ', 64 << 20, "]"u8.ToArray()),
            Volumes.Small
        );
        Assert.Single(sink.Entries);
        Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 0, 1 << 20);
    }

    [Fact]
    public void Blocklists_beyond_what_the_size_needs_cost_no_memory()
    {
        byte[] start = Encoding.ASCII.GetBytes(
            "[{\"type\":\"File\",\"path\":\"/a\",\"size\":1025,\"blocklists\":[\"\""
        );
        RecordingSink.Read("[]", Volumes.Small);
        long before = GC.GetAllocatedBytesForCurrentThread();
        byte[] hash = Encoding.ASCII.GetBytes(",\"OpKexr5+YmlIcUfz0ZX9178CcvHwWtF2w9/x7xy95Ds=\"");
        RecordingSink sink = RecordingSink.Read(
            new RepeatingStream(start, hash, 300_000, "]}]"u8.ToArray()),
            Volumes.Small
        );
        Assert.Equal("/a", Assert.Single(sink.Refused).Path);
        Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 0, 1 << 20);
    }

    [Fact]
    public void A_list_can_be_cancelled()
    {
        using var source = new CancellationTokenSource();
        source.Cancel();
        using var json = new MemoryStream("[]"u8.ToArray());
        Assert.Throws<OperationCanceledException>(() =>
            FileListReader.Read(json, new RecordingSink(), Volumes.Small, source.Token)
        );
    }
}
