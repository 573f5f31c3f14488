using Microsoft.Win32.SafeHandles;
using Restore.Ends;
using Restore.Ends.Linux;
using Restore.Tests.Support.Machine;

namespace Restore.Tests.Ends;

[NeedsLinux]
public sealed class LinuxTargetTests : TargetConformance
{
    private protected override IRestoreTarget Open(string root) => new LinuxTarget(root);

    [Fact]
    public void This_platform_gets_the_target_that_works_by_handles()
    {
        using IRestoreTarget target = FileSystemTarget.Open(Temp.Root);
        Assert.IsType<LinuxTarget>(target);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void A_folder_replaced_by_a_link_during_the_restore_does_not_lead_outside(bool useOpenAt2)
    {
        // One handle is kept, so that the paths below are resolved again and again.
        using var target = new LinuxTarget(Temp.Root, useOpenAt2, folderHandles: 1);
        target.CreateFolder("a/sub");
        target.CreateFolder("other/sub");
        Directory.CreateDirectory(Path.Join(Temp.Path, "parked"));
        int exchanges = 0;
        int moves = 0;
        using var isDone = new CancellationTokenSource();
        var exchanger = new Thread(() =>
        {
            while (!isDone.IsCancellationRequested)
            {
                Attempt(() => Directory.Move(Temp.In("a"), Path.Join(Temp.Path, "parked", $"{moves++}")));
                Attempt(() => Directory.CreateSymbolicLink(Temp.In("a"), Temp.Outside));
                exchanges += new FileInfo(Temp.In("a")).LinkTarget is null ? 0 : 1;
                Attempt(() => File.Delete(Temp.In("a")));
            }
        });
        exchanger.Start();
        for (int i = 0; i < 3000 || (Volatile.Read(ref exchanges) <= 10 && i < 300_000); i++)
        {
            Attempt(() => Replace(target, $"a/{i}", "x"u8));
            Attempt(() => target.DeleteFile("a/victim"));
            Attempt(() => target.ApplyMetadata("a", Times(1990), withPermissions: true));
            Attempt(() => target.CreateSymlink("a/sub/l", "x", isFolderLink: false));
            Attempt(() => Replace(target, "other/sub/x", "x"u8));
        }

        isDone.Cancel();
        exchanger.Join();
        Assert.True(exchanges > 10);
        Temp.AssertOutsideUntouched();
        Assert.NotEqual(1990, Directory.GetLastWriteTimeUtc(Temp.Outside).Year);
    }

    [Fact]
    public void Asking_for_more_room_than_there_is_fails_the_run_before_anything_is_written()
    {
        Directory.CreateDirectory(Temp.Root);
        if (!Native.Mount(Temp.Root, "size=1m"))
        {
            Assert.Skip("A small file system can only be mounted by the root user.");
        }

        try
        {
            using IRestoreTarget target = Open(Temp.Root);
            Assert.InRange(target.RoomAt("not/there").FreeBytes, 1, 1 << 20);
            using ITargetFile file = target.OpenFile("file", TargetOpenMode.CreateNew);
            Assert.Equal(
                RestoreErrorKind.TargetNotWritable,
                Assert.Throws<RestoreException>(() => file.Preallocate(2 << 20)).Kind
            );
            Assert.Equal(0, file.Length);
        }
        finally
        {
            Native.Unmount(Temp.Root);
        }
    }

    [Fact]
    public void Any_number_of_files_and_folders_needs_few_handles()
    {
        const int Kept = 16;
        using var target = new LinuxTarget(Temp.Root, folderHandles: Kept);
        int most = 0;
        for (int i = 0; i < 20_000; i++)
        {
            Write(target, $"{i % 300}/f{i}", "x"u8);
            most = i % 500 == 0 ? Math.Max(most, HandlesBelow(Temp.Root)) : most;
        }

        Assert.InRange(most, 1, Kept + 2);
        Assert.Equal(20_000, Directory.EnumerateFiles(Temp.Root, "*", SearchOption.AllDirectories).Count());
        target.Dispose();
        Assert.Equal(0, HandlesBelow(Temp.Root));
    }

    [Fact]
    public void A_target_that_is_closed_twice_closes_no_file_of_somebody_else()
    {
        var target = new LinuxTarget(Temp.Root);
        Write(target, "file", "x"u8);
        target.Dispose();
        SafeFileHandle[] others =
        [
            .. Enumerable.Range(0, 64).Select(_ => File.OpenHandle(Path.Combine(Temp.Root, "file"))),
        ];
        target.Dispose();
        Assert.All(others, other => Assert.Equal(1, RandomAccess.GetLength(other)));
        Assert.All(others, other => other.Dispose());
    }

    [Fact]
    public void Threads_share_few_handles_of_folders_and_none_is_closed_in_use()
    {
        using var target = new LinuxTarget(Temp.Root, folderHandles: 2);
        Parallel.For(
            0,
            4000,
            new ParallelOptions { MaxDegreeOfParallelism = 8 },
            i => Write(target, $"{i % 7}/{i % 11}/{i}", BitConverter.GetBytes(i))
        );
        for (int i = 0; i < 4000; i++)
        {
            Assert.Equal(BitConverter.GetBytes(i), File.ReadAllBytes(Temp.In($"{i % 7}/{i % 11}/{i}")));
        }

        Assert.InRange(HandlesBelow(Temp.Root), 1, 4);
    }

    [Fact]
    public void Failures_leave_no_handle_open()
    {
        using var target = new LinuxTarget(Temp.Root, folderHandles: 1);
        target.CreateFolder("folder");
        target.CreateSymlink("link", "folder", isFolderLink: true);
        Native.Fifo(Temp.In("pipe"));
        for (int i = 0; i < 20; i++)
        {
            foreach (string path in (string[])["folder", "link", "link/x", "folder/missing/x", "pipe", "pipe/x"])
            {
                Assert.Throws<IOException>(() => target.OpenFile(path, TargetOpenMode.Read));
                Attempt(() => target.OpenFile(path, TargetOpenMode.Patch).Dispose());
                Attempt(() => target.ApplyMetadata(path, Times(1990), withPermissions: true));
            }
        }

        Assert.InRange(HandlesBelow(Temp.Root), 1, 3);
    }

    private static int HandlesBelow(string folder) =>
        Directory
            .EnumerateFileSystemEntries("/proc/self/fd")
            .Count(handle => new FileInfo(handle).LinkTarget?.StartsWith(folder, StringComparison.Ordinal) == true);
}

/// <summary>
/// As on a kernel or in a sandbox that has no openat2, and with hardly a folder kept open.
/// </summary>
[NeedsLinux]
public sealed class LinuxTargetWithoutOpenAt2Tests : TargetConformance
{
    private protected override IRestoreTarget Open(string root) =>
        new LinuxTarget(root, useOpenAt2: false, folderHandles: 2);
}
