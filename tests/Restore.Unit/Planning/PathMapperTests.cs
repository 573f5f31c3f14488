using System.Text;
using Restore.Format;
using Restore.Planning.Paths;

namespace Restore.Tests.Planning;

public class PathMapperTests
{
    [Fact]
    public void What_all_entries_have_in_common_is_cut_off() =>
        AssertMapped(
            Into("out"),
            TargetRules.Unix,
            ("/home/ann/", ""),
            ("/home/ann/docs/", "docs"),
            ("/home/ann/docs/a.txt", "docs/a.txt")
        );

    [Fact]
    public void A_folder_that_is_not_selected_is_still_cut_off_when_all_lie_in_it() =>
        AssertMapped(
            Into("out"),
            TargetRules.Unix,
            ("/home/ann/docs/a.txt", "docs/a.txt"),
            ("/home/ann/b.txt", "b.txt")
        );

    [Fact]
    public void A_single_file_goes_right_into_the_target() =>
        AssertMapped(Into("out"), TargetRules.Unix, ("/home/ann/a.txt", "a.txt"));

    [Fact]
    public void A_single_folder_is_the_target_itself() =>
        AssertMapped(Into("out"), TargetRules.Unix, ("/home/ann/", ""));

    [Fact]
    public void A_single_link_to_a_folder_keeps_its_name() =>
        AssertMapped(Into("out"), TargetRules.Unix, ("/home/ann/link/>", "link"));

    [Fact]
    public void A_name_that_only_begins_alike_is_not_in_common() =>
        AssertMapped(Into("out"), TargetRules.Unix, ("/home/ann/", "ann"), ("/home/anna/", "anna"), ("/home/an", "an"));

    [Fact]
    public void A_file_and_a_folder_of_one_name_lie_in_their_parent() =>
        AssertMapped(
            Into("out"),
            TargetRules.Unix,
            ("/home/both/", "both"),
            ("/home/both/x", "both/x"),
            ("/home/both", "both")
        );

    [Fact]
    public void The_root_of_the_system_is_the_target_itself() =>
        AssertMapped(
            Into("out"),
            TargetRules.Unix,
            ("/", ""),
            ("/etc/", "etc"),
            ("/etc/hosts", "etc/hosts"),
            ("/x", "x")
        );

    [Fact]
    public void The_full_path_is_kept_if_requested() =>
        AssertMapped(
            Into("out") with
            {
                DontCompressRestorePaths = true,
            },
            TargetRules.Unix,
            ("/home/ann/", "home/ann"),
            ("/home/ann/a.txt", "home/ann/a.txt")
        );

    [Fact]
    public void The_full_path_of_a_drive_begins_with_its_letter() =>
        AssertMapped(
            Into("out") with
            {
                DontCompressRestorePaths = true,
            },
            TargetRules.Unix,
            ("C:\\", "C"),
            ("C:\\Users\\Ann\\a.txt", "C/Users/Ann/a.txt")
        );

    [Fact]
    public void Drives_and_shares_become_folders_when_nothing_is_in_common() =>
        AssertMapped(
            Into("out"),
            TargetRules.Unix,
            ("C:\\Users\\", "C/Users"),
            ("C:\\x", "C/x"),
            ("D:\\", "D"),
            ("D:\\y", "D/y"),
            ("\\\\srv\\share\\z", "srv/share/z")
        );

    [Fact]
    public void Windows_paths_are_cut_at_either_separator() =>
        AssertMapped(Into("out"), TargetRules.Unix, ("C:\\Users\\Ann\\a", "a"), ("C:\\Users\\Ann\\b/c", "b/c"));

    [Fact]
    public void One_drive_is_the_target_itself() =>
        AssertMapped(Into("out"), TargetRules.Unix, ("C:\\", ""), ("C:\\x", "x"));

    [Fact]
    public void Two_servers_have_nothing_in_common() =>
        AssertMapped(Into("out"), TargetRules.Unix, ("\\\\aa\\s\\x", "aa/s/x"), ("\\\\bb\\s\\x", "bb/s/x"));

    [Fact]
    public void A_server_is_never_in_the_folder_of_a_drive() =>
        AssertMapped(
            Into("out"),
            TargetRules.Unix,
            (@"C:\share\a", "C/share/a"),
            (@"\\C\share\a", "UNC/C/share/a"),
            (@"\\c\share\b", "UNC/c/share/b"),
            (@"\\UNC\C\share\a", "UNC/UNC/C/share/a"),
            (@"\\cc\share\a", "cc/share/a")
        );

    [Fact]
    public void The_long_form_of_a_path_is_the_same_place()
    {
        AssertMapped(
            Into("out"),
            TargetRules.Unix,
            (@"C:\c", "C/c"),
            (@"\\?\D:\b", "D/b"),
            (@"\\?\UNC\srv\share\a", "srv/share/a"),
            (@"\\.\D:\e", "D/e")
        );
        AssertMapped(Into("out"), TargetRules.Unix, (@"\\?\D:\x\a", "a"), (@"D:\x\b\c", "b/c"));
        AssertMapped(Into("out"), TargetRules.Unix, (@"\\?\unc\srv\share\a", "a"), (@"\\srv\share\b\c", "b/c"));
        AssertMapped(
            new RestoreOptions(),
            TargetRules.Windows,
            (@"\\?\D:\x\a", "D:/x/a"),
            (@"\\?\UNC\srv\share\a", "UNC/srv/share/a")
        );
        RestoreOptions named = Into("out") with { Filter = EntryFilter.Parse(["@D:/x"], [], caseSensitive: true) };
        AssertMapped(named, TargetRules.Unix, (@"\\?\D:\x\a", "x/a"), (@"D:\other", null));
    }

    [Theory]
    [InlineData(@"\\?\")]
    [InlineData(@"\\?\?\x")]
    [InlineData(@"\\?\UNC\?\C:\x")]
    [InlineData(@"\\?\C:\..\x")]
    [InlineData(@"\\?\UNC\..\x")]
    [InlineData(@"\\?\..\x")]
    [InlineData(@"\\.\.\x")]
    [InlineData(@"\\?\\\?\C:\x")]
    public void A_long_path_that_names_no_place_is_refused(string path)
    {
        Assert.NotNull(OriginalPath.Check(Encoding.UTF8.GetBytes(path), EntryKind.File));
    }

    [Fact]
    public void A_volume_without_a_letter_has_no_original_place()
    {
        var mapper = new PathMapper(new RestoreOptions(), TargetRules.Windows);
        mapper.Observe(@"\\?\Volume{1b2c}\x"u8, EntryKind.File, isSelected: true);
        Assert.Null(mapper.Complete().Map(@"\\?\Volume{1b2c}\x", EntryKind.File, out string? refusal));
        Assert.Equal("The path is on a device of Windows without a drive letter, so it has no original place", refusal);
    }

    [Fact]
    public void A_single_literal_folder_argument_keeps_its_name_when_the_backup_has_more()
    {
        RestoreOptions options = Into("out") with { Filter = EntryFilter.Parse(["@/home/ann/docs/"], [], true) };
        AssertMapped(
            options,
            TargetRules.Unix,
            ("/home/ann/docs/", "docs"),
            ("/home/ann/docs/a", "docs/a"),
            ("/home/ann/b", null)
        );
        AssertMapped(options, TargetRules.Unix, ("/home/ann/docs/sub/a", "docs/sub/a"), ("/home/ann/b", null));
        AssertMapped(options, TargetRules.Unix, ("/home/ann/docs/", ""), ("/home/ann/docs/a", "a"));
    }

    [Fact]
    public void A_single_folder_argument_is_the_target_itself_as_on_the_command_line_of_Duplicati()
    {
        RestoreOptions options = Into("out") with { Filter = EntryFilter.Parse(["/home/ann/docs/"], [], true) };
        AssertMapped(
            options,
            TargetRules.Unix,
            ("/home/ann/docs/", ""),
            ("/home/ann/docs/a", "a"),
            ("/home/ann/b", null)
        );
    }

    [Theory]
    [InlineData("@C:\\Users\\Ann\\", "Ann/a")]
    [InlineData("@c:\\users\\ann\\", "Ann/a")]
    [InlineData("@C:\\", "C/Users/Ann/a")]
    [InlineData("C:\\Users\\Ann\\", "a")]
    [InlineData("[C:\\\\Users\\\\.*]", "Users/Ann/a")]
    public void A_single_literal_folder_argument_keeps_its_name_on_Windows_too(string argument, string expected)
    {
        RestoreOptions options = Into("out") with { Filter = EntryFilter.Parse([argument], [], caseSensitive: false) };
        AssertMapped(options, TargetRules.Unix, ("C:\\Users\\Ann\\a", expected), ("D:\\b", null));
    }

    [Fact]
    public void Other_rules_beside_the_folder_argument_take_its_name_into_account()
    {
        EntryFilter filter = EntryFilter.Parse(["@/home/ann/docs/"], [new FilterRule(true, "/home/b")], true);
        AssertMapped(
            Into("out") with
            {
                Filter = filter,
            },
            TargetRules.Unix,
            ("/home/ann/docs/a", "ann/docs/a"),
            ("/home/b", "b"),
            ("/c", null)
        );
    }

    [Fact]
    public void Original_places_are_below_the_root()
    {
        AssertMapped(
            new RestoreOptions(),
            TargetRules.Unix,
            ("/", ""),
            ("/home/ann/", "home/ann"),
            ("/home/ann/a.txt", "home/ann/a.txt")
        );
        AssertMapped(
            new RestoreOptions(),
            TargetRules.Windows,
            ("D:\\", "D:"),
            ("C:\\Users\\Ann\\a.txt", "C:/Users/Ann/a.txt"),
            ("\\\\srv\\share\\a", "UNC/srv/share/a")
        );
    }

    [Theory]
    [InlineData("C:\\x", false, "The backup was made on Windows")]
    [InlineData("/x", true, "The backup was made on Linux, macOS or another Unix")]
    public void Another_systems_places_are_refused(string path, bool isWindowsHere, string what)
    {
        var mapper = new PathMapper(new RestoreOptions(), isWindowsHere ? TargetRules.Windows : TargetRules.Unix);
        mapper.Observe(Encoding.UTF8.GetBytes(path), EntryKind.File, isSelected: true);
        RestoreException error = Assert.Throws<RestoreException>(() => mapper.Complete());
        Assert.Equal(RestoreErrorKind.Usage, error.Kind);
        Assert.Equal(what + ", so its files have no original place on this system", error.Message);
    }

    [Fact]
    public void An_empty_selection_is_not_an_error_of_the_mapper()
    {
        var mapper = new PathMapper(new RestoreOptions(), TargetRules.Windows);
        mapper.Observe("/x"u8, EntryKind.File, isSelected: false);
        Assert.Null(mapper.Complete().Map("relative", EntryKind.File, out string? refusal));
        Assert.Equal("The path is not absolute", refusal);
    }

    [Theory]
    [InlineData("/a/..foo", "..foo")]
    [InlineData("/a/...", "...")]
    [InlineData("/a/ ", " ")]
    [InlineData("/a/x\\..\\y", "x\\..\\y")]
    [InlineData("/a/tab\tbell\a", "tab\tbell\a")]
    [InlineData("/a/CON", "CON")]
    [InlineData("/a/a:b", "a:b")]
    public void Odd_names_are_kept_on_Unix(string path, string expected) =>
        AssertMapped(Into("out"), TargetRules.Unix, (path, expected));

    [Theory]
    [InlineData("/a/what?", "what%3F")]
    [InlineData("/a/<>:\"|*", "%3C%3E%3A%22%7C%2A")]
    [InlineData("/a/x\\..\\y", "x%5C..%5Cy")]
    [InlineData("/a/tab\t", "tab%09")]
    [InlineData("/a/...", "..%2E")]
    [InlineData("/a/end. ", "end.%20")]
    [InlineData("/a/ x.y", " x.y")]
    [InlineData("/a/50%", "50%")]
    [InlineData("/a/Nul", "%4Eul")]
    [InlineData("/a/aux.c.txt", "%61ux.c.txt")]
    [InlineData("/a/prn .txt", "%70rn .txt")]
    [InlineData("/a/com0", "%63om0")]
    [InlineData("/a/LPT²", "%4CPT²")]
    [InlineData("/a/conin$", "%63onin$")]
    [InlineData("/a/com10", "com10")]
    [InlineData("/a/console", "console")]
    [InlineData("/a/com", "com")]
    [InlineData("C:\\a\\file.txt:stream", "file.txt%3Astream")]
    public void Names_that_Windows_does_not_take_are_written_otherwise(string path, string expected) =>
        AssertMapped(Into("out"), TargetRules.Windows, (path, expected));

    [Fact]
    public void Names_are_at_most_255_units_long()
    {
        AssertMapped(Into("out"), TargetRules.Unix, ("/a/" + new string('x', 255), new string('x', 255)));
        AssertMapped(Into("out"), TargetRules.Windows, ("/a/" + new string('文', 255), new string('文', 255)));
        AssertTooLong("/a/" + new string('x', 256), TargetRules.Unix, "256 bytes");
        AssertTooLong("/a/" + new string('文', 86), TargetRules.Unix, "258 bytes");
        AssertTooLong("/a/" + new string('?', 86), TargetRules.Windows, "258 characters");

        static void AssertTooLong(string path, TargetRules rules, string length) =>
            AssertRefused(path, rules, $"A name in the path is {length} long; the limit of the target is 255");
    }

    [Theory]
    [InlineData("", "The path is not absolute")]
    [InlineData("relative.txt", "The path is not absolute")]
    [InlineData("C:relative.txt", "The path is not absolute")]
    [InlineData("C:", "The path is not absolute")]
    [InlineData("1:\\x", "The path is not absolute")]
    [InlineData("\\x", "The path is not absolute")]
    [InlineData("\\\\", "The path is not absolute")]
    [InlineData("\\\\\\x", "The path is not absolute")]
    [InlineData("//a", "The path has an empty segment")]
    [InlineData("/a//b", "The path has an empty segment")]
    [InlineData("C:\\\\a", "The path has an empty segment")]
    [InlineData("C:\\a\\/b", "The path has an empty segment")]
    [InlineData("/..", "The path has a '.' or '..' segment, which could lead out of the target")]
    [InlineData("/a/./b", "The path has a '.' or '..' segment, which could lead out of the target")]
    [InlineData("C:\\a\\..\\b", "The path has a '.' or '..' segment, which could lead out of the target")]
    [InlineData("C:\\a/../b", "The path has a '.' or '..' segment, which could lead out of the target")]
    [InlineData("\\\\.\\PhysicalDrive0", "The path has a '.' or '..' segment, which could lead out of the target")]
    [InlineData("/", "The entry is a file, but its path ends with a separator")]
    [InlineData("/a/", "The entry is a file, but its path ends with a separator")]
    [InlineData("C:\\", "The entry is a file, but its path ends with a separator")]
    public void A_path_that_could_lead_anywhere_is_refused(string path, string reason) =>
        AssertRefused(path, TargetRules.Unix, reason);

    [Fact]
    public void A_name_that_no_file_system_takes_is_refused()
    {
        AssertRefused("/a/nul\0x", TargetRules.Unix, "The path has a NUL character, which no file system accepts");
        AssertRefused(
            "/" + new string('x', 40_000),
            TargetRules.Unix,
            "The path is 40001 bytes long; no system allows more than 32767"
        );
        byte[] buffer = [];
        string? refusal = new PathMapper(Into("out"), TargetRules.Unix)
            .Complete()
            .Map([(byte)'/', 0xFF], EntryKind.File, ref buffer, out int length);
        Assert.Equal("The path is not valid UTF-8", refusal);
        Assert.Equal(0, length);
    }

    [Theory]
    [InlineData("/")]
    [InlineData("C:\\")]
    public void A_link_cannot_be_the_root(string path)
    {
        var mapper = new PathMapper(Into("out"), TargetRules.Unix);
        Assert.Null(mapper.Complete().Map(path, EntryKind.Symlink, out string? refusal));
        Assert.Equal("The entry is a link, but its path is the root", refusal);
    }

    [Fact]
    public void Single_paths_of_another_system_are_refused_and_have_no_say()
    {
        var mapper = new PathMapper(Into("out"), TargetRules.Unix);
        mapper.Observe("C:\\x"u8, EntryKind.File, isSelected: true);
        mapper.Observe("/a/b"u8, EntryKind.File, isSelected: true);
        mapper.Observe("/a/c"u8, EntryKind.File, isSelected: true);
        mapper.Observe("/../d"u8, EntryKind.File, isSelected: true);
        PathMap map = mapper.Complete();
        Assert.Equal("b", map.Map("/a/b", EntryKind.File, out _));
        Assert.Null(map.Map("C:\\x", EntryKind.File, out string? refusal));
        Assert.Equal("The path is one of Windows, but the backup was made on Unix", refusal);
    }

    private static RestoreOptions Into(string target) => new() { Target = target };

    /// <summary>
    /// A path ending in a separator is a folder, in '>' a link, else a file; a null target means
    /// that it is not selected.
    /// </summary>
    private static void AssertMapped(
        RestoreOptions options,
        TargetRules rules,
        params (string Path, string? Target)[] entries
    )
    {
        var mapper = new PathMapper(options, rules);
        foreach ((string path, string? target) in entries)
        {
            mapper.Observe(Encoding.UTF8.GetBytes(path.TrimEnd('>')), KindOf(path), target is not null);
        }

        PathMap map = mapper.Complete();
        foreach ((string path, string? target) in entries.Where(entry => entry.Target is not null))
        {
            string? mapped = map.Map(path.TrimEnd('>'), KindOf(path), out string? refusal);
            Assert.Null(refusal);
            Assert.Equal(target, mapped);
        }
    }

    private static EntryKind KindOf(string path) =>
        path[^1] switch
        {
            '>' => EntryKind.Symlink,
            '/' or '\\' => EntryKind.Folder,
            _ => EntryKind.File,
        };

    private static void AssertRefused(string path, TargetRules rules, string reason)
    {
        var mapper = new PathMapper(Into("out"), rules);
        mapper.Observe(Encoding.UTF8.GetBytes(path), EntryKind.File, isSelected: true);
        Assert.Null(mapper.Complete().Map(path, EntryKind.File, out string? refusal));
        Assert.Equal(reason, refusal);
    }
}
