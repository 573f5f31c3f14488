using System.Security.Cryptography;
using Restore.Storage;
using Restore.Tests.Storage.Servers;

namespace Restore.Tests.Storage;

/// <summary>What every sink must do; run against the real server of each.</summary>
public abstract class SinkConformance(StoreServer server) : IAsyncLifetime
{
    private readonly string parent = $"w-{Guid.NewGuid():N}";

    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(30);

    protected StoreServer Server { get; } = server;

    /// <summary>A folder that is not there yet, in one that may be written.</summary>
    protected string Folder => $"{parent}/backup";

    protected static CancellationToken Token => TestContext.Current.CancellationToken;

    public async ValueTask InitializeAsync() => await Server.MakeWritableFolderAsync(parent);

    public ValueTask DisposeAsync()
    {
        GC.SuppressFinalize(this);
        return ValueTask.CompletedTask;
    }

    [Fact]
    public async Task A_folder_that_is_not_there_is_made_once_for_many_who_write()
    {
        string[] names = [.. Enumerable.Range(0, 24).Select(number => $"duplicati-b{number}.dblock.zip.aes")];
        await using IVolumeSink sink = Server.OpenPlainSink($"{Folder}/new/below");

        await Task.WhenAll(names.Select(name => sink.PutAsync(name, "x"u8.ToArray(), Token).AsTask()))
            .WaitAsync(Patience, Token);

        Assert.Equal(names.Order(StringComparer.Ordinal), (await ListAsync(sink)).Select(file => file.Name));
    }

    [Fact]
    public async Task What_is_put_is_listed_with_its_size_and_read_as_it_was()
    {
        (string Name, byte[] Content)[] files =
        [
            ("duplicati-b1.dblock.zip.aes", RandomNumberGenerator.GetBytes(3_000_017)),
            ("duplicati-i1.dindex.zip.aes", RandomNumberGenerator.GetBytes(541)),
            ("duplicati-20261123T031000Z.dlist.zip.aes", RandomNumberGenerator.GetBytes(70_000)),
            ("restore-lock.duplicati.1.a-b_c", "x"u8.ToArray()),
        ];
        await using IVolumeSink sink = Server.OpenPlainSink($"{Folder}/new");
        Assert.Empty(await ListAsync(sink));

        await Task.WhenAll(files.Select(file => sink.PutAsync(file.Name, file.Content, Token).AsTask()))
            .WaitAsync(Patience, Token);

        Assert.Equal(
            files
                .Select(file => new StoredFile(file.Name, file.Content.Length))
                .OrderBy(file => file.Name, StringComparer.Ordinal),
            await ListAsync(sink)
        );
        await using IVolumeStore store = Server.Open($"{Folder}/new");
        foreach ((string name, byte[] content) in files)
        {
            byte[] read = new byte[content.Length];
            Assert.Equal(content.Length, await store.ReadAsync(name, 0, read, Token));
            Assert.True(content.AsSpan().SequenceEqual(read), name);
        }
    }

    [Fact]
    public async Task A_file_of_the_same_name_is_whole_before_and_after()
    {
        await using IVolumeSink sink = Server.OpenPlainSink(Folder);
        byte[] before = RandomNumberGenerator.GetBytes(1000);
        byte[] after = RandomNumberGenerator.GetBytes(500);
        await sink.PutAsync("a.zip", before, Token).AsTask().WaitAsync(Patience, Token);

        Exception? refusal = await Record.ExceptionAsync(() =>
            sink.PutAsync("a.zip", after, Token).AsTask().WaitAsync(Patience, Token)
        );

        Assert.True(refusal is null or IOException, refusal?.ToString());
        byte[] expected = refusal is null ? after : before;
        await using IVolumeStore store = Server.Open(Folder);
        byte[] read = new byte[2000];
        Assert.Equal(expected, read[..await store.ReadAsync("a.zip", 0, read, Token)]);
        Assert.Equal([new StoredFile("a.zip", expected.Length)], await ListAsync(sink));
    }

    [Fact]
    public async Task A_deleted_file_is_gone_and_one_that_is_not_there_counts_as_deleted()
    {
        await using IVolumeSink sink = Server.OpenPlainSink(Folder);
        await sink.DeleteAsync("absent.zip", Token).AsTask().WaitAsync(Patience, Token);
        await sink.PutAsync("a.zip", new byte[10], Token).AsTask().WaitAsync(Patience, Token);
        await sink.PutAsync("b.zip", new byte[20], Token).AsTask().WaitAsync(Patience, Token);

        await sink.DeleteAsync("a.zip", Token).AsTask().WaitAsync(Patience, Token);
        await sink.DeleteAsync("a.zip", Token).AsTask().WaitAsync(Patience, Token);

        Assert.Equal([new StoredFile("b.zip", 20)], await ListAsync(sink));
    }

    [Fact]
    public async Task An_upload_that_is_cancelled_leaves_no_volume()
    {
        await using IVolumeSink sink = Server.OpenPlainSink(Folder);
        await sink.PutAsync("a.zip", new byte[10], Token).AsTask().WaitAsync(Patience, Token);
        using var given = new CancellationTokenSource();
        await given.CancelAsync();

        await Assert.ThrowsAnyAsync<OperationCanceledException>(() =>
            sink.PutAsync("b.zip", new byte[5_000_000], given.Token).AsTask().WaitAsync(Patience, Token)
        );
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() =>
            sink.DeleteAsync("a.zip", given.Token).AsTask().WaitAsync(Patience, Token)
        );

        Assert.Equal([new StoredFile("a.zip", 10)], await ListAsync(sink));
    }

    [Fact]
    public async Task Of_two_writers_one_has_the_lock_and_the_next_gets_it_afterwards()
    {
        await using RetryingSink sink = Server.OpenSink(Folder);
        await using (
            await WriterLock
                .TakeAsync(sink, "duplicati", TimeProvider.System, breaks: false, Token)
                .WaitAsync(Patience, Token)
        )
        {
            RestoreException refused = await Assert.ThrowsAsync<RestoreException>(() =>
                WriterLock
                    .TakeAsync(sink, "duplicati", TimeProvider.System, breaks: false, Token)
                    .WaitAsync(Patience, Token)
            );
            Assert.Equal(RestoreErrorCode.BackupLocked, refused.Code);
            Assert.Contains(Environment.MachineName, refused.Message, StringComparison.Ordinal);
            await using WriterLock other = await WriterLock
                .TakeAsync(sink, "other", TimeProvider.System, breaks: false, Token)
                .WaitAsync(Patience, Token);
        }

        WriterLock forgotten = await WriterLock
            .TakeAsync(sink, "duplicati", TimeProvider.System, breaks: false, Token)
            .WaitAsync(Patience, Token);
        await using (
            await WriterLock
                .TakeAsync(sink, "duplicati", TimeProvider.System, breaks: true, Token)
                .WaitAsync(Patience, Token)
        )
        {
            Assert.Single(await sink.ListAsync(Token));
        }

        await forgotten.DisposeAsync();
        Assert.Empty(await sink.ListAsync(Token));
    }

    /// <summary>What is in the folder, without what an upload that failed may leave.</summary>
    private protected static async Task<List<StoredFile>> ListAsync(IVolumeSink sink)
    {
        List<StoredFile> files = await sink.ListAsync(Token).ToListAsync(Token).AsTask().WaitAsync(Patience, Token);
        return
        [
            .. files
                .Where(file => !file.Name.StartsWith("incomplete_", StringComparison.Ordinal))
                .OrderBy(file => file.Name, StringComparer.Ordinal),
        ];
    }
}
