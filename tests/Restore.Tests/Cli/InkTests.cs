using System.Text;
using Restore.Cli.Rendering;

namespace Restore.Tests.Cli;

/// <summary>Colours and line breaks on a terminal.</summary>
public sealed class InkTests
{
    private static readonly RestoreIssue Loss = new(
        IssueKind.Missing,
        "/home/ann/thesis.docx",
        "The volume that has its blocks is missing from the store"
    )
    {
        Volumes = ["duplicati-b0123456789abcdef0123456789abcdef.dblock.zip.aes"],
    };

    [Fact]
    public void What_is_lost_is_red_and_what_is_whole_is_green()
    {
        var lost = Written(true, 80, output => IssueText.Write(output, [Loss], ReportSize.Screen));
        Assert.Contains("  \u001b[31mLost\u001b[0m      1 entry is damaged", lost, StringComparison.Ordinal);
        Assert.Contains("  \u001b[31mmissing\u001b[0m   /home/ann/thesis.docx", lost, StringComparison.Ordinal);
        Assert.Contains(
            "  \u001b[32mComplete\u001b[0m  nothing is lost",
            Written(true, 80, output => IssueText.Write(output, [], ReportSize.Screen))
        );
    }

    [Fact]
    public void Added_and_removed_files_have_colours()
    {
        var state = new EntryState(BackupEntryKind.File, 1, 5, null, "");
        var added = Written(true, 80, output => DifferenceText(output, EntryChange.Added, null, state));
        var removed = Written(true, 80, output => DifferenceText(output, EntryChange.Removed, state, null));
        Assert.StartsWith("\u001b[32m+ 5 bytes", added, StringComparison.Ordinal);
        Assert.StartsWith("\u001b[31m- 5 bytes", removed, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Without_colours_and_in_pipes_there_are_no_sequences(bool isScreen)
    {
        var text = isScreen
            ? Written(false, 80, output => IssueText.Write(output, [Loss], ReportSize.Screen))
            : CliRun.Text(output => IssueText.Write(output, [Loss], ReportSize.Screen));
        Assert.DoesNotContain('\u001b', text);
        Assert.Contains("  Lost      1 entry is", text, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("xterm", null, true)]
    [InlineData("xterm", "", true)]
    [InlineData("xterm", "1", false)]
    [InlineData("dumb", null, false)]
    [InlineData(null, null, false)]
    public void The_user_and_the_terminal_decide_about_colours(string? terminal, string? noColor, bool has) =>
        Assert.Equal(
            has && !OperatingSystem.IsWindows(),
            ScreenWriter.WantsColors(name =>
                name == "NO_COLOR" ? noColor
                : name == "TERM" ? terminal
                : null
            )
        );

    [Theory]
    [InlineData(80)]
    [InlineData(60)]
    public void No_line_breaks_within_a_word(int width)
    {
        var text = Written(false, width, output => IssueText.Write(output, [Loss], ReportSize.Screen));
        Assert.All(text.Split('\n'), line => Assert.True(line.Length <= width || !line.Trim().Contains(' '), line));
        Assert.Contains(
            "            duplicati-b0123456789abcdef0123456789abcdef.dblock.zip.aes",
            Written(false, 66, output => IssueText.Write(output, [Loss], ReportSize.Screen))
        );
    }

    [Theory]
    [InlineData("one two three", 100, "one two three")]
    [InlineData("one two three and four and five", 24, "one two three and four", "and five")]
    [InlineData("  label  one two three and four and five", 34, "  label  one two three and four", "         and five")]
    [InlineData("a-word-that-is-longer-than-the-line and more", 24, "a-word-that-is-longer-than-the-line", "and more")]
    public void A_line_breaks_between_words_under_its_text(string line, int width, params string[] parts) =>
        Assert.Equal(parts, Ink.Break(line, width));

    private static void DifferenceText(TextWriter output, EntryChange change, EntryState? older, EntryState? newer) =>
        Restore.Cli.Commands.DifferenceText.Write(
            output,
            new EntryDifference("/home/ann/notes.txt", change, older, newer)
        );

    private static string Written(bool hasColors, int columns, Action<TextWriter> write)
    {
        using var bytes = new MemoryStream();
        using (
            var screen = new ScreenWriter(bytes, new UTF8Encoding(false), 1024)
            {
                HasColors = hasColors,
                Columns = () => columns,
                NewLine = "\n",
            }
        )
        {
            write(screen);
        }

        return Encoding.UTF8.GetString(bytes.ToArray());
    }
}
