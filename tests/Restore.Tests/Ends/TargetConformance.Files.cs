using Restore.Ends;
using Restore.Tests.Support.Machine;

namespace Restore.Tests.Ends;

public abstract partial class TargetConformance
{
    [Fact]
    public void A_new_file_is_created_with_its_missing_parents()
    {
        using IRestoreTarget target = Open(Temp.Root);
        byte[] data = Bytes(5000);
        Write(target, "a/b/c/file", data);
        Assert.Equal(data, File.ReadAllBytes(Temp.In("a/b/c/file")));
    }

    [Fact]
    public void Looking_at_a_missing_target_does_not_create_it()
    {
        using (IRestoreTarget target = Open(Temp.Root))
        {
            Assert.True(target.IsEmpty);
            Assert.Equal(TargetKind.Nothing, target.Inspect("").Kind);
            Assert.Equal(TargetKind.Nothing, target.Inspect("a/b").Kind);
            Assert.InRange(target.RoomAt("a/b").FreeBytes, 1, long.MaxValue);
            target.DeleteFile("a/b");
            Assert.Throws<IOException>(() => target.OpenFile("a/b", TargetOpenMode.Read));
        }

        Assert.False(Directory.Exists(Temp.Root));
    }

    [Fact]
    public void A_target_with_something_in_it_is_not_empty()
    {
        Directory.CreateDirectory(Temp.In("folder"));
        using IRestoreTarget target = Open(Temp.Root);
        Assert.False(target.IsEmpty);
    }

    [Fact]
    public void A_target_that_is_a_file_is_refused()
    {
        File.WriteAllText(Temp.Root, "");
        RestoreException exception = Assert.Throws<RestoreException>(() => Open(Temp.Root));
        Assert.Equal(RestoreErrorKind.TargetNotWritable, exception.Kind);
        Assert.Contains(Temp.Root, exception.Message, StringComparison.Ordinal);
    }

    [Fact]
    [NeedsLinks]
    public void A_target_that_the_user_names_through_a_link_is_taken()
    {
        Directory.CreateDirectory(Path.Join(Temp.Path, "real"));
        Directory.CreateSymbolicLink(Temp.Root, Path.Join(Temp.Path, "real"));
        using IRestoreTarget target = Open(Temp.Root);
        Write(target, "file", Bytes(10));
        Assert.True(File.Exists(Path.Join(Temp.Path, "real", "file")));
    }

    [Fact]
    public void Writes_may_come_in_any_order_and_can_be_read_back()
    {
        using IRestoreTarget target = Open(Temp.Root);
        byte[] data = Bytes(300_000);
        using ITargetFile file = target.OpenFile("file", TargetOpenMode.CreateNew);
        file.Write(200_000, data.AsSpan(200_000));
        file.Write(0, data.AsSpan(0, 100_000));
        file.Write(100_000, data.AsSpan(100_000, 100_000));
        file.Write(5, []);
        byte[] read = new byte[400_000];
        Assert.Equal(300_000, file.Read(0, read));
        Assert.Equal(data, read[..300_000]);
        Assert.Equal(0, file.Read(300_000, read));
        Assert.Equal(300_000, file.Length);
    }

    [Fact]
    public void An_existing_file_is_not_created_again()
    {
        using IRestoreTarget target = Open(Temp.Root);
        Write(target, "file", "one"u8);
        IOException exception = Assert.Throws<IOException>(() => target.OpenFile("file", TargetOpenMode.CreateNew));
        Assert.Equal(
            $"'{Temp.In("file")}' could not be created: something of that name is there already",
            exception.Message
        );
        Assert.Equal("one", File.ReadAllText(Temp.In("file")));
    }

    [Fact]
    public void A_file_is_replaced()
    {
        using IRestoreTarget target = Open(Temp.Root);
        Write(target, "file", "a long one"u8);
        Replace(target, "file", "two"u8);
        Replace(target, "new", "three"u8);
        Assert.Equal("two", File.ReadAllText(Temp.In("file")));
        Assert.Equal("three", File.ReadAllText(Temp.In("new")));
    }

    [Fact]
    public void A_file_is_patched_in_place()
    {
        using IRestoreTarget target = Open(Temp.Root);
        Write(target, "file", "0123456789"u8);
        using (ITargetFile file = target.OpenFile("file", TargetOpenMode.Patch))
        {
            Assert.Equal(10, file.Length);
            file.Write(3, "abc"u8);
            file.SetLength(8);
        }

        Assert.Equal("012abc67", File.ReadAllText(Temp.In("file")));
        Assert.Throws<IOException>(() => target.OpenFile("missing", TargetOpenMode.Patch));
    }

    [Fact]
    [NeedsLinux]
    public void Patching_or_replacing_one_name_of_a_file_leaves_its_other_names_alone()
    {
        Directory.CreateDirectory(Temp.Root);
        Native.HardLink(Temp.Victim, Temp.In("patched"));
        Native.HardLink(Temp.Victim, Temp.In("replaced"));
        Native.SetMode(Temp.Victim, 0x1A0);
        using IRestoreTarget target = Open(Temp.Root);
        Assert.Equal(3, target.Inspect("patched").LinkCount);

        // What a killed run left of such a copy goes.
        File.WriteAllText(Temp.In(TargetPath.NameOfCopy("patched")), "a part");
        Write(target, "patched", "AS"u8, TargetOpenMode.Patch);
        Replace(target, "replaced", "new"u8);
        Assert.Equal("AS it was", File.ReadAllText(Temp.In("patched")));
        Assert.Equal(0x1A0, Native.Mode(Temp.In("patched")));
        Assert.Equal("new", File.ReadAllText(Temp.In("replaced")));
        Assert.Equal(
            ["patched", "replaced"],
            Directory.EnumerateFileSystemEntries(Temp.Root).Select(Path.GetFileName).Order()
        );
        Temp.AssertOutsideUntouched();
    }

    [Fact]
    [NeedsLinux]
    public void A_read_only_file_can_be_patched_and_replaced()
    {
        using IRestoreTarget target = Open(Temp.Root);
        Write(target, "patched", "0123"u8);
        Write(target, "replaced", "0123"u8);
        Native.SetMode(Temp.In("patched"), 0x100);
        Native.SetMode(Temp.In("replaced"), 0x100);
        Write(target, "patched", "ab"u8, TargetOpenMode.Patch);
        Replace(target, "replaced", "ab"u8);
        Assert.Equal("ab23", File.ReadAllText(Temp.In("patched")));
        Assert.Equal("ab", File.ReadAllText(Temp.In("replaced")));
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(1_000_000)]
    public void A_preallocated_file_has_its_length_and_reads_as_zeros(long length)
    {
        using IRestoreTarget target = Open(Temp.Root);
        using ITargetFile file = target.OpenFile("file", TargetOpenMode.CreateNew);
        file.Preallocate(length);
        Assert.Equal(length, file.Length);
        byte[] read = Bytes((int)length + 1);
        Assert.Equal(length, file.Read(0, read));
        Assert.Equal(-1, read.AsSpan(0, (int)length).IndexOfAnyExcept((byte)0));
    }

    [Fact]
    public void Preallocating_less_than_there_is_cuts_the_file()
    {
        using IRestoreTarget target = Open(Temp.Root);
        using ITargetFile file = target.OpenFile("file", TargetOpenMode.CreateNew);
        file.Write(0, Bytes(100));
        file.Preallocate(40);
        Assert.Equal(40, file.Length);
        file.SetLength(60);
        Assert.Equal(60, file.Length);
    }

    [Fact]
    public void A_folder_is_created_once_or_found()
    {
        using IRestoreTarget target = Open(Temp.Root);
        target.CreateFolder("a/b");
        target.CreateFolder("a/b");
        target.CreateFolder("a");
        target.CreateFolder("");
        Assert.Equal(TargetKind.Folder, target.Inspect("a/b").Kind);
        Assert.Equal(TargetKind.Folder, target.Inspect("").Kind);
    }

    [Fact]
    public void A_file_is_deleted_and_deleting_nothing_is_not_an_error()
    {
        using IRestoreTarget target = Open(Temp.Root);
        Write(target, "a/file", "x"u8);
        target.DeleteFile("a/file");
        target.DeleteFile("a/file");
        target.DeleteFile("b/file");
        Assert.False(File.Exists(Temp.In("a/file")));
    }

    [Fact]
    [NeedsLinks]
    public void Only_an_empty_folder_is_deleted_as_a_folder()
    {
        using IRestoreTarget target = Open(Temp.Root);
        Write(target, "full/file", "x"u8);
        target.CreateFolder("a/empty");
        target.DeleteFolder("a/empty");
        target.DeleteFolder("a/empty");
        target.DeleteFolder("b/none");
        Assert.False(Directory.Exists(Temp.In("a/empty")));
        Assert.Throws<IOException>(() => target.DeleteFolder("full"));
        Assert.Throws<IOException>(() => target.DeleteFolder("full/file"));
        File.CreateSymbolicLink(Temp.In("link"), Temp.In("a"));
        Assert.Throws<IOException>(() => target.DeleteFolder("link"));
        Assert.True(Directory.Exists(Temp.In("a")));
    }

    [Fact]
    public void A_look_returns_kind_size_and_time()
    {
        using IRestoreTarget target = Open(Temp.Root);
        Write(target, "file", Bytes(1234));
        TargetStatus status = target.Inspect("file");
        Assert.Equal(TargetKind.File, status.Kind);
        Assert.Equal(1234, status.SizeBytes);
        Assert.Equal(File.GetLastWriteTimeUtc(Temp.In("file")).Ticks, status.ModifiedTicks);
        Assert.Equal(1, status.LinkCount);
        using ITargetFile file = target.OpenFile("file", TargetOpenMode.Read);
        Assert.Equal(status.ModifiedTicks, file.ModifiedTicks);
    }

    [Fact]
    public void Many_threads_may_make_files_in_the_same_new_folders()
    {
        using IRestoreTarget target = Open(Temp.Root);
        Parallel.For(
            0,
            400,
            new ParallelOptions { MaxDegreeOfParallelism = 8 },
            i =>
            {
                string folder = $"a/{i / 16}/b/{i / 16}";
                target.CreateFolder(folder);
                Write(target, $"{folder}/new/{i}", BitConverter.GetBytes(i));
            }
        );
        for (int i = 0; i < 400; i++)
        {
            Assert.Equal(BitConverter.GetBytes(i), File.ReadAllBytes(Temp.In($"a/{i / 16}/b/{i / 16}/new/{i}")));
        }
    }
}
