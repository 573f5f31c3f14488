using System.Security.Cryptography;
using Restore.Memory;
using Restore.Storage;
using Restore.Storage.Local;
using Restore.Tests.Ends;

namespace Restore.Tests.Storage;

public sealed class LocalFolderStoreTests : IDisposable
{
    private readonly TempFolder folder = new();

    public void Dispose() => folder.Dispose();

    private LocalFolderStore Store => new(folder.Path);

    private string Write(string name, byte[] content)
    {
        string path = Path.Combine(folder.Path, name);
        File.WriteAllBytes(path, content);
        return path;
    }

    private static async Task<List<StoredFile>> List(LocalFolderStore store) =>
        await store.ListAsync().OrderBy(f => f.Name, StringComparer.Ordinal).ToListAsync();

    [Fact]
    public async Task Files_are_listed_with_their_sizes_and_folders_are_not()
    {
        Write("a.dblock.zip", new byte[10]);
        Write(".hidden", new byte[3]);
        Write("empty", []);
        Directory.CreateDirectory(Path.Combine(folder.Path, "photos"));
        File.WriteAllBytes(Path.Combine(folder.Path, "photos", "inside"), [1]);

        Assert.Equal(
            [new StoredFile(".hidden", 3), new StoredFile("a.dblock.zip", 10), new StoredFile("empty", 0)],
            await List(Store)
        );
    }

    [Fact]
    public async Task Who_wants_no_more_files_leaves_no_open_folder()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Open handles are looked up in /proc.");
        Enumerable.Range(0, 5000).ToList().ForEach(number => Write($"{number}", []));
        await foreach (StoredFile _ in Store.ListAsync(TestContext.Current.CancellationToken))
        {
            Assert.True(IsOpen());
            break;
        }

        // Few looks: what they leave to the garbage collector makes it close the folder in the end.
        for (int looks = 0; IsOpen(); looks++)
        {
            Assert.True(looks < 100, "The folder stays open");
            await Task.Delay(looks, TestContext.Current.CancellationToken);
        }

        bool IsOpen() =>
            new DirectoryInfo("/proc/self/fd")
                .EnumerateFileSystemInfos()
                .Any(handle => handle.LinkTarget == folder.Path);
    }

    [Fact]
    public async Task A_folder_with_the_name_of_a_volume_counts_as_an_empty_file()
    {
        const string Block = "duplicati-b0123456789abcdef0123456789abcdef.dblock.zip";
        Directory.CreateDirectory(Path.Combine(folder.Path, Block));
        Directory.CreateDirectory(Path.Combine(folder.Path, "photos"));

        Assert.Equal([new StoredFile(Block, 0)], await List(Store));
    }

    [Fact]
    public async Task A_link_to_a_file_counts_as_that_file_and_other_links_not_at_all()
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "Links need a privilege on Windows.");
        using var elsewhere = new TempFolder();
        File.WriteAllBytes(Path.Combine(elsewhere.Path, "target"), [1, 2, 3, 4, 5]);
        File.CreateSymbolicLink(Path.Combine(folder.Path, "link"), Path.Combine(elsewhere.Path, "target"));
        File.CreateSymbolicLink(Path.Combine(folder.Path, "dangling"), "/nowhere/at/all");
        File.CreateSymbolicLink(Path.Combine(folder.Path, "loop"), "loop");
        File.CreateSymbolicLink(Path.Combine(folder.Path, "folder"), elsewhere.Path);
        var content = new byte[5];

        Assert.Equal([new StoredFile("link", 5)], await List(Store));
        Assert.Equal(5, await Store.ReadAsync("link", 0, content));
        Assert.Equal([1, 2, 3, 4, 5], content);
        await Assert.ThrowsAsync<FileNotFoundException>(async () => await Store.ReadAsync("dangling", 0, content));
        await Assert.ThrowsAnyAsync<IOException>(async () => await Store.ReadAsync("loop", 0, content));
    }

    [Fact]
    public async Task A_missing_folder_is_an_error_with_advice()
    {
        var missing = await Assert.ThrowsAsync<RestoreException>(async () =>
            await List(new LocalFolderStore(Path.Combine(folder.Path, "none")))
        );

        Assert.Equal(RestoreErrorCode.LocationNotFound, missing.Code);
        Assert.Equal($"There is no such folder ({Path.Combine(folder.Path, "none")})", missing.Message);
    }

    [Fact]
    public async Task A_file_in_place_of_the_folder_is_an_error_with_advice()
    {
        string path = Write("a.dlist.zip", [1]);

        var wrong = await Assert.ThrowsAsync<RestoreException>(async () => await List(new LocalFolderStore(path)));

        Assert.Equal(RestoreErrorCode.LocationIsFile, wrong.Code);
        Assert.Equal($"The backup's location is a file ({path})", wrong.Message);
    }

    [Theory]
    [InlineData(0, 100_000)]
    [InlineData(0, 200_000)]
    [InlineData(1, 10)]
    [InlineData(99_990, 100)]
    [InlineData(100_000, 10)]
    [InlineData(200_000, 10)]
    [InlineData(5, 0)]
    public async Task A_read_gives_what_there_is_from_its_offset_on(int offset, int length)
    {
        byte[] content = RandomNumberGenerator.GetBytes(100_000);
        Write("volume", content);
        var destination = new byte[length];

        int count = await Store.ReadAsync("volume", offset, destination);

        Assert.Equal(content.Skip(offset).Take(length), destination.Take(count));
    }

    [Fact]
    public async Task A_volume_longer_than_one_piece_is_read_in_one_call()
    {
        byte[] content = RandomNumberGenerator.GetBytes(9 * 1024 * 1024 + 1);
        Write("volume", content);
        var destination = new byte[content.Length];

        Assert.Equal(content.Length, await Store.ReadAsync("volume", 0, destination));
        Assert.Equal(content, destination);
    }

    [Fact]
    public async Task A_read_that_is_left_behind_does_not_write_into_memory_that_is_used_again()
    {
        byte[] content = RandomNumberGenerator.GetBytes(3 << 20);
        Write("volume", content);
        using OverdueClock clock = new();
        LocalFolderStore store = new(
            folder.Path,
            new StoreTransfers(new TransferSettings { ProgressTimeout = TimeSpan.FromSeconds(1) }, clock),
            clock
        );
        BufferPool pool = new();
        PooledBuffer buffer = pool.Rent(content.Length);
        Memory<byte> left = buffer.Room;
        left.Span.Clear();
        await Assert
            .ThrowsAsync<RestoreException>(() => store.ReadAsync("volume", 0, buffer.OwnedMemory).AsTask())
            .WaitAsync(OverdueClock.Limit);
        buffer.Dispose();
        Assert.Equal(0, pool.OutstandingBuffers);

        using PooledBuffer next = pool.Rent(content.Length);
        next.Span.Clear();
        int read = content.Length - left.Span.TrimEnd((byte)0).Length;
        clock.Continues.Set();
        Assert.True(
            SpinWait.SpinUntil(() => content.Length - left.Span.TrimEnd((byte)0).Length < read, OverdueClock.Limit)
        );
        Assert.False(next.Span.ContainsAnyExcept((byte)0));
    }

    [Fact]
    public async Task Reads_of_one_file_at_once_do_not_disturb_each_other()
    {
        byte[] content = RandomNumberGenerator.GetBytes(1_000_000);
        Write("volume", content);
        LocalFolderStore store = Store;

        byte[][] parts = await Task.WhenAll(
            Enumerable
                .Range(0, 100)
                .Select(async i =>
                {
                    var part = new byte[10_000];
                    Assert.Equal(part.Length, await store.ReadAsync("volume", i * 10_000, part));
                    return part;
                })
        );

        Assert.Equal(content, parts.SelectMany(p => p));
    }

    [Theory]
    [InlineData("none")]
    [InlineData("../escape")]
    [InlineData("sub/inside")]
    [InlineData("sub\\inside")]
    [InlineData("sub")]
    [InlineData("")]
    [InlineData(".")]
    [InlineData("..")]
    [InlineData("a:stream")]
    [InlineData("a\0b")]
    public async Task A_name_that_is_not_a_plain_file_name_is_not_found(string name)
    {
        Directory.CreateDirectory(Path.Combine(folder.Path, "sub"));
        File.WriteAllBytes(Path.Combine(folder.Path, "sub", "inside"), [1]);
        var inner = new LocalFolderStore(Path.Combine(folder.Path, "sub"));
        Write("escape", [1]);

        var store = name.StartsWith("..", StringComparison.Ordinal) ? inner : Store;
        var missing = await Assert.ThrowsAsync<FileNotFoundException>(async () =>
            await store.ReadAsync(name, 0, new byte[1])
        );

        Assert.Contains(" does not exist in ", missing.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_read_in_a_deleted_folder_is_the_end_of_the_store()
    {
        RestoreException gone = await Assert.ThrowsAsync<RestoreException>(async () =>
            await new LocalFolderStore(Path.Combine(folder.Path, "gone")).ReadAsync("volume", 0, new byte[1])
        );

        Assert.StartsWith("The store is gone", gone.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_file_that_may_not_be_read_is_the_loss_of_that_file_unless_root_reads_it()
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "Windows has no mode bits.");
        string path = Write("secret", [1, 2, 3]);
        if (!OperatingSystem.IsWindows())
        {
            File.SetUnixFileMode(path, UnixFileMode.None);
        }

        Func<Task<int>> reading = async () => await Store.ReadAsync("secret", 0, new byte[3]);

        if (Environment.IsPrivilegedProcess)
        {
            Assert.Equal(3, await reading());
            return;
        }

        var denied = await Assert.ThrowsAsync<AccessRefusedException>(reading);
        Assert.Equal($"Access to secret in {folder.Path} is denied", denied.Message);
    }

    [Fact]
    public async Task A_pipe_does_not_make_a_reader_wait_for_its_writer()
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "Windows has no pipes in folders.");
        string path = Path.Combine(folder.Path, "pipe");
        Native.Fifo(path);
        Assert.Equal([new StoredFile("pipe", 0)], await List(Store));
        Assert.Equal(0, await Store.ReadAsync("pipe", 0, new byte[10]).AsTask().WaitAsync(TimeSpan.FromSeconds(10)));
    }

    [Fact]
    public async Task A_cancelled_listing_or_read_ends()
    {
        Write("volume", [1, 2, 3]);
        var cancelled = new CancellationToken(canceled: true);

        await Assert.ThrowsAnyAsync<OperationCanceledException>(async () =>
            await Store.ListAsync(cancelled).ToListAsync()
        );
        await Assert.ThrowsAnyAsync<OperationCanceledException>(async () =>
            await Store.ReadAsync("volume", 0, new byte[3], cancelled)
        );
    }

    [Fact]
    public async Task The_listing_of_a_fixture_has_its_files()
    {
        string backup = Fixtures.Backup("gpg");

        List<StoredFile> files = await List(new LocalFolderStore(backup));

        Assert.Equal(6, files.Count);
        Assert.All(files, file => Assert.Equal(new FileInfo(Path.Combine(backup, file.Name)).Length, file.SizeBytes));
    }

    /// <summary>
    /// A clock for which the time of a call is over when it has read its first piece. The call
    /// continues when the test says so.
    /// </summary>
    private sealed class OverdueClock : TimeProvider, IDisposable
    {
        public static readonly TimeSpan Limit = TimeSpan.FromSeconds(30);

        public ManualResetEventSlim Continues { get; } = new();

        public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period) =>
            new OverdueTimer(this, callback, state);

        public void Dispose() => Continues.Set();

        private sealed class OverdueTimer(OverdueClock clock, TimerCallback callback, object? state) : ITimer
        {
            public bool Change(TimeSpan dueTime, TimeSpan period)
            {
                callback(state);
                return clock.Continues.Wait(Limit);
            }

            public void Dispose() { }

            public ValueTask DisposeAsync() => ValueTask.CompletedTask;
        }
    }
}
