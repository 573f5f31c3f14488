using System.Text;

namespace Restore.Tests.Planning;

public class EntryFilterTests
{
    [Theory]
    // literal
    [InlineData("/home/ann/notes.txt", "/home/ann/notes.txt", true)]
    [InlineData("/home/ann/notes.txt", "/home/ann/notes.txt~", false)]
    [InlineData("/home/ann/docs", "/home/ann/docs/", false)]
    [InlineData("@/a/x*y", "/a/x*y", true)]
    [InlineData("@/a/x*y", "/a/xzy", false)]
    [InlineData("/a/[1]", "/a/[1]", true)]
    [InlineData("[", "[", true)]
    [InlineData("[open", "[open", true)]
    // glob
    [InlineData("*.txt", "/home/ann/notes.txt", true)]
    [InlineData("*.txt", "/home/ann/notes.txt.bak", false)]
    [InlineData("/home/*/notes.txt", "/home/ann/deep/er/notes.txt", true)]
    [InlineData("/home/?nn/*", "/home/ann/x", true)]
    [InlineData("/home/?nn/*", "/home/nn/x", false)]
    [InlineData("/home/ann/*", "/home/ann/", true)]
    [InlineData("/home/ann/**", "/home/ann/", false)]
    [InlineData("/home/ann/**", "/home/ann/x", true)]
    [InlineData("/home/ann/***", "/home/ann/", false)]
    [InlineData("**", "/", true)]
    [InlineData("*", "", true)]
    [InlineData("**", "", false)]
    [InlineData("/a?b", "/a/b", true)]
    [InlineData("/?", "/文", true)]
    [InlineData("/?", "/🙂", false)]
    [InlineData("/??", "/🙂", true)]
    [InlineData("/a*\n*b", "/ax\ny\nb", true)]
    // regex
    [InlineData("[.*\\.txt]", "/home/ann/notes.txt", true)]
    [InlineData("[notes]", "/home/ann/notes.txt", false)]
    [InlineData("[.*/(a|ab)]", "/x/ab", true)]
    [InlineData("[^/x/.*$]", "/x/ab", true)]
    [InlineData("[^/x/a|b$]", "/x/ab", false)]
    [InlineData("[/x/.*z]", "/x/line\nfeed z", true)]
    [InlineData("[/x/a]", "/x/a\n", false)]
    [InlineData("[.*/(?!secret).*]", "secret", false)]
    [InlineData("[/(.)\\w]", "/ab", true)]
    [InlineData("[/(?<x>.)\\k<x>]", "/aa", true)]
    [InlineData("[/(?<x>.)\\k<x>]", "/ab", false)]
    public void An_expression_matches_the_whole_path(string expression, string path, bool expected)
    {
        EntryFilter filter = EntryFilter.Parse([], [new FilterRule(true, expression)], caseSensitive: true);
        Assert.Equal(expected, filter.Matches(path));
        char[] scratch = [];
        Assert.Equal(expected, filter.Matches(Encoding.UTF8.GetBytes(path), ref scratch));
    }

    [Theory]
    [InlineData("/A/É.txt", "/a/é.TXT")]
    [InlineData("*É.TXT", "/a/é.txt")]
    [InlineData("[/A/.*\\.TXT]", "/a/x.txt")]
    public void Case_makes_a_difference_only_if_requested(string expression, string path)
    {
        Assert.True(EntryFilter.Parse([], [new FilterRule(true, expression)], caseSensitive: false).Matches(path));
        Assert.False(EntryFilter.Parse([], [new FilterRule(true, expression)], caseSensitive: true).Matches(path));
    }

    [Theory]
    [InlineData("notes.txt", "/home/ann/notes.txt", true)]
    [InlineData("notes.txt", "C:\\Users\\Ann\\notes.txt", true)]
    [InlineData("notes.txt", "/home/ann/my notes.txt", false)]
    [InlineData("notes.txt", "notes.txt", false)]
    [InlineData("docs", "/home/ann/docs/", true)]
    [InlineData("docs", "/home/ann/docs/x", true)]
    [InlineData("docs", "/home/ann/mydocs/x", false)]
    [InlineData("/home/ann", "/home/ann/docs/x", true)]
    [InlineData("docs/", "/home/ann/docs", false)]
    [InlineData("{x}", "/home/{x}", true)]
    [InlineData("/home/ann/", "/home/ann/", true)]
    [InlineData("/home/ann/", "/home/ann/deep/er", true)]
    [InlineData("/home/ann/", "/home/anna", false)]
    [InlineData("C:\\Users\\", "C:\\Users\\Ann\\x", true)]
    [InlineData("docs/x", "/home/ann/docs/x", false)]
    [InlineData("/home/ann/docs/x", "/home/ann/docs/x", true)]
    [InlineData("*/docs/", "/home/docs/", true)]
    [InlineData("*/docs/", "/home/docs/x", true)]
    [InlineData("what?/", "/home/whats/x", true)]
    [InlineData("what?.txt", "/home/whats.txt", true)]
    [InlineData("/home/what?", "/home/what?/x", true)]
    [InlineData("[(a]", "/home/[(a]", true)]
    [InlineData("[a-z]", "/home/[a-z]/x", true)]
    [InlineData("@types", "/home/@types/x", true)]
    [InlineData("@types", "/home/types/x", true)]
    [InlineData("a\\b", "/home/a\\b", true)]
    [InlineData("a\\b", "C:\\home\\a\\b", false)]
    [InlineData("b", "/home/a\\b", false)]
    [InlineData("line\nfeed", "/home/line\nfeed", true)]
    [InlineData("end. ", "/home/end. /x", true)]
    [InlineData("end.", "/home/end. /x", false)]
    [InlineData("/", "/home", true)]
    [InlineData("//home///x/", "/home/x/y", true)]
    [InlineData("/home/.", "/home/x", true)]
    [InlineData("C:/", "D:\\x", false)]
    [InlineData("\\\\SERVER\\share\\", "\\\\server\\share\\x", true)]
    [InlineData("\\\\server\\share", "\\\\server\\share2\\x", false)]
    [InlineData("\\\\?\\C:\\a", "\\\\?\\C:\\a\\x", true)]
    [InlineData("C:\\a", "/C:\\b", false)]
    [InlineData("@what?.txt", "/home/what?.txt", true)]
    [InlineData("@what?.txt", "C:\\what?.txt", true)]
    [InlineData("@what?.txt", "/home/whats.txt", false)]
    [InlineData("@[1]", "/home/[1]", true)]
    [InlineData("@/a*/", "/a*/x", true)]
    [InlineData("@/a*/", "/ab/x", false)]
    [InlineData("@/a*/b", "/a*/b", true)]
    [InlineData("[.*b]", "/ab", true)]
    public void A_path_argument_is_a_name_a_folder_or_an_expression(string argument, string path, bool expected) =>
        Assert.Equal(expected, EntryFilter.Parse([argument], [], caseSensitive: true).Matches(path));

    [Fact]
    public void The_first_rule_that_matches_decides()
    {
        FilterRule[] rules = [new(true, "*/keep.tmp"), new(false, "*.tmp"), new(true, "/b/*")];
        EntryFilter filter = EntryFilter.Parse([], rules, caseSensitive: true);
        Assert.True(filter.Matches("/a/keep.tmp"));
        Assert.False(filter.Matches("/b/x.tmp"));
        Assert.True(filter.Matches("/b/x"));
    }

    [Fact]
    public void What_nothing_matches_is_left_out_unless_there_is_an_exclude()
    {
        Assert.False(EntryFilter.Parse([], [new FilterRule(true, "*.txt")], true).Matches("/a"));
        Assert.True(EntryFilter.Parse([], [new FilterRule(false, "*.txt")], true).Matches("/a"));
        Assert.True(EntryFilter.Parse(["x.txt"], [new FilterRule(false, "*.tmp")], true).Matches("/a"));
    }

    [Fact]
    public void Path_arguments_come_before_the_rules()
    {
        EntryFilter filter = EntryFilter.Parse(["x.tmp"], [new FilterRule(false, "*.tmp")], true);
        Assert.True(filter.Matches("/a/x.tmp"));
        Assert.False(filter.Matches("/a/y.tmp"));
    }

    [Fact]
    public void Many_literals_keep_their_place_among_the_other_rules()
    {
        FilterRule[] rules =
        [
            new(true, "/a"),
            new(true, "/b"),
            new(false, "/b"),
            new(false, "/c"),
            new(true, "/*"),
            new(true, "/c"),
        ];
        EntryFilter filter = EntryFilter.Parse([], rules, true);
        Assert.True(filter.Matches("/a"));
        Assert.True(filter.Matches("/b"));
        Assert.False(filter.Matches("/c"));
        Assert.True(filter.Matches("/d"));
    }

    [Fact]
    public void No_argument_and_no_rule_is_everything()
    {
        EntryFilter filter = EntryFilter.Parse([], []);
        Assert.True(filter.IsAll);
        Assert.True(filter.Matches(""));
        Assert.Equal("everything", filter.Describe());
    }

    [Theory]
    [InlineData("R\u00e9sum\u00e9", "/h/Re\u0301sume\u0301")]
    [InlineData("/h/Re\u0301sume\u0301", "/h/R\u00e9sum\u00e9")]
    [InlineData("R?sum?", "/h/Re\u0301sume\u0301")]
    [InlineData("\ud55c\uae00", "/h/\u1112\u1161\u11ab\u1100\u1173\u11af")]
    [InlineData("\u304c.txt", "C:\\h\\\u304b\u3099.txt")]
    public void Both_forms_of_a_letter_are_the_same_in_arguments_and_filters(string name, string path)
    {
        Assert.True(EntryFilter.Parse([name], [], caseSensitive: true).Matches(path));
        string rule = name.StartsWith('/') ? name : "*" + name;
        Assert.True(EntryFilter.Parse([], [new FilterRule(true, rule)], caseSensitive: true).Matches(path));
        Assert.True(
            EntryFilter
                .Parse([], [new FilterRule(true, $"[.*{name.TrimStart('/').Replace('?', '.')}]")], caseSensitive: true)
                .Matches(path)
        );
    }

    [Fact]
    public void An_entry_from_a_list_is_taken_by_its_exact_path()
    {
        EntryFilter filter = EntryFilter.OfEntries("/h/\u00e9/", "/h/a*", @"D:\b\");
        Assert.True(filter.Matches("/h/\u00e9/x"));
        Assert.False(filter.Matches("/h/e\u0301/x"));
        Assert.True(filter.Matches("/h/a*"));
        Assert.False(filter.Matches("/h/ab"));
        Assert.False(filter.Matches("/h/a*/x"));
        Assert.True(filter.Matches(@"\\?\D:\b\x"));
        Assert.False(filter.Matches(@"d:\B\x"));
    }

    [Fact]
    public void A_path_of_a_megabyte_of_accents_is_compared_in_a_moment()
    {
        EntryFilter filter = EntryFilter.Parse(["\u00e9"], [], caseSensitive: true);
        string path = "/" + string.Concat(Enumerable.Repeat("\u0315\u0300\u0316", 300_000));
        Assert.False(filter.Matches(path));
    }

    [Theory]
    [InlineData("C:\\a\\file.txt", "C:\\a\\file.txt:stream", true)]
    [InlineData("\\\\srv\\a\\file.txt", "\\\\srv\\a\\file.txt:stream", true)]
    [InlineData("C:\\a\\dir\\", "C:\\a\\dir:stream", true)]
    [InlineData("C:\\a\\file.txt", "C:\\a\\file.txt2:stream", false)]
    [InlineData("C:", "C:\\a\\file.txt", false)]
    [InlineData("/a/file.txt", "/a/file.txt:stream", false)]
    public void A_stream_goes_with_its_file(string expression, string path, bool expected)
    {
        Assert.Equal(expected, EntryFilter.Parse([], [new FilterRule(true, expression)], true).Matches(path));
        Assert.Equal(!expected, EntryFilter.Parse([], [new FilterRule(false, expression)], true).Matches(path));
    }

    [Theory]
    [InlineData("@/a/b/", "/a/b/")]
    [InlineData("@C:\\a\\", "C:\\a\\")]
    [InlineData("@/a*/", "/a*/")]
    [InlineData("/a/b/", null)]
    [InlineData("C:\\a\\", null)]
    [InlineData("[/home/a\\.b/.*]", "/home/a.b/")]
    [InlineData("[C:\\\\a\\\\.*]", "C:\\a\\")]
    [InlineData("[/home/a.b/.*]", null)]
    [InlineData("[/home/a.*]", null)]
    [InlineData("[/home/[a-z]/.*]", null)]
    [InlineData("*/a/", null)]
    [InlineData("@/a/b", "/a/b/")]
    [InlineData("/a/b", null)]
    public void A_single_argument_can_name_a_folder(string argument, string? folder)
    {
        Assert.Equal(folder, EntryFilter.Parse([argument], [], true).Folder);
        Assert.Null(EntryFilter.Parse([argument, "x"], [], true).Folder);
        Assert.Equal(folder, EntryFilter.Parse([argument], [new FilterRule(false, "*.tmp")], true).Folder);
    }

    [Fact]
    public void A_filter_says_what_it_takes()
    {
        FilterRule[] rules = [new(false, "*.tmp"), new(true, "/a")];
        Assert.Equal("'x', exclude '*.tmp', include '/a'", EntryFilter.Parse(["x"], rules, true).Describe());
        Assert.Equal(
            "'a', 'b', 'c', 'd' and 2 more",
            EntryFilter.Parse(["a", "b", "c", "d", "e", "f"], [], true).Describe()
        );
    }

    [Theory]
    [InlineData("", "A filter expression is empty")]
    [InlineData("@", "A filter expression is empty")]
    [InlineData(
        "{TemporaryFiles}",
        "The filter group '{TemporaryFiles}' cannot be used here: what it means depends on the system that makes the backup, and only a backup takes it"
    )]
    [InlineData(
        "[(a]",
        "The filter expression '[(a]' is not a regular expression: Invalid pattern '(a' at offset 2. Not enough )'s"
    )]
    public void An_expression_that_cannot_be_used_is_named(string expression, string message)
    {
        RestoreException error = Assert.Throws<RestoreException>(() =>
            EntryFilter.Parse([], [new FilterRule(true, expression)])
        );
        Assert.Equal(RestoreErrorKind.Usage, error.Kind);
        Assert.Equal(message, error.Message);
    }

    [Theory]
    [InlineData("")]
    [InlineData("@")]
    public void An_empty_path_argument_is_refused_rather_than_taken_for_everything(string argument)
    {
        RestoreException error = Assert.Throws<RestoreException>(() => EntryFilter.Parse([argument], []));
        Assert.Equal("A path argument is empty", error.Message);
    }

    [Fact]
    public void A_regex_that_never_ends_is_stopped()
    {
        // The lookahead forces the backtracking engine.
        EntryFilter filter = EntryFilter.Parse([], [new FilterRule(true, "[(?=/)(/|a+)+b]")], true);
        RestoreException error = Assert.Throws<RestoreException>(() => filter.Matches("/" + new string('a', 100)));
        Assert.Equal(RestoreErrorKind.Usage, error.Kind);
        Assert.Equal("The filter expression '[(?=/)(/|a+)+b]' took more than 2 seconds on one path", error.What);
    }

    [Fact]
    public void A_regex_that_would_backtrack_forever_runs_in_linear_time()
    {
        EntryFilter filter = EntryFilter.Parse([], [new FilterRule(true, "[(/|a+)+b]")], true);
        Assert.False(filter.Matches("/" + new string('a', 10_000)));
    }

    [Fact]
    public void A_glob_of_many_stars_does_not_explode()
    {
        string glob = string.Concat(Enumerable.Repeat("*a", 100)) + "*b";
        Assert.False(EntryFilter.Parse([], [new FilterRule(true, glob)], true).Matches(new string('a', 10_000)));
    }

    [Fact]
    public void Matching_allocates_nothing()
    {
        FilterRule[] rules =
        [
            new(true, "/a/b"),
            new(true, "/c"),
            new(false, "*/cache/*"),
            new(true, "*.txt"),
            new(true, "[/x/.*]"),
        ];
        EntryFilter filter = EntryFilter.Parse([], rules, true);
        byte[] path = "/home/ann/some/folder/file.name"u8.ToArray();
        char[] scratch = [];
        bool matched = filter.Matches(path, ref scratch);
        long before = GC.GetAllocatedBytesForCurrentThread();
        for (int i = 0; i < 100; i++)
        {
            matched &= filter.Matches(path, ref scratch);
        }

        Assert.Equal(0, GC.GetAllocatedBytesForCurrentThread() - before);
        Assert.True(matched);
    }
}
