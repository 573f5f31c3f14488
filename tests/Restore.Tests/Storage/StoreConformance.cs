using System.Security.Cryptography;
using Restore.Storage;
using Restore.Tests.FixtureTests;
using Restore.Tests.Storage.Servers;

namespace Restore.Tests.Storage;

/// <summary>What every store must do; run against the real server of each.</summary>
public abstract class StoreConformance(StoreServer server)
{
    private const int LargeBytes = 3_000_017;

    /// <summary>Fixtures and the prefixes of the backups in them.</summary>
    public static TheoryData<string, string> Backups()
    {
        TheoryData<string, string> backups = [];
        foreach (FixtureBackup backup in FixtureCatalog.Readable)
        {
            backups.Add(backup.Name, backup.Prefix);
        }

        return backups;
    }

    protected StoreServer Server { get; } = server;

    protected string Folder { get; } = $"f-{Guid.NewGuid():N}";

    protected static CancellationToken Token => TestContext.Current.CancellationToken;

    [Fact]
    public async Task It_lists_every_file_with_its_size_and_no_folder()
    {
        await using IVolumeStore store = await FilledAsync(
            ("a.zip", new byte[10]),
            ("empty.zip", []),
            ("b.zip.aes", new byte[70_000])
        );
        await Server.MakeFolderAsync($"{Folder}/below");
        await Server.PutAsync($"{Folder}/below", "deep.zip", new byte[5]);

        List<StoredFile> files = await store.ListAsync(Token).ToListAsync(Token);

        Assert.Equal(
            [new("a.zip", 10), new("b.zip.aes", 70_000), new("empty.zip", 0)],
            files.OrderBy(file => file.Name, StringComparer.Ordinal)
        );
    }

    [Fact]
    public async Task A_folder_that_is_not_there_is_said_to_be_missing()
    {
        await using IVolumeStore store = Server.Open(Folder);
        if (Server.AbsentFolderIsEmpty)
        {
            Assert.Empty(await store.ListAsync(Token).ToListAsync(Token));
            return;
        }

        RestoreException failure = await Assert.ThrowsAsync<RestoreException>(async () =>
            await store.ListAsync(Token).ToListAsync(Token)
        );
        Assert.Equal(RestoreErrorKind.NotFound, failure.Kind);
    }

    [Fact]
    public async Task An_empty_folder_lists_nothing()
    {
        await using IVolumeStore store = await FilledAsync();

        Assert.Empty(await store.ListAsync(Token).ToListAsync(Token));
    }

    [Fact]
    public async Task Names_with_signs_that_URLs_give_a_meaning_are_listed_and_read()
    {
        string[] names =
        [
            "with blank.zip",
            "50%25.zip",
            "a+b&c=d.zip",
            "ünïcödé-日本.zip",
            "hash#1.zip",
            "[x](y);'z'.zip",
        ];
        await using IVolumeStore store = await FilledAsync(names.Select(name => (name, BytesOf(name))).ToArray());

        List<StoredFile> files = await store.ListAsync(Token).ToListAsync(Token);

        Assert.Equal(
            names.Order(StringComparer.Ordinal),
            files.Select(file => file.Name).Order(StringComparer.Ordinal)
        );
        foreach (string name in names)
        {
            byte[] destination = new byte[200];
            int count = await store.ReadAsync(name, 0, destination, Token);
            Assert.Equal(BytesOf(name), destination[..count]);
        }
    }

    [Fact]
    public async Task A_whole_file_is_read_into_a_buffer_of_its_size()
    {
        byte[] content = RandomNumberGenerator.GetBytes(LargeBytes);
        await using IVolumeStore store = await FilledAsync(("large.zip", content));
        byte[] destination = new byte[LargeBytes];

        int count = await store.ReadAsync("large.zip", 0, destination, Token);

        Assert.Equal(LargeBytes, count);
        Assert.True(content.AsSpan().SequenceEqual(destination));
    }

    [Theory]
    [InlineData(0, 1, 1)]
    [InlineData(1_234_567, 65_536, 65_536)]
    [InlineData(LargeBytes - 100, 100, 100)]
    [InlineData(LargeBytes - 100, 5_000, 100)]
    [InlineData(0, LargeBytes + 1_000, LargeBytes)]
    [InlineData(LargeBytes, 10, 0)]
    [InlineData(LargeBytes + 5_000_000, 10, 0)]
    [InlineData(5, 0, 0)]
    public async Task A_range_is_read_as_far_as_the_file_goes(int offset, int length, int expected)
    {
        byte[] content = RandomNumberGenerator.GetBytes(LargeBytes);
        await using IVolumeStore store = await FilledAsync(("large.zip", content));
        byte[] destination = new byte[length];

        int count = await store.ReadAsync("large.zip", offset, destination, Token);

        Assert.Equal(expected, count);
        Assert.True(content.AsSpan(Math.Min(offset, LargeBytes), expected).SequenceEqual(destination.AsSpan(0, count)));
        Assert.True(store.HasRanges);
    }

    [Fact]
    public async Task An_empty_file_reads_as_nothing()
    {
        await using IVolumeStore store = await FilledAsync(("empty.zip", []));
        if (Server.BreaksEmptyFiles)
        {
            await Assert.ThrowsAsync<IOException>(async () =>
                await store.ReadAsync("empty.zip", 0, new byte[100], Token)
            );
            return;
        }

        Assert.Equal(0, await store.ReadAsync("empty.zip", 0, new byte[100], Token));
    }

    [Fact]
    public async Task A_file_that_is_not_there_is_a_file_not_found()
    {
        await using IVolumeStore store = await FilledAsync(("a.zip", new byte[10]));

        FileNotFoundException failure = await Assert.ThrowsAsync<FileNotFoundException>(async () =>
            await store.ReadAsync("absent.zip", 0, new byte[10], Token)
        );

        Assert.Contains("absent.zip", failure.Message, StringComparison.Ordinal);
        AssertTellsNoSecret(failure);
    }

    [Fact]
    public async Task Many_reads_at_once_each_get_their_own_bytes()
    {
        byte[] content = RandomNumberGenerator.GetBytes(LargeBytes);
        await using IVolumeStore store = await FilledAsync(("large.zip", content));

        var eightAtOnce = new ParallelOptions { MaxDegreeOfParallelism = 8, CancellationToken = Token };
        await Parallel.ForEachAsync(
            Enumerable.Range(0, 16),
            eightAtOnce,
            async (part, token) =>
            {
                int offset = part * (LargeBytes / 16);
                byte[] destination = new byte[LargeBytes / 16];
                Assert.Equal(destination.Length, await store.ReadAsync("large.zip", offset, destination, token));
                Assert.True(content.AsSpan(offset, destination.Length).SequenceEqual(destination));
            }
        );
    }

    [Theory]
    [InlineData("aes-100kb")]
    [InlineData("plain-1mb")]
    [InlineData("gpg")]
    [InlineData("tgz")]
    public async Task A_backup_made_by_Duplicati_reads_as_it_is_on_disk(string fixture)
    {
        string backup = Fixtures.Backup(fixture);
        (string Name, byte[] Content)[] volumes = Directory
            .GetFiles(backup)
            .Select(file => (Path.GetFileName(file), File.ReadAllBytes(file)))
            .ToArray();
        await using IVolumeStore store = await FilledAsync(volumes);

        List<StoredFile> files = await store.ListAsync(Token).ToListAsync(Token);

        Assert.Equal(volumes.Length, files.Count);
        foreach ((string name, byte[] content) in volumes)
        {
            byte[] destination = new byte[files.Single(file => file.Name == name).SizeBytes];
            Assert.Equal(destination.Length, await store.ReadAsync(name, 0, destination, Token));
            Assert.True(content.AsSpan().SequenceEqual(destination), name);
        }
    }

    [Theory]
    [MemberData(nameof(Backups))]
    public async Task Every_intact_backup_is_restored_from_it(string fixture, string prefix)
    {
        FixtureBackup backup = FixtureCatalog.Find(fixture, prefix);
        await FillAsync(
            Directory.GetFiles(backup.Location).Select(file => (Path.GetFileName(file), File.ReadAllBytes(file)))
        );
        using TempFolder target = new();

        BackupOptions access = backup.Options() with { Stores = TestStores.Registry, StoreOptions = Server.Options };
        RestoreOptions whole = FixtureRestore.Whole(target.Root);
        await FixtureRestore.RunAsync(backup, 0, whole, Server.UrlOf(Folder, Server.Port), access, Token);

        RestoredTree.AssertEqual(backup.Versions[0].ExpectedFile!, target.Root, backup.Checks, backup.Skipped.Contains);
    }

    [Fact]
    public async Task Giving_up_ends_a_read()
    {
        await using IVolumeStore store = await FilledAsync(("a.zip", new byte[10]));
        using var given = new CancellationTokenSource();
        await given.CancelAsync();

        await Assert.ThrowsAnyAsync<OperationCanceledException>(async () =>
            await store.ReadAsync("a.zip", 0, new byte[10], given.Token)
        );
        await Assert.ThrowsAnyAsync<OperationCanceledException>(async () =>
            await store.ListAsync(given.Token).ToListAsync(given.Token)
        );
    }

    /// <summary>Fills the folder and opens a store on it.</summary>
    private protected async Task<IVolumeStore> FilledAsync(params (string Name, byte[] Content)[] files)
    {
        await FillAsync(files);
        return Server.Open(Folder);
    }

    protected async Task FillAsync(IEnumerable<(string Name, byte[] Content)> files)
    {
        await Server.MakeFolderAsync(Folder);
        foreach ((string name, byte[] content) in files)
        {
            await Server.PutAsync(Folder, name, content);
        }
    }

    protected void AssertTellsNoSecret(Exception failure)
    {
        if (Server.Secret is { } secret)
        {
            Assert.DoesNotContain(secret, failure.ToString(), StringComparison.Ordinal);
        }
    }

    private static byte[] BytesOf(string text) => System.Text.Encoding.UTF8.GetBytes(text);
}
