using System.Security.Cryptography;
using Microsoft.Win32.SafeHandles;
using Restore.Interop;
using Restore.Storage;
using Restore.Storage.Local;
using Restore.Volumes.Parity;

namespace Restore.Tests.Storage;

/// <summary>A file of a local store that stays open between the reads of its chunks.</summary>
public sealed class OpenFilesTests : IDisposable
{
    private const string Name = "volume";

    private readonly TempFolder folder = new();
    private readonly byte[] content = RandomNumberGenerator.GetBytes(3_000_000);
    private readonly LocalFolderStore store;

    public OpenFilesTests()
    {
        store = new LocalFolderStore(folder.Path);
        File.WriteAllBytes(VolumePath, content);
    }

    private string VolumePath => Path.Combine(folder.Path, Name);

    [Theory]
    [InlineData(0, 3_000_000)]
    [InlineData(1_000_001, 500_000)]
    [InlineData(2_999_990, 100)]
    [InlineData(3_000_000, 10)]
    [InlineData(5_000_000, 10)]
    [InlineData(7, 0)]
    public async Task Its_reads_give_what_those_of_a_closed_file_give(int offset, int length)
    {
        byte[] plain = new byte[length];
        int expected = await store.ReadAsync(Name, offset, plain);
        using IDisposable keeping = store.KeepOpen(Name);
        for (int read = 0; read < 3; read++)
        {
            byte[] destination = new byte[length];
            Assert.Equal(expected, await store.ReadAsync(Name, offset, destination));
            Assert.Equal(plain, destination);
        }
    }

    [Fact]
    public async Task What_is_in_memory_is_read_on_the_thread_of_the_caller()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Other systems cannot read without waiting.");
        using IDisposable keeping = store.KeepOpen(Name);
        byte[] destination = new byte[1_000_000];
        Assert.Equal(destination.Length, await store.ReadAsync(Name, 0, destination));
        bool isEverDone = false;
        for (int offset = 0; offset < 2_000_000; offset += 100_000)
        {
            ValueTask<int> read = store.ReadAsync(Name, offset, destination);
            isEverDone |= read.IsCompletedSuccessfully;
            Assert.Equal(destination.Length, await read);
            Assert.Equal(content.AsSpan(offset, destination.Length).ToArray(), destination);
        }

        using SafeFileHandle handle = File.OpenHandle(VolumePath);
        bool isSupported = Kernel.ReadAtOnce(handle, destination.AsSpan(0, 10), 0) == 10;
        Assert.Equal(isSupported, isEverDone);
    }

    [Fact]
    public async Task It_is_opened_once_and_closed_at_the_end_of_its_last_use()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Open handles are looked up in /proc.");
        IDisposable first = store.KeepOpen(Name);
        IDisposable second = store.KeepOpen(Name);
        Assert.Equal(0, Handles());
        for (int read = 0; read < 5; read++)
        {
            await store.ReadAsync(Name, read, new byte[10]);
            Assert.Equal(1, Handles());
        }

        first.Dispose();
        first.Dispose();
        await store.ReadAsync(Name, 0, new byte[10]);
        Assert.Equal(1, Handles());
        second.Dispose();
        Assert.True(SpinWait.SpinUntil(() => Handles() == 0, TimeSpan.FromSeconds(30)), "The file stays open");
        await store.ReadAsync(Name, 0, new byte[10]);
        Assert.Equal(0, Handles());
    }

    [Fact]
    public async Task A_file_that_takes_its_name_meanwhile_is_read_after_it()
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "An open file cannot be replaced there.");
        byte[] destination = new byte[4];
        using (store.KeepOpen(Name))
        {
            await store.ReadAsync(Name, 0, destination);
            string other = Path.Combine(folder.Path, "other");
            File.WriteAllBytes(other, [1, 2, 3, 4]);
            File.Move(other, VolumePath, overwrite: true);
            await store.ReadAsync(Name, 0, destination);
            Assert.Equal(content.Take(4), destination);
        }

        await store.ReadAsync(Name, 0, destination);
        Assert.Equal([1, 2, 3, 4], destination);
    }

    [Fact]
    public async Task A_file_that_is_cut_meanwhile_ends_where_it_ends()
    {
        using IDisposable keeping = store.KeepOpen(Name);
        byte[] destination = new byte[2_000_000];
        Assert.Equal(destination.Length, await store.ReadAsync(Name, 0, destination));
        using (
            FileStream cut = new(VolumePath, FileMode.Open, FileAccess.Write, FileShare.ReadWrite | FileShare.Delete)
        )
        {
            cut.SetLength(1_500_000);
        }

        Assert.Equal(1_500_000, await store.ReadAsync(Name, 0, destination));
    }

    [Fact]
    public async Task A_missing_file_and_a_cancelled_read_fail_as_ever()
    {
        using IDisposable missing = store.KeepOpen("none");
        await Assert.ThrowsAsync<FileNotFoundException>(async () => await store.ReadAsync("none", 0, new byte[1]));
        using IDisposable keeping = store.KeepOpen(Name);
        await store.ReadAsync(Name, 0, new byte[1]);
        await Assert.ThrowsAnyAsync<OperationCanceledException>(async () =>
            await store.ReadAsync(Name, 0, new byte[1], new CancellationToken(canceled: true))
        );
    }

    [Fact]
    public async Task Many_reads_at_once_and_the_end_of_its_uses_do_not_disturb_each_other()
    {
        await Parallel.ForEachAsync(
            Enumerable.Range(0, 400),
            new ParallelOptions { MaxDegreeOfParallelism = 8 },
            async (number, _) =>
            {
                using IDisposable keeping = store.KeepOpen(Name);
                int offset = number * 7000;
                byte[] destination = new byte[100_000];
                Assert.Equal(
                    destination.Length,
                    await store.ReadAsync(Name, offset, destination, CancellationToken.None)
                );
                Assert.Equal(content.AsSpan(offset, destination.Length).ToArray(), destination);
            }
        );
    }

    [Fact]
    public async Task Stores_in_front_of_it_pass_the_wish_on()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Open handles are looked up in /proc.");
        MendedStore mended = new(new MeteredStore(store));
        using (mended.KeepOpen(Name))
        {
            await mended.ReadAsync(Name, 0, new byte[10], TestContext.Current.CancellationToken);
            Assert.Equal(1, Handles());
        }

        Assert.Null(new MeteredStore(new ScriptedStore()).KeepOpen(Name));
    }

    public void Dispose() => folder.Dispose();

    private int Handles() =>
        new DirectoryInfo("/proc/self/fd").EnumerateFileSystemInfos().Count(handle => handle.LinkTarget == VolumePath);
}
