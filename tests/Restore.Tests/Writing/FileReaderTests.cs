using System.Diagnostics;
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

/// <summary>What has become something else since it was found.</summary>
public sealed class FileReaderTests
{
    [Theory]
    [InlineData(false, "pipe", "is no file any more")]
    [InlineData(false, "link", "is a link now")]
    [InlineData(false, "folder", "is no file any more")]
    [InlineData(true, "file", "is no link any more")]
    public async Task What_became_something_else_since_it_was_found_is_reported_and_nobody_is_waited_for(
        bool wasLink,
        string now,
        string reason
    )
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
        using (
            FileReader reader = new(
                WriterSettings.Resolve(options),
                new BufferPool(),
                previous: null,
                new WriterMeter(options, () => 0)
            )
        )
        {
            await reader
                .RunAsync(
                    new Input(entries),
                    new Output<BlocksHashed>(batch => batch.Dispose()),
                    new Output<EntriesRead>(all.Add)
                )
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

        // As Samba does for a client: the lease is given back when the kernel asks for it, which
        // ends the program.
        const string Lease =
            "open(F, '+<', $ARGV[0]) or die; fcntl(F, 1024, 1) or die $!; $| = 1; print \"taken\\n\"; sleep 60";
        using Process holder = Process.Start(
            new ProcessStartInfo("/usr/bin/perl", ["-e", Lease, path]) { RedirectStandardOutput = true }
        )!;
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

        public void Dispose() { }
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

        public void Dispose() { }
    }
}
