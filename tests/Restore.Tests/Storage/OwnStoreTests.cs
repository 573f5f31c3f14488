using System.Collections.Concurrent;
using System.Runtime.CompilerServices;
using Restore.Tests.FixtureTests;
using Restore.Tests.Support;

namespace Restore.Tests.Storage;

/// <summary>
/// A store of somebody else's, made of public types only, is as good as one of this library.
/// </summary>
public sealed class OwnStoreTests
{
    private static readonly FixtureBackup Fixture = FixtureCatalog.Find("aes-100kb", "duplicati");

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    [Theory]
    [InlineData(true, true)]
    [InlineData(false, true)]
    [InlineData(false, false)]
    public async Task A_backup_in_a_store_of_your_own_is_restored(bool isLocal, bool hasRanges)
    {
        var store = new ShelfStore(Fixture.Location) { IsLocal = isLocal, HasRanges = hasRanges };
        using TempFolder target = new();

        await using (Backup backup = await Backup.OpenAsync(store, Fixture.Options(), Token))
        {
            Assert.Equal("shelf 1", backup.Location);
            await RestoreAsync(backup, target.Root);
        }

        Assert.True(store.IsDisposed);
        RestoredTree.AssertEqual(
            Fixture.Versions[0].ExpectedFile!,
            target.Root,
            Fixture.Checks,
            Fixture.Skipped.Contains
        );
    }

    [Fact]
    public async Task A_transient_failure_is_retried()
    {
        var store = new ShelfStore(Fixture.Location) { FailsOnce = true };
        var options = Fixture.Options() with
        {
            StoreOptions = new Dictionary<string, string> { ["retry-delay"] = "1ms", ["number-of-retries"] = "1" },
        };
        using TempFolder target = new();

        await using Backup backup = await Backup.OpenAsync(store, options, Token);
        await RestoreAsync(backup, target.Root);

        Assert.NotEmpty(store.Failed);
        RestoredTree.AssertEqual(
            Fixture.Versions[0].ExpectedFile!,
            target.Root,
            Fixture.Checks,
            Fixture.Skipped.Contains
        );
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task A_listing_that_fails_is_an_error_of_the_library_with_and_without_retries(bool isLocal)
    {
        ScriptedStore store = new([], new IOException("The shelf fell")) { IsLocal = isLocal };
        RestoreException failure = await Assert.ThrowsAsync<RestoreException>(() =>
            Backup.OpenAsync(store, cancellationToken: Token)
        );
        Assert.Equal(RestoreErrorCode.ListingFailed, failure.Code);
    }

    [Fact]
    public async Task A_scheme_of_your_own_opens_your_store_with_its_options()
    {
        using TempFolder target = new();
        var options = Fixture.Options() with
        {
            Stores = StoreRegistry.Default.With(new ShelfProvider()),
            StoreOptions = new Dictionary<string, string> { ["shelf-folder"] = Fixture.Location },
        };

        await using Backup backup = await Backup.OpenAsync("shelf://ann:s3cret@7/x?shelf-label=high", options, Token);
        await RestoreAsync(backup, target.Root);

        Assert.Equal("shelf high", backup.Location);
        RestoredTree.AssertEqual(
            Fixture.Versions[0].ExpectedFile!,
            target.Root,
            Fixture.Checks,
            Fixture.Skipped.Contains
        );
    }

    [Fact]
    public async Task A_misspelled_option_of_your_own_is_refused_by_name()
    {
        var options = Fixture.Options() with { Stores = StoreRegistry.Default.With(new ShelfProvider()) };

        RestoreException failure = await Assert.ThrowsAsync<RestoreException>(() =>
            Backup.OpenAsync("shelf://7/x?shelf-lable=high", options, Token)
        );

        Assert.Equal(RestoreErrorKind.Usage, failure.Kind);
        Assert.StartsWith(
            "No store has an option shelf-lable; the options of shelf:// locations are shelf-folder, shelf-label, auth-username,",
            failure.Message,
            StringComparison.Ordinal
        );
    }

    [Fact]
    public async Task A_store_without_a_backup_is_disposed()
    {
        using TempFolder empty = new();
        var store = new ShelfStore(empty.Path);
        var misspelled = new ShelfStore(Fixture.Location);

        await Assert.ThrowsAsync<RestoreException>(() => Backup.OpenAsync(store, cancellationToken: Token));
        await Assert.ThrowsAsync<RestoreException>(() =>
            Backup.OpenAsync(
                misspelled,
                new BackupOptions { StoreOptions = new Dictionary<string, string> { ["no-such"] = "" } },
                Token
            )
        );

        Assert.True(store.IsDisposed && misspelled.IsDisposed);
    }

    [Fact]
    public void A_scheme_belongs_to_one_store()
    {
        StoreRegistry registry = StoreRegistry.Default.With(new ShelfProvider());

        ArgumentException failure = Assert.Throws<ArgumentException>(() => registry.With(new ShelfProvider()));

        Assert.StartsWith(
            "The stores Shelf and Shelf both declare the scheme shelf",
            failure.Message,
            StringComparison.Ordinal
        );
        Assert.Null(StoreRegistry.Default.FindProvider("shelf"));
        Assert.Equal("shelf-label", registry.FindOption("SHELF-LABEL")!.Name);
    }

    private static async Task RestoreAsync(Backup backup, string target)
    {
        RestorePlan plan = await backup.PlanAsync(
            backup.Versions[0],
            FixtureRestore.Whole(target),
            cancellationToken: Token
        );
        RestoreReport report = await backup.ExecuteAsync(plan, cancellationToken: Token);
        Assert.Empty(report.Issues);
    }

    private sealed class ShelfProvider : IStoreProvider
    {
        private static readonly StoreOption Folder = new("shelf-folder", "where the shelf is");
        private static readonly StoreOption Label = new("shelf-label", "what is written on it") { Default = "none" };

        public string Name => "Shelf";

        public string Summary => "a shelf in a cellar";

        public IReadOnlyList<string> Schemes => ["shelf"];

        public IReadOnlyList<string> Locations => ["shelf://number/name"];

        public IReadOnlyList<StoreOption> Options => [Folder, Label];

        public IVolumeStore Open(StoreContext context)
        {
            Assert.Equal(
                ("7", "x", "ann", "s3cret"),
                (context.Url.Host, context.Url.Path, context.Url.Username, context.Url.Password)
            );
            Assert.Equal("shelf://7/x", context.Url.ToString());
            Assert.Equal("no *** here", context.Scrub("no s3cret here"));
            return new ShelfStore(context.Options.Text(Folder)!)
            {
                DisplayName = $"shelf {context.Options.Text(Label)}",
            };
        }
    }

    /// <summary>Files of a folder, kept in memory.</summary>
    private sealed class ShelfStore(string folder) : IVolumeStore
    {
        private readonly Dictionary<string, byte[]> files = Directory
            .GetFiles(folder)
            .ToDictionary(file => Path.GetFileName(file), File.ReadAllBytes);

        public string DisplayName { get; init; } = "shelf 1";

        public bool HasRanges { get; init; } = true;

        public bool IsLocal { get; init; }

        public bool FailsOnce { get; init; }

        public bool IsDisposed { get; private set; }

        public ConcurrentDictionary<string, bool> Failed { get; } = new();

        public async IAsyncEnumerable<StoredFile> ListAsync(
            [EnumeratorCancellation] CancellationToken cancellationToken = default
        )
        {
            await Task.Yield();
            foreach ((string name, byte[] content) in files)
            {
                cancellationToken.ThrowIfCancellationRequested();
                yield return new StoredFile(name, content.Length);
            }
        }

        public ValueTask<int> ReadAsync(
            string name,
            long offset,
            Memory<byte> destination,
            CancellationToken cancellationToken = default
        )
        {
            if (!files.TryGetValue(name, out byte[]? content))
            {
                throw new FileNotFoundException($"{name} is not on the shelf");
            }

            int count = (int)Math.Clamp(content.Length - offset, 0, destination.Length);
            if (FailsOnce && count > 1 && Failed.TryAdd(name, true))
            {
                content.AsMemory((int)offset, count / 2).CopyTo(destination);
                throw new TransientStoreException("The light went out") { BytesRead = count / 2 };
            }

            content.AsMemory((int)offset, count).CopyTo(destination);
            return ValueTask.FromResult(count);
        }

        public ValueTask DisposeAsync()
        {
            IsDisposed = true;
            return ValueTask.CompletedTask;
        }
    }
}
