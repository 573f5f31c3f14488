using Restore.Tests.Catalog.Database;

namespace Restore.Tests.Restoring;

/// <summary>
/// A restore that was interrupted completes too if it goes to the original places, or reads
/// Duplicati's local database.
/// </summary>
public sealed class InterruptedElsewhereTests
{
    [Theory]
    [InlineData(false, 1)]
    [InlineData(false, 20)]
    [InlineData(true, 20)]
    public async Task At_the_original_places(bool isLegacy, int after)
    {
        using TempFolder folder = new();
        using TreeBackup tree = await TreeBackup.WriteAsync(files: 30, largeFiles: 2);
        string path = Path.Join(tree.Source, tree.Largest);
        Directory.Move(tree.Source, folder.Root);
        RestoreSetup options = new RestoreOptions().Legacy(isLegacy);
        await InterruptAsync(() => Backup.OpenAsync(tree.Location), options, after);
        string record = Assert.Single(Directory.GetFiles(tree.Source, ".restore-*.unfinished"));

        // Only the path differs from a target folder: what a record names begins at the root.
        Assert.Contains(path[1..], File.ReadAllText(record), StringComparison.Ordinal);
        Directory.CreateDirectory(Path.GetDirectoryName(path)!);
        File.Delete(path);
        PartialFiles.Leave(
            record,
            path[1..],
            File.ReadAllBytes(folder.In(Path.GetRelativePath(tree.Source, path))).AsSpan()[..70_000],
            "/"
        );
        await AssertCompletesAsync(() => Backup.OpenAsync(tree.Location), options);
        tree.AssertRestored(folder.Root);
    }

    [Theory]
    [InlineData(false, 1)]
    [InlineData(false, 8)]
    [InlineData(true, 1)]
    public async Task With_a_local_database(bool isLegacy, int after)
    {
        using DatabaseWorkspace work = new();
        RestoreSetup options = new RestoreOptions { Target = work.Target, RestorePermissions = true }.Legacy(isLegacy);
        await InterruptAsync(work.OpenAsync, options, after);
        Assert.Single(Directory.GetFiles(work.Target, ".restore-*.unfinished"));
        await AssertCompletesAsync(work.OpenAsync, options);
        Assert.Empty(Directory.GetFiles(work.Target, ".restore-*"));
        work.AssertTree(0);
    }

    private static async Task InterruptAsync(Func<Task<Backup>> open, RestoreSetup options, int after)
    {
        using CancellationTokenSource cancellation = new();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() =>
            RunAsync(open, options, new CancelAfter(cancellation, after), cancellation.Token)
        );
    }

    private static async Task AssertCompletesAsync(Func<Task<Backup>> open, RestoreSetup options)
    {
        RestoreReport report = await RunAsync(open, options, null, default);
        Assert.DoesNotContain(
            report.Issues,
            issue => issue.Kind is not (IssueKind.Warning or IssueKind.Metadata) || issue.MetadataLost
        );
    }

    private static async Task<RestoreReport> RunAsync(
        Func<Task<Backup>> open,
        RestoreSetup options,
        IProgress<EntryResult>? entries,
        CancellationToken cancellationToken
    )
    {
        await using Backup backup = await open();
        RestorePlan plan = await backup.PlanAsync(backup.Versions[0], options, default);
        return await backup
            .ExecuteAsync(plan, options.How with { Entries = entries }, cancellationToken)
            .WaitAsync(TimeSpan.FromSeconds(60), default(CancellationToken));
    }

    private sealed class CancelAfter(CancellationTokenSource cancellation, int count) : IProgress<EntryResult>
    {
        private int seen;

        public void Report(EntryResult value)
        {
            if (Interlocked.Increment(ref seen) >= count)
            {
                cancellation.Cancel();
            }
        }
    }
}
