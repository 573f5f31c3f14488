using System.Runtime.Versioning;
using Restore.Interop;
using Restore.Tests.Support.Machine;

namespace Restore.Tests.Interop;

/// <summary>A file has its name when it is whole, and not before.</summary>
public sealed class AtomicFileTests : IDisposable
{
    private readonly TempFolder folder = new();

    private string Name => Path.Combine(folder.Path, "file");

    public void Dispose() => folder.Dispose();

    private static AtomicFileOptions Kind(bool isNamed) => isNamed ? AtomicFileOptions.Named : AtomicFileOptions.None;

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void A_file_that_is_not_committed_leaves_the_old_one_and_nothing_else(bool isNamed)
    {
        File.WriteAllText(Name, "old");

        using (AtomicFile file = new(Name, AtomicFileOptions.Replaces | Kind(isNamed)))
        {
            file.Stream.Write("new"u8);
        }

        Assert.Equal("old", File.ReadAllText(Assert.Single(Directory.GetFiles(folder.Path))));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void A_file_is_replaced_only_if_that_is_asked_for(bool isNamed)
    {
        AtomicFile.Write(Name, "old"u8, Kind(isNamed));

        Assert.Throws<IOException>(() => AtomicFile.Write(Name, "new"u8, Kind(isNamed)));
        Assert.Equal("old", File.ReadAllText(Assert.Single(Directory.GetFiles(folder.Path))));

        AtomicFile.Write(Name, "new"u8, AtomicFileOptions.Replaces | Kind(isNamed));
        Assert.Equal("new", File.ReadAllText(Assert.Single(Directory.GetFiles(folder.Path))));
    }

    [Fact]
    [NeedsLinux]
    public void A_file_has_no_name_at_all_until_it_is_whole_and_a_kill_leaves_nothing()
    {
        using (AtomicFile file = new(Name))
        {
            file.Stream.Write("new"u8);
            Assert.SkipUnless(
                file.TemporaryPath.StartsWith("/proc/", StringComparison.Ordinal),
                "The file system has no files without a name."
            );
            Assert.Empty(Directory.GetFileSystemEntries(folder.Path));
            file.Stream.Dispose();
            file.Commit();
        }

        Assert.Equal("new", File.ReadAllText(Assert.Single(Directory.GetFiles(folder.Path))));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Content_that_other_code_wrote_through_the_path_counts_too(bool isNamed)
    {
        using AtomicFile file = new(Name, Kind(isNamed));
        file.Stream.Dispose();
        File.WriteAllText(file.TemporaryPath, "by another");

        Assert.Equal(10, file.Commit());
        Assert.Equal("by another", File.ReadAllText(Name));
    }

    [Fact]
    [NeedsLinux]
    public void A_link_that_somebody_put_at_the_temporary_name_is_not_written_through()
    {
        string victim = Path.Combine(folder.Path, "victim");
        File.WriteAllText(victim, "as it was");
        File.CreateSymbolicLink(Path.Combine(folder.Path, "partial"), victim);

        using (AtomicFile file = new(Name, AtomicFileOptions.None, "partial"))
        {
            file.Stream.Write("new"u8);
            file.Commit();
        }

        Assert.Equal("as it was", File.ReadAllText(victim));
        Assert.Null(new FileInfo(Name).LinkTarget);
        Assert.Equal("new", File.ReadAllText(Name));
    }

    [Fact]
    [NeedsLinux]
    [UnsupportedOSPlatform("windows")]
    public void A_private_file_is_for_its_owner_alone_from_the_start()
    {
        using AtomicFile file = new(Name, AtomicFileOptions.Private);

        Assert.Equal(UnixFileMode.UserRead | UnixFileMode.UserWrite, File.GetUnixFileMode(file.TemporaryPath));
        file.Commit();
        Assert.Equal(UnixFileMode.UserRead | UnixFileMode.UserWrite, File.GetUnixFileMode(Name));
    }
}
