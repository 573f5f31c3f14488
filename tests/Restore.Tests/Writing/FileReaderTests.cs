using System.Diagnostics;
using System.Security.Cryptography;
using Microsoft.Win32.SafeHandles;
using Restore.Csp;
using Restore.Format;
using Restore.Interop;
using Restore.Memory;
using Restore.Tests.Ends;
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

    [Theory]
    [InlineData(false, "pipe", "is no file any more")]
    [InlineData(false, "link", "is a link now")]
    [InlineData(false, "folder", "is no file any more")]
    [InlineData(true, "file", "is no link any more")]
    public async Task What_became_something_else_since_it_was_found_is_reported_and_nobody_is_waited_for(bool wasLink, string now, string reason)
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "only Linux opens a file without following links");
        using TempFolder folder = new();
        File.WriteAllText(Path.Join(folder.Path, "file"), "content");
        File.CreateSymbolicLink(Path.Join(folder.Path, "link"), "file");
        Directory.CreateDirectory(Path.Join(folder.Path, "folder"));
        Native.Fifo(Path.Join(folder.Path, "pipe"));
        EntryKind found = wasLink ? EntryKind.Symlink : EntryKind.File;
        string path = Path.Join(folder.Path, now);
        BackupWriterOptions options = new() { Sources = [path], Destination = folder.Path };
        EntriesFound entries = new();
        entries.Entries.Add(new SourceEntry(path, found, new SourceStatus { Kind = found, SizeBytes = 7 }));
        List<EntriesRead> all = [];
        using (FileReader reader = new(WriterSettings.Resolve(options), new BufferPool(), previous: null, new WriterMeter(options, () => 0)))
        {
            await reader.RunAsync(new Input(entries), new Output<BlocksHashed>(batch => batch.Dispose()), new Output<EntriesRead>(all.Add))
                .WaitAsync(TimeSpan.FromMinutes(1), TestContext.Current.CancellationToken);
        }

        EntriesRead read = Assert.Single(all);
        Assert.Empty(read.Entries);
        RestoreIssue issue = Assert.Single(read.Issues);
        Assert.Equal((IssueKind.Missing, path), (issue.Kind, issue.Path));
        Assert.EndsWith($"{path} {reason}", issue.Reason, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_file_that_another_program_has_a_lease_on_is_waited_for()
    {
        Assert.SkipUnless(File.Exists("/usr/bin/perl"), "perl takes the lease");
        using TempFolder folder = new();
        string path = Path.Join(folder.Path, "file");
        File.WriteAllText(path, "content");

        // As Samba does for a client: the lease is given back when the kernel asks for it, which ends the program.
        const string Lease = "open(F, '+<', $ARGV[0]) or die; fcntl(F, 1024, 1) or die $!; $| = 1; print \"taken\\n\"; sleep 60";
        using Process holder = Process.Start(new ProcessStartInfo("/usr/bin/perl", ["-e", Lease, path]) { RedirectStandardOutput = true })!;
        Assert.Equal("taken", await holder.StandardOutput.ReadLineAsync(TestContext.Current.CancellationToken));
        using SafeFileHandle file = LinuxSource.OpenFile(Kernel.CurrentFolder, path, followsLinks: false);
        Assert.Equal(7, RandomAccess.GetLength(file));
        await holder.WaitForExitAsync(TestContext.Current.CancellationToken);
    }

    internal sealed class Output<T>(Action<T> take) : IWriteChannelEnd<T>
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

    internal sealed class Input(EntriesFound only) : IReadChannelEnd<EntriesFound>
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
