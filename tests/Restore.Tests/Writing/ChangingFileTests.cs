using System.Security.Cryptography;
using Restore.Format;
using Restore.Memory;
using Restore.Writing;
using Restore.Writing.Messages;
using Restore.Writing.Processes;
using Restore.Writing.Source;
using static Restore.Tests.Writing.FileReaderTests;

namespace Restore.Tests.Writing;

/// <summary>
/// Files that change while they are read are read again; one that still changes is reported.
/// </summary>
public sealed class ChangingFileTests : IDisposable
{
    private const int BlockBytes = 3 << 20;

    private readonly TempFolder folder = new();
    private readonly BufferPool pool = new();

    private string File1 => Path.Join(folder.Path, "file");

    public void Dispose() => folder.Dispose();

    [Fact]
    public async Task A_file_that_is_cut_while_it_is_read_is_stored_as_it_is_then()
    {
        byte[] content = Write(4 * BlockBytes);

        EntriesRead read = await ReadAsync(message =>
        {
            if (message == 1)
            {
                SetLength(BlockBytes / 2);
            }
        });

        AssertStored(read, content.AsSpan(0, BlockBytes / 2));
    }

    [Fact]
    public async Task A_file_that_grows_while_it_is_read_is_stored_with_what_was_added()
    {
        byte[] content = Write(2 * BlockBytes);

        EntriesRead read = await ReadAsync(message =>
        {
            if (message == 1)
            {
                Append(content.AsSpan(0, 100));
            }
        });

        AssertStored(read, [.. content, .. content[..100]]);
    }

    [Fact]
    public async Task A_file_that_another_one_replaces_while_it_is_read_is_stored_as_the_new_one()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Only Linux says which file has a name");
        Write(2 * BlockBytes);
        byte[] other = SourceTree.Bytes(new Random(2), 1000);

        EntriesRead read = await ReadAsync(message =>
        {
            if (message == 1)
            {
                File.WriteAllBytes(File1 + ".new", other);
                File.Move(File1 + ".new", File1, overwrite: true);
            }
        });

        AssertStored(read, other);
    }

    [Fact]
    public async Task A_file_whose_writer_sets_its_time_back_is_read_again()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Only Linux has a time that no program sets");
        byte[] content = Write(3 * BlockBytes);
        DateTime time = File.GetLastWriteTimeUtc(File1);

        EntriesRead read = await ReadAsync(message =>
        {
            if (message == 1)
            {
                Overwrite(content, offset: 0);
                File.SetLastWriteTimeUtc(File1, time);
            }
        });

        AssertStored(read, content);
    }

    [Fact]
    public async Task A_file_that_always_changes_is_stored_and_reported_and_read_again_by_the_next_version()
    {
        byte[] content = Write(2 * BlockBytes);
        DateTime time = File.GetLastWriteTimeUtc(File1);

        EntriesRead read = await ReadAsync(_ =>
        {
            Overwrite(content, offset: 0);
            Overwrite(content, offset: BlockBytes);
            File.SetLastWriteTimeUtc(File1, time);
        });

        RestoreIssue issue = Assert.Single(read.Issues);
        Assert.Equal((IssueKind.Damaged, File1, true), (issue.Kind, issue.Path, issue.IsLoss));
        Assert.StartsWith("It changed while it was read, 3 times", issue.Reason, StringComparison.Ordinal);
        ReadEntry entry = Assert.Single(read.Entries);
        Assert.Equal(2 * BlockBytes, entry.Content.SizeBytes);
        Assert.NotEqual(
            time.Ticks / TimeSpan.TicksPerSecond,
            entry.Source.Status.LastWriteTicks / TimeSpan.TicksPerSecond
        );
    }

    [Fact]
    public async Task A_file_that_only_gets_other_metadata_while_it_is_read_is_not_reported()
    {
        byte[] content = Write(2 * BlockBytes);

        EntriesRead read = await ReadAsync(message =>
            File.SetLastWriteTimeUtc(File1, new DateTime(2020, 1, 1 + message, 0, 0, 0, DateTimeKind.Utc))
        );

        AssertStored(read, content);
    }

    private byte[] Write(int length)
    {
        byte[] content = SourceTree.Bytes(new Random(1), length);
        File.WriteAllBytes(File1, content);
        return content;
    }

    private void SetLength(long length)
    {
        using FileStream file = Open();
        file.SetLength(length);
    }

    private void Append(ReadOnlySpan<byte> bytes)
    {
        using FileStream file = Open();
        file.Position = file.Length;
        file.Write(bytes);
    }

    /// <summary>Writes one byte with another value.</summary>
    private void Overwrite(byte[] content, int offset)
    {
        content[offset]++;
        using FileStream file = Open();
        file.Position = offset;
        file.Write(content.AsSpan(offset, 1));
    }

    private FileStream Open() => new(File1, FileMode.Open, FileAccess.Write, FileShare.ReadWrite | FileShare.Delete);

    /// <summary>
    /// Reads the file. Each of its blocks is a message of its own, after which the file can be
    /// changed.
    /// </summary>
    private async Task<EntriesRead> ReadAsync(Action<int> changes)
    {
        BackupWriterOptions options = new()
        {
            Sources = [File1],
            Destination = folder.Path,
            BlockSizeBytes = BlockBytes,
            SkipMetadata = true,
        };
        int messages = 0;
        Output<BlocksHashed> blocks = new(batch =>
        {
            batch.Dispose();
            changes(++messages);
        });
        EntriesFound found = new();
        found.Entries.Add(new SourceEntry(File1, EntryKind.File, SourceStatus.Read(File1)));
        List<EntriesRead> all = [];
        using (
            FileReader reader = new(
                WriterSettings.Resolve(options),
                pool,
                previous: null,
                new WriterMeter(options, () => 0)
            )
        )
        {
            await reader.RunAsync(new Input(found), blocks, new Output<EntriesRead>(all.Add));
        }

        Assert.Equal(0, pool.OutstandingBuffers);
        return Assert.Single(all);
    }

    private static void AssertStored(EntriesRead read, ReadOnlySpan<byte> content)
    {
        Assert.Empty(read.Issues);
        ContentHashes stored = Assert.Single(read.Entries).Content;
        Assert.Equal(content.Length, stored.SizeBytes);
        Assert.Equal(SHA256.HashData(content), stored.Hash);
    }
}
