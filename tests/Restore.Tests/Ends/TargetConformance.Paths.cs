using FsCheck;
using FsCheck.Fluent;
using Restore.Tests.Support.Machine;

namespace Restore.Tests.Ends;

public abstract partial class TargetConformance
{
    [Theory]
    [InlineData("..")]
    [InlineData(".")]
    [InlineData("a/..")]
    [InlineData("../a")]
    [InlineData("a/../b")]
    [InlineData("a/./b")]
    [InlineData("/a")]
    [InlineData("a/")]
    [InlineData("a//b")]
    [InlineData("/")]
    [InlineData("nul\0byte")]
    public void A_path_that_is_none_of_the_target_is_refused_everywhere(string path)
    {
        using IRestoreTarget target = Open(Temp.Root);
        AssertRefused(target, path);
        Assert.False(Directory.Exists(Temp.Root));
    }

    [Fact]
    public void Half_a_character_is_refused()
    {
        using IRestoreTarget target = Open(Temp.Root);
        AssertRefused(target, "lone-\ud83d.txt");
        AssertRefused(target, "\U0001F600/\ude00");
    }

    [Fact]
    public void A_name_or_path_that_is_too_long_is_refused()
    {
        using IRestoreTarget target = Open(Temp.Root);
        AssertRefused(target, new string('n', 256));
        AssertRefused(target, new string('\u9577', 100));
        AssertRefused(target, string.Concat(Enumerable.Repeat("d/", 2100)) + "f");
        IOException exception = Assert.Throws<IOException>(() => target.CreateFolder("folder/" + new string('n', 256)));
        Assert.EndsWith(
            "has a name longer than 255 bytes; it is not restored",
            exception.Message,
            StringComparison.Ordinal
        );
    }

    [Fact]
    public void The_empty_path_is_the_root_and_no_file_or_link()
    {
        using IRestoreTarget target = Open(Temp.Root);
        Assert.Throws<IOException>(() => target.OpenFile("", TargetOpenMode.CreateNew));
        Assert.Throws<IOException>(() => target.CreateSymlink("", "x", isFolderLink: true));
        Assert.Throws<IOException>(() => target.DeleteFile(""));
    }

    [Fact]
    public void Names_of_255_bytes_and_deep_paths_are_restored()
    {
        using IRestoreTarget target = Open(Temp.Root);
        string longest = new('n', 255);
        Write(target, longest, "x"u8);
        Assert.Equal(TargetKind.File, target.Inspect(longest).Kind);
        string deep = string.Concat(Enumerable.Repeat("deep/", 300)) + "file";
        Write(target, deep, "deep"u8);
        Assert.Equal(4, target.Inspect(deep).SizeBytes);
    }

    [Theory]
    [InlineData("...")]
    [InlineData("..foo")]
    [InlineData(".hidden")]
    [InlineData(" ")]
    [InlineData("new\nline\ttab\x1b[2J\x7f")]
    [InlineData("quote'\"`$(x);&|*?<>")]
    [InlineData("back\\slash")]
    [InlineData("C:stream")]
    [InlineData("nul")]
    [InlineData("trailing. ")]
    [InlineData("\u00e9 e\u0301 \u9577 \U0001F600")]
    [NeedsLinux]
    public void Odd_names_are_legal(string name)
    {
        using IRestoreTarget target = Open(Temp.Root);
        Write(target, $"{name}/{name}", "odd"u8);
        Assert.Equal([name], Directory.EnumerateFileSystemEntries(Temp.In(name)).Select(Path.GetFileName));
        Assert.Equal("odd", File.ReadAllText(Path.Join(Temp.In(name), name)));
    }

    [Fact]
    [NeedsLinux]
    public void Names_that_differ_by_case_or_form_only_are_different_here()
    {
        using IRestoreTarget target = Open(Temp.Root);
        string[] names = ["Name", "name", "NAME", "\u00e9", "e\u0301"];
        Array.ForEach(names, name => Write(target, name, "x"u8));
        target.CreateSymlink("Dir", Temp.Outside, isFolderLink: true);
        Write(target, "dir/inside", "x"u8);
        Assert.Equal(7, Directory.EnumerateFileSystemEntries(Temp.Root).Count());
        Temp.AssertOutsideUntouched();
    }

    [Fact]
    public void Whatever_the_path_nothing_is_made_outside_and_no_other_exception_is_thrown()
    {
        using IRestoreTarget target = Open(Temp.Root);
        Attempt(() => target.CreateSymlink("l", "../outside", isFolderLink: true));
        string[] odd = ["..", ".", "", "...", "\0", "\ud800", "a\\..\\b", new string('x', 300)];
        Gen<string> component = Gen.Elements([.. odd, "a", "b", "l", "victim", "root", "outside"]);
        Gen<string> paths = component.ListOf().Select(components => string.Join('/', components));
        Check.One(
            Config.QuickThrowOnFailure.WithMaxTest(300),
            Prop.ForAll(
                paths.ToArbitrary(),
                path =>
                {
                    Attempt(() => Replace(target, path, "x"u8));
                    Attempt(() => target.CreateFolder(path));
                    Attempt(() => target.CreateSymlink(path + "/l", "/", isFolderLink: true));
                    Attempt(() => target.Inspect(path));
                    Attempt(() => target.DeleteFile(path));
                    Attempt(() => target.ApplyMetadata(path, Times(1980), withPermissions: true));
                    Temp.AssertOutsideUntouched();
                    return Directory.EnumerateFileSystemEntries(Temp.Path).Count() == 2;
                }
            )
        );
    }

    private protected static void Attempt(Action action)
    {
        try
        {
            action();
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            // These two are what the contract allows.
        }
    }

    private static void AssertRefused(IRestoreTarget target, string path)
    {
        Assert.Throws<IOException>(() => target.Inspect(path));
        Assert.Throws<IOException>(() => target.CreateFolder(path));
        Assert.Throws<IOException>(() => target.DeleteFile(path));
        Assert.Throws<IOException>(() => target.CreateSymlink(path, "x", isFolderLink: false));
        Assert.Throws<IOException>(() => target.ApplyMetadata(path, Times(2007), withPermissions: true));
        foreach (TargetOpenMode mode in Enum.GetValues<TargetOpenMode>())
        {
            Assert.Throws<IOException>(() => target.OpenFile(path, mode));
        }
    }
}
