using Restore.Ends.Linux;
using Restore.Format;
using Restore.Interop;
using Restore.Tests.Support.Machine;

namespace Restore.Tests.Ends;

/// <summary>
/// A short file has no name until it is whole, where the file system has such files; elsewhere it
/// has its partial name, as a long one.
/// </summary>
[NeedsLinux]
public sealed class ShortFilesTests : IDisposable
{
    private const int ShortBytes = 100;

    private readonly TempFolder temp = new();
    private readonly LinuxTarget target;

    public ShortFilesTests()
    {
        Directory.CreateDirectory(temp.Root);
        target = new LinuxTarget(temp.Root);

        // The first one of a file system finds out what that can do, and has its name at once.
        using ITargetFile first = target.OpenFile("first", TargetOpenMode.CreateNew, ShortBytes);
        Assert.Equal(TargetKind.File, target.Inspect("first").Kind);
    }

    public void Dispose()
    {
        target.Dispose();
        temp.Dispose();
    }

    [Theory]
    [InlineData("short", "partial")]
    [InlineData("folder/short", "folder/partial")]
    public void A_whole_file_appears_at_its_path_with_its_metadata(string path, string partial)
    {
        using (ITargetFile file = target.OpenFile(partial, TargetOpenMode.CreateNew, ShortBytes))
        {
            bool isUnnamed = Native.HasUnnamedFiles(temp.Root);
            Assert.Equal(isUnnamed ? TargetKind.Nothing : TargetKind.File, target.Inspect(partial).Kind);
            file.Write(0, "content"u8);
            Assert.Empty(
                file.ApplyMetadata(
                    new EntryMetadata { Mode = 0x1A4, LastWriteTicks = Time.Ticks },
                    withPermissions: true
                )
            );
            Assert.Equal(TargetKind.Nothing, target.Inspect(path).Kind);
            Assert.Equal(isUnnamed, file.TryPutInPlace(path));
            Assert.False(file.TryPutInPlace(path), "It has a name");
            if (!isUnnamed)
            {
                return;
            }
        }

        Assert.Equal("content", File.ReadAllText(temp.In(path)));
        Assert.Equal(Time, File.GetLastWriteTimeUtc(temp.In(path)));
        Assert.Equal(0x1A4, Native.Mode(temp.In(path)) & 0xFFF);
        Assert.Equal(TargetKind.Nothing, target.Inspect(partial).Kind);
    }

    [Fact]
    public void A_file_that_is_closed_before_has_its_partial_name_and_can_be_continued()
    {
        using (ITargetFile file = target.OpenFile("partial", TargetOpenMode.CreateNew, ShortBytes))
        {
            file.Write(0, "con"u8);
        }

        Assert.Equal("con", File.ReadAllText(temp.In("partial")));
        using (ITargetFile file = target.OpenFile("partial", TargetOpenMode.Patch, ShortBytes))
        {
            file.Write(3, "tent"u8);
            Assert.False(file.TryPutInPlace("short"));
        }

        Assert.True(target.TryPutInPlace("partial", "short"));
        Assert.Equal("content", File.ReadAllText(temp.In("short")));
    }

    [Fact]
    public void What_is_at_the_path_stays_and_the_file_gets_its_partial_name()
    {
        File.WriteAllText(temp.In("taken"), "of the user");
        using (ITargetFile file = target.OpenFile("partial", TargetOpenMode.CreateNew, ShortBytes))
        {
            file.Write(0, "content"u8);
            Assert.False(file.TryPutInPlace("taken"));
        }

        Assert.Equal("of the user", File.ReadAllText(temp.In("taken")));
        Assert.Equal("content", File.ReadAllText(temp.In("partial")));
    }

    [Fact]
    public void A_partial_name_that_is_taken_is_reported_at_the_latest_when_the_file_is_closed()
    {
        File.WriteAllText(temp.In("partial"), "of somebody");
        IOException failure = Assert.Throws<IOException>(() =>
            target.OpenFile("partial", TargetOpenMode.CreateNew, ShortBytes).Dispose()
        );
        Assert.Contains("could not be created", failure.Message, StringComparison.Ordinal);
        Assert.Equal("of somebody", File.ReadAllText(temp.In("partial")));
    }

    [Fact]
    public void A_long_file_has_its_partial_name_from_the_start()
    {
        using ITargetFile file = target.OpenFile("partial", TargetOpenMode.CreateNew, 1 << 20);
        Assert.Equal(TargetKind.File, target.Inspect("partial").Kind);
    }

    [Fact]
    public void A_folder_stays_open_until_its_files_have_their_names()
    {
        using LinuxTarget few = new(temp.Root, folderHandles: 1);
        using ITargetFile first = few.OpenFile("a/partial", TargetOpenMode.CreateNew, ShortBytes);
        List<ITargetFile> files =
        [
            .. Enumerable.Range(0, 20).Select(i => few.OpenFile($"{i}/p", TargetOpenMode.CreateNew, ShortBytes)),
        ];
        foreach (ITargetFile file in files)
        {
            file.Write(0, "x"u8);
            file.Dispose();
        }

        Assert.All(Enumerable.Range(0, 20), i => Assert.Equal("x", File.ReadAllText(temp.In($"{i}/p"))));
    }

    private static DateTime Time { get; } = new(2020, 2, 3, 4, 5, 6, DateTimeKind.Utc);
}
