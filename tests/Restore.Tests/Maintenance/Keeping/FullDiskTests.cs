using Microsoft.Extensions.Logging.Abstractions;
using Restore.Cli;
using Restore.Storage;
using Restore.Storage.Local;
using Restore.Tests.Cli;
using Restore.Tests.Support;

namespace Restore.Tests.Maintenance.Keeping;

/// <summary>
/// A disk on which not even a file without content can be made, because the folder has no room for
/// its name.
/// </summary>
public sealed class FullDiskTests : IDisposable
{
    private const int Runs = 20;

    private readonly SmallDisk disk;

    public FullDiskTests()
    {
        SmallDisk? mounted = SmallDisk.TryMount(4);
        if (mounted is null)
        {
            Assert.Skip("A small file system can only be mounted by the root user, on a loop device.");
        }

        disk = mounted;
    }

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    public void Dispose() => disk.Dispose();

    [Fact]
    public async Task Versions_are_deleted_and_a_compact_makes_room_however_full_the_disk_is()
    {
        using KeptBackup kept = await KeptBackup.WriteAsync(18, versions: 4);
        for (int run = 0; run < Runs; run++)
        {
            disk.Clear();
            foreach (string volume in Directory.GetFiles(kept.Location))
            {
                File.Copy(volume, Path.Join(disk.Folder, Path.GetFileName(volume)));
            }

            // From no room for a name to room for a short one, or for a few.
            SmallDisk.Fill(disk.Folder, shortestName: 1 + (run * 7));
            CliRun deletion = await CliRun.OfAsync("delete", disk.Folder, "--keep-versions=1", "--yes");
            Assert.True(deletion.ExitCode == ExitCodes.Complete, $"run {run}: {deletion.Error}");
            Assert.Single(Directory.GetFiles(disk.Folder, "*.dlist*"));

            SmallDisk.Fill(disk.Folder, shortestName: 1 + (run * 7));
            CliRun compact = await CliRun.OfAsync(
                "compact",
                disk.Folder,
                "--threshold=90",
                "--dblock-size=20kb",
                "--yes"
            );
            Assert.True(compact.ExitCode == ExitCodes.Complete, $"run {run}: {compact.Error}");
            Assert.Empty(Directory.GetFiles(disk.Folder, "restore-*"));
            Assert.Empty(Directory.GetFiles(disk.Folder, "incomplete_*"));

            CliRun check = await CliRun.OfAsync("verify", disk.Folder);
            Assert.True(check.ExitCode == ExitCodes.Complete, $"run {run}: {check.Error}");
        }
    }

    [Fact]
    public async Task A_writer_without_a_file_that_says_so_is_alone_and_makes_the_file_when_there_is_room()
    {
        string first = Path.Join(disk.Folder, "first");
        File.WriteAllText(first, "x");
        SmallDisk.Fill(disk.Folder);
        await using RetryingSink sink = Sink();
        await using (WriterLock held = await TakeAsync(sink))
        {
            Assert.Null(held.Name);
            RestoreException failure = await Assert.ThrowsAsync<RestoreException>(() => TakeAsync(sink));
            Assert.Equal(RestoreErrorCode.BackupLocked, failure.Code);

            Array.ForEach(Directory.GetFiles(disk.Folder, "*00*"), File.Delete);
            await held.CompleteAsync(Token);
            Assert.Equal(held.Name, Path.GetFileName(Assert.Single(Directory.GetFiles(disk.Folder, "restore-lock.*"))));
        }

        Assert.Empty(Directory.GetFiles(disk.Folder, "restore-lock.*"));
        await using WriterLock next = await TakeAsync(sink);
        Assert.NotNull(next.Name);
    }

    [Fact]
    public async Task A_file_that_says_who_writes_counts_on_a_full_disk_too()
    {
        await using RetryingSink sink = Sink();
        await using WriterLock other = await TakeAsync(sink);
        SmallDisk.Fill(disk.Folder);

        RestoreException failure = await Assert.ThrowsAsync<RestoreException>(() => TakeAsync(sink));

        Assert.Equal(RestoreErrorCode.BackupLocked, failure.Code);
    }

    private static Task<WriterLock> TakeAsync(RetryingSink sink) =>
        WriterLock.TakeAsync(sink, "duplicati", TimeProvider.System, breaks: false, Token);

    private RetryingSink Sink() =>
        new(new LocalFolderSink(disk.Folder), new TransferSettings(), TimeProvider.System, NullLogger.Instance);
}
