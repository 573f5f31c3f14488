using Restore.Storage;
using Restore.Tests.FixtureTests;
using Restore.Tests.Storage.Servers;

namespace Restore.Tests.Storage;

/// <summary>What every store does that is reached over a network.</summary>
public abstract class RemoteStoreConformance(StoreServer server) : StoreConformance(server)
{
    [Fact]
    public async Task A_server_that_is_not_there_ends_the_run_with_a_reason()
    {
        await using IVolumeStore store = Server.Open(Folder, StoreServer.FreePort());

        RestoreException failure = await Assert.ThrowsAsync<RestoreException>(async () =>
            await store.ListAsync(Token).ToListAsync(Token)
        );

        Assert.Equal(RestoreErrorKind.Failed, failure.Kind);
        Assert.Contains("in 3 tries", failure.Message, StringComparison.Ordinal);
        Assert.Equal(RestoreErrorCode.StoreUnreachable, failure.Code);
        AssertTellsNoSecret(failure);
    }

    [Fact]
    public async Task Wrong_credentials_end_the_run_at_once()
    {
        await Server.MakeFolderAsync(Folder);
        (string name, string value) = Server.WrongCredential;
        await using IVolumeStore store = Server.Open(Folder, out MeteredStore meter, null, (name, value));

        RestoreException failure = await Assert.ThrowsAsync<RestoreException>(async () =>
            await store.ListAsync(Token).ToListAsync(Token)
        );

        Assert.Contains("refused", failure.Message, StringComparison.Ordinal);
        Assert.DoesNotContain("quite-wrong", failure.ToString(), StringComparison.Ordinal);
        Assert.Equal(1, meter.Requests);
    }

    [Fact]
    public async Task A_plan_reckons_with_the_rate_that_the_URL_gives()
    {
        FixtureBackup backup = FixtureCatalog.Find("aes-100kb", "duplicati");
        await FillAsync(
            Directory.GetFiles(backup.Location).Select(file => (Path.GetFileName(file), File.ReadAllBytes(file)))
        );
        string url = Server.UrlOf(Folder, Server.Port);
        char separator = url.Contains('?', StringComparison.Ordinal) ? '&' : '?';
        BackupOptions access = backup.Options() with { Stores = TestStores.Registry, StoreOptions = Server.Options };

        await using Backup opened = await Backup.OpenAsync($"{url}{separator}throttle-download=64mb", access, Token);
        RestorePlan plan = await opened.PlanAsync(
            opened.Versions[0],
            new RestoreOptions { VerifyOnly = true },
            cancellationToken: Token
        );

        Assert.Equal(64L << 20, opened.ThrottleBytesPerSecond);
    }

    [Fact]
    public async Task Bytes_are_counted_as_they_come()
    {
        const int Length = 1 << 20;
        await using IVolumeStore filled = await FilledAsync(("a.zip", new byte[5000]), ("b.zip", new byte[Length]));
        await using IVolumeStore store = Server.Open(Folder, out MeteredStore meter);

        await store.ReadAsync("a.zip", 1000, new byte[300], Token);
        await store.ReadAsync("a.zip", 4900, new byte[300], Token);

        Assert.Equal(400, meter.BytesFetched);
        Assert.Equal(2, meter.Requests);

        FetchCount count = meter.StartCount();
        List<(long Bytes, int Open)> seen = [];
        count.Changed = () => seen.Add((count.Bytes, count.OpenRequests));
        await store.ReadAsync("b.zip", 0, new byte[Length], Token);
        Assert.Contains(seen, now => now is { Bytes: > 0 and < Length, Open: 1 });
        Assert.Equal((Length, 0), seen[^1]);
        Assert.False(store.IsLocal);
        Assert.DoesNotContain("auth", store.DisplayName, StringComparison.Ordinal);
    }
}
