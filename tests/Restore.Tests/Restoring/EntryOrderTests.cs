using Restore.Planning;
using Restore.Tests.Writing;

namespace Restore.Tests.Restoring;

/// <summary>
/// What is to come first is fetched and finished before everything else, and nothing is fetched
/// twice for it.
/// </summary>
public sealed class EntryOrderTests : IDisposable
{
    private const int Files = 60;
    private const int FileBytes = 40_000;

    private readonly RoundTrip trip = new();
    private readonly FinishedList finished = new();
    private ScriptedStore store = new();

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    [Fact]
    public async Task The_volumes_of_the_first_filter_come_first_and_then_those_of_the_second()
    {
        await WriteAsync();
        string[] usual = await FetchedAsync(new RestoreOptions { SkipMetadata = true });
        string[] ofBoth = [.. (await FetchedAsync(Only("f59"))).Concat(await FetchedAsync(Only("f30"))).Distinct()];

        string[] ordered = await FetchedAsync(
            new RestoreOptions { SkipMetadata = true, First = [Filter("f59"), Filter("f30")] }
        );

        Assert.InRange(usual.Length, 10, 100);
        Assert.NotEqual(ofBoth, usual.Take(ofBoth.Length));
        Assert.Equal(ofBoth, ordered.Take(ofBoth.Length));
        Assert.Equal(usual.Except(ofBoth), ordered.Skip(ofBoth.Length));
    }

    [Fact]
    public async Task The_files_of_the_filters_are_finished_first_in_their_order()
    {
        await WriteAsync();
        await FetchedAsync();
        Assert.InRange(finished.IndexOf("f59"), Files / 5, Files);

        await FetchedAsync(new RestoreOptions { First = [Filter("f59"), Filter("f30")] });

        // Of a volume that is fetched, the blocks of its other files come too.
        Assert.InRange(finished.IndexOf("f59"), 0, 5);
        Assert.InRange(finished.IndexOf("f30"), finished.IndexOf("f59") + 1, 10);
        Assert.Equal(Files, finished.Names.Count);
    }

    [Fact]
    public async Task The_restored_files_are_the_same()
    {
        await WriteAsync();
        await FetchedAsync(new RestoreOptions { First = [Filter("f5*"), Filter("nothing"), Filter("f10")] });
        trip.AssertLikeSource(Target);
    }

    [Fact]
    public async Task A_filter_that_takes_nothing_or_everything_leaves_the_usual_order()
    {
        await WriteAsync();
        string[] usual = await FetchedAsync();
        Assert.Equal(usual, await FetchedAsync(new RestoreOptions { First = [Filter("none")] }));
        Assert.Equal(usual, await FetchedAsync(new RestoreOptions { First = [EntryFilter.All] }));
    }

    [Fact]
    public async Task A_saved_plan_keeps_the_order()
    {
        await WriteAsync();
        await using Backup backup = await Backup.OpenAsync(store, new BackupOptions(), Token);
        RestorePlan plan = await backup.PlanAsync(
            backup.Versions[0],
            new RestoreOptions { Target = Target, First = [Filter("f59")] },
            cancellationToken: Token
        );
        using MemoryStream saved = new();
        plan.Save(saved);
        saved.Position = 0;

        RestorePlan loaded = RestorePlan.Load(saved);

        Assert.Equal(plan.Volumes, loaded.Volumes);
        Assert.Equal("f59", Path.GetFileName(loaded.Pass.Content.PathText(loaded.Pass.InOrder().First())));
        Assert.Empty(loaded.Options.First);
    }

    [Theory]
    [InlineData(-1, 1)]
    [InlineData(0, 11)]
    [InlineData(10, 1)]
    [InlineData(int.MaxValue, 2)]
    [InlineData(2, -1)]
    [InlineData(4, 2)]
    public void An_order_of_entries_that_are_not_there_or_come_twice_is_refused(int first, int count) =>
        Assert.Throws<InvalidDataException>(() =>
            new EntryOrder([new EntrySpan(5, 1), new EntrySpan(first, count)], 10)
        );

    [Fact]
    public void An_order_has_each_entry_once()
    {
        EntryOrder order = new([new EntrySpan(7, 2), new EntrySpan(0, 1)], 10);
        Assert.Equal([7, 8, 0, 1, 2, 3, 4, 5, 6, 9], order.All().Select(entry => entry.Value));
    }

    public void Dispose() => trip.Dispose();

    private string Target => Path.Combine(trip.Folder, "target");

    private static EntryFilter Filter(string path) => EntryFilter.Parse([path], []);

    private static RestoreOptions Only(string name) => new() { SkipMetadata = true, Filter = Filter(name) };

    /// <summary>
    /// Makes a backup of files in many volumes, in a store without ranges: each volume is read
    /// whole.
    /// </summary>
    private async Task WriteAsync()
    {
        Random random = new(1);
        for (int file = 0; file < Files; file++)
        {
            byte[] bytes = new byte[FileBytes];
            random.NextBytes(bytes);
            await File.WriteAllBytesAsync(Path.Combine(trip.Source, $"f{file:D2}"), bytes, Token);
        }

        await trip.WriteAsync(trip.Options with { BlockSizeBytes = 10 << 10, VolumeSizeBytes = 100 << 10 });
        store = ScriptedStore.OfFolder(trip.Destination);
        store.HasRanges = false;
    }

    /// <summary>
    /// Restores, one volume and one file at a time; returns the block volumes in the order in which
    /// they were read.
    /// </summary>
    private async Task<string[]> FetchedAsync(RestoreOptions? options = null)
    {
        if (Directory.Exists(Target))
        {
            Directory.Delete(Target, recursive: true);
        }

        finished.Names.Clear();
        store.ForgetReads();
        await using Backup backup = await Backup.OpenAsync(store, new BackupOptions(), Token);
        RestorePlan plan = await backup.PlanAsync(
            backup.Versions[0],
            (options ?? new RestoreOptions()) with
            {
                Target = Target,
            },
            cancellationToken: Token
        );
        RestoreReport report = await backup.ExecuteAsync(
            plan,
            new ExecuteOptions
            {
                Entries = finished,
                Tuning = new RestoreTuning
                {
                    VolumeDownloaders = 1,
                    VolumeDecryptors = 1,
                    VolumeDecompressors = 1,
                    FileProcessors = 1,
                },
            },
            Token
        );
        Assert.Empty(report.Issues);
        string[] read =
        [
            .. store.Reads.Select(each => each.Name).Where(name => name.Contains("dblock", StringComparison.Ordinal)),
        ];
        Assert.Equal(read.Distinct(), read);
        Assert.Equal(plan.Volumes.Select(volume => volume.Name), read);
        return read;
    }

    private sealed class FinishedList : IProgress<EntryResult>
    {
        public List<string> Names { get; } = [];

        public int IndexOf(string name) => Names.IndexOf(name);

        public void Report(EntryResult value)
        {
            lock (Names)
            {
                if (Path.GetFileName(value.Path) is ['f', ..] name)
                {
                    Names.Add(name);
                }
            }
        }
    }
}
