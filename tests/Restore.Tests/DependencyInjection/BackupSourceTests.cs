using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Restore.DependencyInjection;
using Restore.S3;

namespace Restore.Tests.DependencyInjection;

public sealed class BackupSourceTests
{
    [Fact]
    public async Task A_service_gets_the_backup_that_was_registered()
    {
        await using ServiceProvider provider = Services(Fixtures.Backup("aes-100kb"), Unlock).BuildServiceProvider();
        Backup backup = await provider.GetRequiredService<BackupSource>().GetAsync();
        Assert.Equal(3, backup.Versions.Count);
        Assert.True(await backup.CheckPassphraseAsync());
    }

    [Fact]
    public async Task All_callers_share_one_backup_and_the_container_closes_it()
    {
        OneStore store = new();
        ServiceProvider provider = Services("one://backup", null, store).BuildServiceProvider();
        BackupSource source = provider.GetRequiredService<BackupSource>();
        Backup[] backups = await Task.WhenAll(Enumerable.Range(0, 8).Select(_ => source.GetAsync().AsTask()));
        Assert.Single(backups.Distinct());
        Assert.Equal(1, store.Opened);
        Assert.Equal(0, store.Closed);
        await provider.DisposeAsync();
        Assert.Equal(1, store.Closed);
        await Assert.ThrowsAsync<ObjectDisposedException>(() => source.GetAsync().AsTask());
    }

    [Fact]
    public async Task A_backup_that_a_caller_opens_is_its_own()
    {
        OneStore store = new();
        await using ServiceProvider provider = Services("one://backup", null, store).BuildServiceProvider();
        BackupSource source = provider.GetRequiredService<BackupSource>();
        Backup shared = await source.GetAsync();
        await using (Backup own = await source.OpenAsync())
        {
            Assert.NotSame(shared, own);
        }

        Assert.Equal(2, store.Opened);
        Assert.Equal(1, store.Closed);
        Assert.Same(shared, await source.GetAsync());
    }

    [Fact]
    public async Task A_call_that_fails_is_followed_by_another_try()
    {
        using TempFolder folder = new();
        string location = Path.Combine(folder.Path, "later");
        await using ServiceProvider provider = Services(location, Unlock).BuildServiceProvider();
        BackupSource source = provider.GetRequiredService<BackupSource>();
        await Assert.ThrowsAsync<RestoreException>(() => source.GetAsync().AsTask());
        Directory.CreateDirectory(location);
        foreach (string file in Directory.EnumerateFiles(Fixtures.Backup("aes-100kb")))
        {
            File.Copy(file, Path.Combine(location, Path.GetFileName(file)));
        }

        Assert.Equal(3, (await source.GetAsync()).Versions.Count);
    }

    [Fact]
    public async Task Options_start_with_the_loggers_the_clock_and_the_stores_of_the_container()
    {
        FakeClock clock = new();
        BackupOptions? seen = null;
        ServiceCollection services = new();
        services.AddSingleton<TimeProvider>(clock);
        ListLogger loggers = new();
        services.AddSingleton<ILoggerFactory>(loggers);
        services.AddSingleton<IStoreProvider, S3StoreProvider>();
        services.AddBackup(
            Fixtures.Backup("plain-1mb"),
            (_, options) =>
            {
                seen = options;
                return options;
            }
        );
        await using ServiceProvider provider = services.BuildServiceProvider();
        await provider.GetRequiredService<BackupSource>().GetAsync();
        Assert.NotNull(seen);
        Assert.Same(clock, seen.TimeProvider);
        Assert.Same(loggers, seen.LoggerFactory);
        Assert.NotNull(seen.Stores.FindProvider("s3"));
        Assert.NotNull(seen.Stores.FindProvider("webdav"));
    }

    [Fact]
    public async Task Several_backups_have_keys()
    {
        ServiceCollection services = new();
        services.AddBackup(Fixtures.Backup("aes-100kb"), Unlock, "encrypted");
        services.AddBackup(_ => Fixtures.Backup("plain-1mb"), serviceKey: "plain");
        await using ServiceProvider provider = services.BuildServiceProvider();
        Backup encrypted = await provider.GetRequiredKeyedService<BackupSource>("encrypted").GetAsync();
        Backup plain = await provider.GetRequiredKeyedService<BackupSource>("plain").GetAsync();
        Assert.Equal(Fixtures.Backup("aes-100kb"), encrypted.Location);
        Assert.Equal(Fixtures.Backup("plain-1mb"), plain.Location);
        Assert.Null(provider.GetService<BackupSource>());
    }

    [Fact]
    public void A_source_that_no_service_needs_opens_nothing()
    {
        OneStore store = new();
        using ServiceProvider provider = Services("one://backup", null, store).BuildServiceProvider();
        Assert.Equal(0, store.Opened);
    }

    private static BackupOptions Unlock(IServiceProvider provider, BackupOptions options) =>
        options with
        {
            Passphrase = "correct horse",
        };

    private static ServiceCollection Services(
        string location,
        Func<IServiceProvider, BackupOptions, BackupOptions>? configure,
        IStoreProvider? store = null
    )
    {
        ServiceCollection services = new();
        if (store is not null)
        {
            services.AddSingleton(store);
        }

        services.AddBackup(location, configure);
        return services;
    }

    /// <summary>A store that counts how often it was opened and closed.</summary>
    private sealed class OneStore : IStoreProvider
    {
        private int opened;
        private int closed;

        public int Opened => opened;

        public int Closed => closed;

        public string Name => "one";

        public string Summary => "the fixture plain-1mb";

        public IReadOnlyList<string> Schemes => ["one"];

        public IReadOnlyList<string> Locations => ["one://backup"];

        public IReadOnlyList<StoreOption> Options => [];

        public IReadOnlyList<string> IgnoredOptions => [];

        public IVolumeStore Open(StoreContext context)
        {
            Interlocked.Increment(ref opened);
            return new Counting(ScriptedStore.OfFolder(Fixtures.Backup("plain-1mb")), this);
        }

        private sealed class Counting(ScriptedStore store, OneStore owner) : IVolumeStore
        {
            public string DisplayName => "one://backup";

            public bool HasRanges => true;

            public bool IsLocal => true;

            public IAsyncEnumerable<StoredFile> ListAsync(CancellationToken cancellationToken) =>
                store.ListAsync(cancellationToken);

            public ValueTask<int> ReadAsync(
                string name,
                long offset,
                Memory<byte> destination,
                CancellationToken cancellationToken
            ) => store.ReadAsync(name, offset, destination, cancellationToken);

            public ValueTask DisposeAsync()
            {
                Interlocked.Increment(ref owner.closed);
                return store.DisposeAsync();
            }
        }
    }
}
