using System.Text;
using Restore.Format;

namespace Restore.Tests.Format;

/// <summary>A file list is read some entries at a time.</summary>
public sealed class FileListStreamingTests
{
    private const int Entries = 20_000;

    private static readonly byte[] List = Encoding.UTF8.GetBytes(
        $"[{string.Join(',', Enumerable.Range(0, Entries).Select(i => $$"""{"type":"Folder","path":"/home/folder {{i}} \u00e9/"}"""))}]"
    );

    [Theory]
    [InlineData(1)]
    [InlineData(7)]
    [InlineData(512)]
    [InlineData(Entries - 1)]
    [InlineData(Entries)]
    [InlineData(Entries + 1)]
    public void Reading_in_batches_gives_the_same_entries(int batch)
    {
        RecordingSink sink = new();
        using FileListReader reader = new(new MemoryStream(List), Volumes.Small);
        while (reader.ReadSome(sink, batch, CancellationToken.None)) { }

        Assert.Equal(RecordingSink.Read(List, Volumes.Small).Paths, sink.Paths);
        Assert.Equal(Entries, sink.Entries.Count);
    }

    [Fact]
    public void The_first_entries_come_before_the_rest_of_the_list_is_read()
    {
        RecordingSink sink = new();
        MemoryStream json = new(List);
        using FileListReader reader = new(json, Volumes.Small);
        Assert.True(reader.ReadSome(sink, 10, CancellationToken.None));
        Assert.Equal(10, sink.Entries.Count);
        Assert.InRange(json.Position, 1, List.Length / 4);
    }

    [Fact]
    public void A_list_that_is_cut_off_throws_after_the_entries_before()
    {
        RecordingSink sink = new();
        using FileListReader reader = new(new MemoryStream(List, 0, List.Length / 2), Volumes.Small);
        InvalidDataException failure = Assert.Throws<InvalidDataException>(() =>
        {
            while (reader.ReadSome(sink, 100, CancellationToken.None)) { }
        });
        Assert.Contains("not valid JSON", failure.Message, StringComparison.Ordinal);
        Assert.InRange(sink.Entries.Count, Entries / 3, Entries * 2 / 3);
    }
}
