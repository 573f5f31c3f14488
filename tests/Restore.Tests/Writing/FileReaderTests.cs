using System.Security.Cryptography;
using Restore.Csp;
using Restore.Format;
using Restore.Memory;
using Restore.Threads;
using Restore.Writing;
using Restore.Writing.Messages;
using Restore.Writing.Processes;
using Restore.Writing.Source;

namespace Restore.Tests.Writing;

/// <summary>Files that change while they are read.</summary>
public sealed class FileReaderTests
{
    private const int BlockBytes = 3 << 20;
    private const int CutBytes = BlockBytes + (BlockBytes / 2);

    [Fact]
    public async Task A_file_that_is_cut_and_grows_again_while_it_is_read_is_what_was_there_up_to_the_cut()
    {
        using TempFolder folder = new();
        string path = Path.Join(folder.Path, "file");
        byte[] content = SourceTree.Bytes(new Random(1), 4 * BlockBytes);
        File.WriteAllBytes(path, content);
        BufferPool pool = new();
        BackupWriterOptions options = new() { Sources = [path], Destination = folder.Path, BlockSizeBytes = BlockBytes, SkipMetadata = true };
        WriterSettings settings = WriterSettings.Resolve(options);

        // A block is a message of its own: after the first one the file is cut, after the second one, which is short now, it is as long as before.
        int messages = 0;
        List<long> lengths = [];
        Output<BlocksHashed> blocks = new(batch =>
        {
            lengths.Add(batch.Bytes);
            batch.Dispose();
            if (messages++ < 2)
            {
                using FileStream file = new(path, FileMode.Open, FileAccess.Write, FileShare.ReadWrite | FileShare.Delete);
                file.SetLength(messages == 1 ? CutBytes : content.Length);
            }
        });
        List<ReadEntry> entries = [];
        EntriesFound found = new();
        found.Entries.Add(new SourceEntry(path, EntryKind.File, new SourceStatus { Kind = EntryKind.File, SizeBytes = content.Length }));
        using (FileReader reader = new(settings, pool, previous: null, new WriterMeter(options, () => 0)))
        {
            await reader.RunAsync(new Input(found), blocks, new Output<EntriesRead>(read => entries.AddRange(read.Entries)));
        }

        ContentHashes read = Assert.Single(entries).Content;
        Assert.Equal(CutBytes, read.SizeBytes);
        Assert.Equal(SHA256.HashData(content.AsSpan(0, CutBytes)), read.Hash);
        Assert.Equal([BlockBytes, CutBytes - BlockBytes], lengths.Take(2));
        Assert.Equal(0, pool.OutstandingBuffers);
    }

    private sealed class Output<T>(Action<T> take) : IWriteChannelEnd<T>
    {
        public ValueTask WriteAsync(T message)
        {
            take(message);
            return ValueTask.CompletedTask;
        }

        public ValueTask<TRoom> AwaitRoomAsync<TRoom>(ValueTask<TRoom> room) => room;

        public void Dispose()
        {
        }
    }

    private sealed class Input(EntriesFound only) : IReadChannelEnd<EntriesFound>
    {
        public async IAsyncEnumerable<EntriesFound> ReadAllAsync()
        {
            await Task.Yield();
            yield return only;
        }

        public ValueTask<EntriesFound> ReadAsync() => throw new NotSupportedException();

        public ValueTask<(bool Arrived, EntriesFound Message)> TryReadAsync() => throw new NotSupportedException();

        public OwnThreads.Hop ReturnAsync() => throw new NotSupportedException();

        public ValueTask AwaitTurnAsync(ValueTask turn) => turn;

        public void Dispose()
        {
        }
    }
}
