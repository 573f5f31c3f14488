using Restore.Format;

namespace Restore.Tests.Format;

public class FileListAllocationTests
{
    [Fact]
    public void Reading_an_entry_allocates_nothing()
    {
        byte[] json = ListOf(20_000);
        var sink = new CountingSink();
        FileListReader.Read(new MemoryStream(json), sink, Volumes.Small, CancellationToken.None);
        Assert.Equal(20_000, sink.Entries);

        // The pool may give its memory back at any collection, so the best of three counts: a
        // kilobyte for the reader itself, whatever the length of the list.
        Assert.InRange(Enumerable.Range(0, 3).Min(_ => Allocated(json, sink)), 0, 4096);
    }

    private static long Allocated(byte[] json, CountingSink sink)
    {
        using var stream = new MemoryStream(json);
        long before = GC.GetAllocatedBytesForCurrentThread();
        FileListReader.Read(stream, sink, Volumes.Small, CancellationToken.None);
        return GC.GetAllocatedBytesForCurrentThread() - before;
    }

    private static byte[] ListOf(int count)
    {
        using var stream = new MemoryStream();
        var writer = new FileListWriter(stream, Volumes.Small);
        byte[] hashes = new byte[64];
        for (int i = 0; i < count; i++)
        {
            writer.Add(
                new FileListEntry
                {
                    Kind = EntryKind.File,
                    Path = "/home/ann/Documents/\"quoted\"/letter.txt"u8,
                    Hash = hashes.AsSpan(0, 32),
                    SizeBytes = 1024 * 33,
                    TimeTicks = DateTime.UnixEpoch.Ticks,
                    MetaHash = hashes.AsSpan(0, 32),
                    MetaSizeBytes = 190,
                    BlocklistHashes = hashes,
                }
            );
        }

        writer.Finish();
        return stream.ToArray();
    }

    private sealed class CountingSink : IFileListSink
    {
        public int Entries { get; private set; }

        public void Entry(in FileListEntry entry) => Entries += entry.BlocklistHashes.Length == 64 ? 1 : 0;

        public void Unusable(string path, string reason) => throw new InvalidOperationException(reason);
    }
}
