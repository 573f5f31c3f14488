using Restore.Cli;
using Restore.Tests.Trust;

namespace Restore.Tests.Faults;

/// <summary>
/// A damaged file beside the one that it does not replace is reported, or the next run removes it.
/// </summary>
[Trait("Suite", "mount")]
public sealed class DamagedFilesTests : IDisposable
{
    private const int BlockBytes = 1024;
    private const int InputOutputError = 5;

    private readonly MadeBackup backup = new(BlockBytes);

    public DamagedFilesTests()
    {
        byte[] content = new byte[3 * BlockBytes];
        new Random(5).NextBytes(content);
        backup.Folder("/data/folder/", MadeBackup.Metadata());
        backup.File("/data/letter.txt", content, MadeBackup.Metadata());
        backup.Forget(content[BlockBytes..(2 * BlockBytes)]);
        backup.Write();
    }

    public void Dispose() => backup.Dispose();

    [Fact]
    public async Task One_that_cannot_be_renamed_is_reported_and_removed_by_the_next_run()
    {
        using FaultMount mount = await FaultMount.MountAsync();
        await File.WriteAllTextAsync(Path.Combine(mount.Backing, "letter.txt"), "the old letter");
        await mount.FailAsync("rename", 1, InputOutputError, 1);

        RestoreReport failed = await RestoreAsync(mount.Mounted);
        RestoreIssue reported = Assert.Single(failed.Issues, issue => issue.Code == IssueCode.DamagedBeside);
        string temporary = Assert.Single(
            Names(mount.Backing),
            name => name.StartsWith(".restore-", StringComparison.Ordinal) && !name.EndsWith(".unfinished")
        );
        Assert.Contains(temporary, reported.Reason, StringComparison.Ordinal);

        RestoreReport next = await RestoreAsync(mount.Mounted);
        Assert.Equal(ExitCodes.Incomplete, ExitCodes.Of(next));
        Assert.Equal(["folder", "letter.2026-01-02.txt", "letter.txt"], Names(mount.Backing));
        Assert.Equal("the old letter", await File.ReadAllTextAsync(Path.Combine(mount.Backing, "letter.txt")));
    }

    [Fact]
    public async Task A_run_that_is_cancelled_before_it_can_tell_makes_none()
    {
        Directory.CreateDirectory(backup.Target);
        await File.WriteAllTextAsync(backup.At("letter.txt"), "the old letter");
        using CancellationTokenSource cancelled = new();

        await Assert.ThrowsAnyAsync<OperationCanceledException>(() =>
            RestoreAsync(backup.Target, new Canceller(cancelled), cancelled.Token)
        );
        Assert.DoesNotContain("letter.2026-01-02.txt", Names(backup.Target));

        await RestoreAsync(backup.Target);
        Assert.Equal(["folder", "letter.2026-01-02.txt", "letter.txt"], Names(backup.Target));
    }

    private static IEnumerable<string> Names(string folder) =>
        Directory
            .EnumerateFileSystemEntries(folder)
            .Select(path => Path.GetFileName(path))
            .Order(StringComparer.Ordinal);

    private async Task<RestoreReport> RestoreAsync(
        string target,
        IProgress<RestoreProgress>? progress = null,
        CancellationToken cancellationToken = default
    )
    {
        await using Backup opened = await Backup.OpenAsync(backup.Source, new BackupOptions(), CancellationToken.None);
        RestorePlan plan = await opened.PlanAsync(
            opened.Versions[0],
            new RestoreOptions { Target = target, Overwrite = true },
            cancellationToken: CancellationToken.None
        );
        return await opened.ExecuteAsync(plan, new ExecuteOptions { Progress = progress }, cancellationToken);
    }

    private sealed class Canceller(CancellationTokenSource cancelled) : IProgress<RestoreProgress>
    {
        public void Report(RestoreProgress value)
        {
            if (value.Phase == RestorePhase.Finishing)
            {
                cancelled.Cancel();
            }
        }
    }
}
