using System.Buffers;
using System.Text;
using Restore.Catalog;
using Restore.Format;
using Restore.Tests.Format;

namespace Restore.Tests.Catalog;

/// <summary>
/// A long file list is decoded and parsed by other threads, and its reader gets what it would get
/// from the list alone.
/// </summary>
public sealed class ListAheadTests
{
    private const string Hash = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=";

    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(60);

    /// <summary>Lists of which each would mislead a reader that guesses where entries begin.</summary>
    public static TheoryData<string> Lists() => [.. Kinds.Keys];

    private static readonly Dictionary<string, Func<int, string>> Kinds = new()
    {
        ["files"] = File,
        ["folders"] = i => $$"""{"type":"Folder","path":"/home/folder {{i}}/"}""",
        ["one in seven with blanks"] = i => i % 7 == 0 ? File(i).Replace(":", ": ", StringComparison.Ordinal) : File(i),
        ["one in 900 with an escape"] = i =>
            i % 900 == 0 ? File(i).Replace("/home", "/h\\u006fme", StringComparison.Ordinal) : File(i),
        ["one in 500 unusable"] = i => i % 500 == 0 ? """{"type":"File","path":"/x"}""" : File(i),
        ["paths like the start of an entry"] = i =>
            $$"""{"type":"Folder","path":"/home/},{\"type\":\"Folder\",\"path\":\"/wrong {{i}}\"},{"}""",
        ["paths that end like an entry"] = i => $$"""{"path":"/home/{{i}}},{","type":"Folder"}""",
        ["entries inside of unknown properties"] = i =>
            $$"""{"type":"Folder","x":[{"y":1},{"type":"Folder","path":"/wrong {{i}}"},{"type":"Folder","path":"/wrong"}],"path":"/right {{i}}"}""",
        ["one with long lists inside"] = i => i % 20_000 == 10 ? Nested(i) : File(i),
        ["not all objects"] = i => i % 1000 == 3 ? "[1,{},{\"type\":\"Folder\",\"path\":\"/wrong\"}]" : File(i),
        ["a path twice"] = i => i % 800 == 5 ? """{"type":"Folder","path":"/a","path":"/b"}""" : File(i),
        ["long paths"] = i =>
            i % 3000 == 7 ? $$"""{"type":"Folder","path":"/{{new string('p', 90_000)}}{{i}}"}""" : File(i),
        ["a path that is too long"] = i =>
            i == 9000 ? $$"""{"type":"Folder","path":"/{{new string('p', 600_000)}}"}""" : File(i),
    };

    [Theory]
    [MemberData(nameof(Lists))]
    public async Task The_same_entries_come_in_the_same_order(string kind)
    {
        byte[] list = ListOf(Kinds[kind], 30_000);
        RecordingSink expected = RecordingSink.Read(list, Format.Volumes.Small);
        RecordingSink read = await ReadAsync(list, long.MaxValue);
        Assert.Equal(expected.Entries, read.Entries);
        Assert.Equal(expected.Refused, read.Refused);
        Assert.True(list.Length > 1 << 20, "The list is one piece");
    }

    [Theory]
    [InlineData(1)]
    [InlineData(512)]
    [InlineData(29_999)]
    [InlineData(30_000)]
    public async Task Reading_in_batches_gives_the_same_entries(int batch)
    {
        byte[] list = ListOf(File, 30_000);
        Assert.Equal(RecordingSink.Read(list, Format.Volumes.Small).Entries, (await ReadAsync(list, batch)).Entries);
    }

    [Theory]
    [InlineData(0.1)]
    [InlineData(0.5)]
    [InlineData(0.999)]
    public async Task A_list_that_is_cut_fails_where_it_would_alone(double part)
    {
        byte[] list = ListOf(File, 30_000);
        await AssertSameFailureAsync(list[..(int)(list.Length * part)]);
    }

    [Theory]
    [InlineData("\u0001")]
    [InlineData("}")]
    [InlineData("]")]
    [InlineData("\"")]
    public async Task A_list_that_is_broken_in_its_middle_ends_where_it_would_alone(string put)
    {
        // A place can be in a text, where some of these break nothing.
        byte[] list = ListOf(File, 30_000);
        List<string?> failures = [];
        for (int place = 300_000; place < 1_500_000; place += 99_991)
        {
            byte[] broken = [.. list[..place], .. Encoding.UTF8.GetBytes(put), .. list[place..]];
            failures.Add(await AssertSameEndAsync(broken));
        }

        Assert.Contains(failures, failure => failure is not null);
    }

    [Fact]
    public async Task Something_after_the_list_fails()
    {
        await AssertSameFailureAsync([.. ListOf(File, 30_000), .. "1"u8]);
    }

    [Fact]
    public async Task A_list_that_cannot_be_decoded_further_gives_the_entries_before()
    {
        byte[] list = ListOf(File, 30_000);
        RecordingSink sink = new();
        InvalidDataException failure = await Assert.ThrowsAsync<InvalidDataException>(() =>
            ReadAsync(new Defective(list, list.Length / 2), long.MaxValue, sink)
        );
        Assert.Equal("broken here", failure.Message);
        Assert.InRange(sink.Entries.Count, 14_000, 15_100);
    }

    [Fact]
    public async Task Who_stops_reading_waits_for_no_more_than_a_few_pieces()
    {
        Defective source = new(new byte[64 << 20], int.MaxValue);
        await Task.Run(() =>
            {
                using ListAhead ahead = new(source, Format.Volumes.Small);
                Assert.Equal(10, ahead.Read(new byte[10]));
            })
            .WaitAsync(Patience, TestContext.Current.CancellationToken);
        Assert.InRange(source.Given, 1, 8 << 20);
        Assert.False(source.CanRead);
    }

    [Fact]
    public async Task That_there_is_no_memory_is_reported_to_the_reader()
    {
        await Task.Run(() =>
            {
                using ListAhead ahead = new(
                    new MemoryStream(new byte[16 << 20]),
                    Format.Volumes.Small,
                    new SmallPool()
                );
                byte[] buffer = new byte[1 << 20];
                Assert.Throws<InsufficientMemoryException>(() =>
                {
                    while (ahead.Read(buffer) > 0) { }
                });
            })
            .WaitAsync(Patience, TestContext.Current.CancellationToken);
    }

    [Fact]
    public void Entries_are_parsed_from_the_first_one_that_begins_in_a_part()
    {
        byte[] list = ListOf(File, 100);
        ParsedEntries parsed = new();
        new CompactEntries(Format.Volumes.Small).Parse(list.AsSpan(50), 50, parsed);
        int first = list.AsSpan().IndexOf("},{"u8) + 1;
        Assert.Equal(99, parsed.Count);
        Assert.Equal((first, list.Length - 1), (parsed.Start, parsed.End));
        Assert.Equal(
            RecordingSink.Read(list, Format.Volumes.Small).Entries.Skip(1),
            Enumerable.Range(0, parsed.Count).Select(i => ListedEntry.Of(parsed.Get(i)))
        );
    }

    [Fact]
    public void A_part_that_looks_like_an_entry_everywhere_is_abandoned()
    {
        StringBuilder text = new();
        for (int i = 0; i < 10_000; i++)
        {
            text.Append("},{\"path\":\"");
        }

        ParsedEntries parsed = new();
        new CompactEntries(Format.Volumes.Small).Parse(Encoding.UTF8.GetBytes(text.ToString()), 0, parsed);
        Assert.Equal(0, parsed.Count);
    }

    private static string File(int i) =>
        $$"""{"type":"File","path":"/home/a/folder {{i / 50}}/file é {{i}}.txt","hash":"{{Hash}}","size":{{i % 1000}}"""
        + $$""","time":"20260101T120000Z","metahash":"{{Hash}}","metasize":137}""";

    private static string Nested(int i)
    {
        string inner = string.Concat(Enumerable.Repeat(""",{"type":"Folder","path":"/wrong"}""", 20_000));
        return $$"""{"type":"Folder","x":[{"y":1}{{inner}}],"path":"/right {{i}}"}""";
    }

    private static byte[] ListOf(Func<int, string> entry, int count) =>
        Encoding.UTF8.GetBytes($"[{string.Join(',', Enumerable.Range(0, count).Select(entry))}]");

    private static async Task AssertSameFailureAsync(byte[] list) => Assert.NotNull(await AssertSameEndAsync(list));

    private static async Task<string?> AssertSameEndAsync(byte[] list)
    {
        RecordingSink expected = new();
        Exception? alone = Record.Exception(() =>
            FileListReader.Read(new MemoryStream(list), expected, Format.Volumes.Small, CancellationToken.None)
        );
        RecordingSink read = new();
        Exception? failure = await Record.ExceptionAsync(() => ReadAsync(new MemoryStream(list), long.MaxValue, read));
        Assert.Equal(alone?.GetType(), failure?.GetType());
        Assert.Equal(alone?.Message, failure?.Message);
        Assert.Equal(expected.Entries, read.Entries);
        Assert.Equal(expected.Refused, read.Refused);
        return failure?.Message;
    }

    private static async Task<RecordingSink> ReadAsync(byte[] list, long batch)
    {
        RecordingSink sink = new();
        await ReadAsync(new MemoryStream(list), batch, sink);
        return sink;
    }

    private static Task ReadAsync(Stream list, long batch, RecordingSink sink) =>
        Task.Run(() =>
            {
                using ListAhead ahead = new(list, Format.Volumes.Small);
                using FileListReader reader = new(ahead, Format.Volumes.Small);
                while (reader.ReadSome(sink, batch, CancellationToken.None)) { }
            })
            .WaitAsync(Patience, TestContext.Current.CancellationToken);

    /// <summary>Has memory for two pieces.</summary>
    private sealed class SmallPool : ArrayPool<byte>
    {
        private int left = 2;

        public override byte[] Rent(int minimumLength) =>
            left-- > 0 ? new byte[minimumLength] : throw new InsufficientMemoryException();

        public override void Return(byte[] array, bool clearArray = false) { }
    }

    /// <summary>Gives some bytes, then fails.</summary>
    private sealed class Defective(byte[] list, int sound) : MemoryStream(list)
    {
        public int Given { get; private set; }

        public override int Read(Span<byte> buffer)
        {
            int length = Math.Min(Math.Min(buffer.Length, 10_000), sound - Given);
            Given += length;
            return length > 0 ? base.Read(buffer[..length]) : throw new InvalidDataException("broken here");
        }
    }
}
