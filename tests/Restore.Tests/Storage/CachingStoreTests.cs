using Restore.Storage;
using Restore.Storage.Local;
using Restore.Tests.Ends;

namespace Restore.Tests.Storage;

public sealed class CachingStoreTests : IDisposable
{
    private const string List = "duplicati-20260101T000000Z.dlist.zip.aes";
    private const string Index = "duplicati-i0123456789abcdef.dindex.zip.aes";
    private const string Block = "duplicati-b0123456789abcdef.dblock.zip.aes";

    private static readonly byte[] Content = [.. Enumerable.Range(0, 300_000).Select(i => (byte)(i * 31 >> 3))];

    private readonly TempFolder folder = new();

    private string Cache => Path.Combine(folder.Path, "cache");

    public void Dispose() => folder.Dispose();

    [Theory]
    [InlineData(List)]
    [InlineData(Index)]
    public async Task A_file_list_or_index_volume_that_was_read_is_not_read_from_the_store_again(string name)
    {
        await ReadAsync(Store(name), name);
        ScriptedStore second = Store(name);
        Assert.Equal(Content, await ReadAsync(second, name));

        // Of a list only the header, which says whether it is the same one.
        Assert.Equal(name == List ? 512 : 0, second.BytesRead);
    }

    [Fact]
    public async Task A_file_list_of_the_same_length_with_another_header_is_read_from_the_store()
    {
        await ReadAsync(Store(List), List);
        byte[] other = [.. Content];
        other[300] ^= 1;
        ScriptedStore second = new(other) { Listed = [new(List, other.Length)] };
        Assert.Equal(other, await ReadAsync(second, List));
    }

    [Fact]
    public async Task A_pipe_in_the_cache_is_no_cached_file_and_nobody_waits_for_it()
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "Windows has no such pipes.");
        await ReadAsync(Store(List), List);
        string cached = Directory.GetFiles(Cache, "*", SearchOption.AllDirectories).Single();
        File.Delete(cached);
        Native.Fifo(cached);
        Assert.Equal(
            Content,
            await ReadAsync(Store(List), List)
                .WaitAsync(TimeSpan.FromSeconds(30), TestContext.Current.CancellationToken)
        );
    }

    [Theory]
    [InlineData(Block)]
    [InlineData("duplicati-verification.json")]
    public async Task Nothing_else_is_kept(string name)
    {
        await ReadAsync(Store(name), name);
        ScriptedStore second = Store(name);
        await ReadAsync(second, name);
        Assert.Single(second.Reads);
        Assert.False(Directory.Exists(Cache));
    }

    [Fact]
    public async Task A_part_is_read_from_the_cache()
    {
        await ReadAsync(Store(Index), Index);
        ScriptedStore second = Store(Index);
        await using var store = new CachingStore(second, Cache);
        await ListAsync(store);
        byte[] part = new byte[1000];
        Assert.Equal(1000, await store.ReadAsync(Index, 200_000, part, TestContext.Current.CancellationToken));
        Assert.Equal(Content[200_000..201_000], part);
        Assert.Equal(
            500,
            await store.ReadAsync(Index, Content.Length - 500, part, TestContext.Current.CancellationToken)
        );
        Assert.Equal(0, await store.ReadAsync(Index, Content.Length + 5, part, TestContext.Current.CancellationToken));
        Assert.Empty(second.Reads);
    }

    [Fact]
    public async Task A_part_is_never_kept_as_the_whole()
    {
        await using (var store = new CachingStore(Store(Index), Cache))
        {
            await ListAsync(store);
            await store.ReadAsync(Index, 0, new byte[1000], TestContext.Current.CancellationToken);
            await store.ReadAsync(Index, 1000, new byte[Content.Length], TestContext.Current.CancellationToken);
        }

        Assert.False(Directory.Exists(Cache));
    }

    [Fact]
    public async Task A_file_that_the_store_lists_with_another_size_is_read_from_the_store()
    {
        await ReadAsync(Store(Index), Index);
        byte[] other = Content[1..];
        ScriptedStore second = new(other) { Listed = [new(Index, other.Length)] };
        Assert.Equal(other, await ReadAsync(second, Index));
        Assert.Single(second.Reads);
        ScriptedStore third = new(other) { Listed = [new(Index, other.Length)] };
        Assert.Equal(other, await ReadAsync(third, Index));
        Assert.Empty(third.Reads);
    }

    [Fact]
    public async Task A_file_that_ends_before_the_listed_size_is_not_kept()
    {
        await ReadAsync(new ScriptedStore(Content[1..]) { Listed = [new(Index, Content.Length)] }, Index);
        Assert.False(Directory.Exists(Cache));
    }

    [Theory]
    [InlineData(0)]
    [InlineData(299_999)]
    [InlineData(300_031)]
    public async Task A_kept_file_with_a_wrong_byte_is_read_from_the_store_and_kept_again(int offset)
    {
        await ReadAsync(Store(Index), Index);
        string file = Assert.Single(Directory.GetFiles(Cache, "*", SearchOption.AllDirectories));
        byte[] bytes = await File.ReadAllBytesAsync(file, TestContext.Current.CancellationToken);
        bytes[offset] ^= 1;
        await File.WriteAllBytesAsync(file, bytes, TestContext.Current.CancellationToken);

        ScriptedStore second = Store(Index);
        Assert.Equal(Content, await ReadAsync(second, Index));
        Assert.Single(second.Reads);
        ScriptedStore third = Store(Index);
        Assert.Equal(Content, await ReadAsync(third, Index));
        Assert.Empty(third.Reads);
    }

    [Fact]
    public async Task A_cache_that_cannot_be_written_is_disabled_with_a_reason()
    {
        string file = Path.Combine(folder.Path, "file");
        await File.WriteAllTextAsync(file, "", TestContext.Current.CancellationToken);
        await using var store = new CachingStore(Store(Index), file);
        await ListAsync(store);
        Assert.Null(store.Problem);
        Assert.Equal(Content, await ReadAsync(store));
        Assert.StartsWith("The cache cannot be used and is disabled: ", store.Problem, StringComparison.Ordinal);
        Assert.Equal(Content, await ReadAsync(store));
    }

    [Fact]
    public async Task A_failed_read_leaves_nothing_behind()
    {
        await using var store = new CachingStore(
            new ScriptedStore(Content, null, new IOException("lost")) { Listed = [new(Index, Content.Length)] },
            Cache
        );
        await ListAsync(store);
        await Assert.ThrowsAsync<IOException>(() => ReadAsync(store));
        Assert.False(Directory.Exists(Cache));
        Assert.Equal(Content, await ReadAsync(store));
    }

    [Fact]
    public async Task Two_stores_in_one_folder_do_not_see_each_others_files()
    {
        await ReadAsync(Store(Index), Index);
        using var other = new TempFolder();
        byte[] content = [.. Content.Reverse()];
        await File.WriteAllBytesAsync(Path.Combine(other.Path, Index), content, TestContext.Current.CancellationToken);
        await using var store = new CachingStore(new LocalFolderStore(other.Path), Cache);
        await ListAsync(store);
        Assert.Equal(content, await ReadAsync(store));
        Assert.Equal(2, Directory.GetDirectories(Cache).Length);
    }

    [Fact]
    public async Task Only_the_user_may_look_into_the_cache()
    {
        if (OperatingSystem.IsWindows())
        {
            Assert.Skip("Windows gives the folder the rights of the one it is in.");
            return;
        }

        await ReadAsync(Store(Index), Index);
        const UnixFileMode Others =
            UnixFileMode.GroupRead
            | UnixFileMode.GroupWrite
            | UnixFileMode.GroupExecute
            | UnixFileMode.OtherRead
            | UnixFileMode.OtherWrite
            | UnixFileMode.OtherExecute;
        string kept = Assert.Single(Directory.GetDirectories(Cache));
        Assert.Equal(UnixFileMode.None, File.GetUnixFileMode(kept) & Others);
    }

    [Fact]
    public async Task Planning_a_second_restore_reads_nothing_but_the_listing()
    {
        string passphrase = Fixtures.Info("aes-100kb").GetProperty("passphrase").GetString()!;
        BackupOptions options = new() { Passphrase = passphrase, CacheDirectory = Cache };
        string backup = Path.Combine(folder.Path, "backup");
        Directory.CreateDirectory(backup);
        foreach (string volume in Directory.GetFiles(Fixtures.Backup("aes-100kb")))
        {
            File.Copy(volume, Path.Combine(backup, Path.GetFileName(volume)));
        }

        long[] bytesToFetch = [await PlanAsync(), 0];

        // Of the same size, and nothing in them but headers: what is read from here now cannot be
        // used.
        foreach (
            string volume in Directory
                .GetFiles(backup)
                .Where(volume => !volume.Contains(".dblock.", StringComparison.Ordinal))
        )
        {
            byte[] bytes = await File.ReadAllBytesAsync(volume, TestContext.Current.CancellationToken);
            bytes.AsSpan(Math.Min(512, bytes.Length)).Clear();
            await File.WriteAllBytesAsync(volume, bytes, TestContext.Current.CancellationToken);
        }

        bytesToFetch[1] = await PlanAsync();
        Assert.True(bytesToFetch[0] > 0);
        Assert.Equal(bytesToFetch[0], bytesToFetch[1]);
        Assert.All(
            Directory.GetFiles(Cache, "*", SearchOption.AllDirectories),
            file => Assert.Equal("AES"u8.ToArray(), File.ReadAllBytes(file)[..3])
        );

        async Task<long> PlanAsync()
        {
            await using Backup opened = await Backup.OpenAsync(backup, options, TestContext.Current.CancellationToken);
            RestorePlan plan = await opened.PlanAsync(
                opened.Versions[0],
                new RestoreOptions { VerifyOnly = true },
                cancellationToken: TestContext.Current.CancellationToken
            );
            Assert.Empty(plan.Issues);
            return plan.BytesToFetch;
        }
    }

    private static ScriptedStore Store(string name) => new(Content) { Listed = [new(name, Content.Length)] };

    private async Task<byte[]> ReadAsync(ScriptedStore inner, string name)
    {
        await using var store = new CachingStore(inner, Cache);
        await ListAsync(store);
        return await ReadAsync(store, name);
    }

    private static async Task<byte[]> ReadAsync(CachingStore store, string name = Index)
    {
        byte[] content = new byte[Content.Length];
        return content[..await store.ReadAsync(name, 0, content, TestContext.Current.CancellationToken)];
    }

    private static async Task ListAsync(CachingStore store)
    {
        await foreach (StoredFile _ in store.ListAsync(TestContext.Current.CancellationToken)) { }
    }
}
