using System.Text;
using Restore.Cli.Rendering;

namespace Restore.Tests.Cli;

/// <summary>What a terminal of 30 columns gets.</summary>
public sealed class ScreenWriterTests
{
    private const string Long = "  Label     one two three four five six";

    [Fact]
    public void Lines_break_between_words_however_they_are_written()
    {
        string[] broken = ["  Blocks", "seven and eight and nine and", "ten"];
        Assert.Equal(broken, Written(output => output.WriteLine("  Blocks\nseven and eight and nine and ten")));
        Assert.Equal(broken, Written(output => output.Write("  Blocks\nseven and eight and nine and ten\n")));
    }

    [Fact]
    public void What_is_to_be_copied_stays_whole() =>
        Assert.Equal([Long + Long], Written(output => output.WriteWhole(Long + Long)));

    [Fact]
    public void A_line_that_is_drawn_in_place_or_was_begun_stays_as_it_is()
    {
        Assert.Equal(["\r" + Long], Written(output => output.WriteLine("\r" + Long)));
        Assert.Equal(["begun " + Long], Written(output => Begin(output, "begun ")));

        // The cursor is at the start of the line again.
        Assert.Equal(2, Written(output => Begin(output, "begun\r\u001b[J"), columns: 36).Length);
    }

    [Fact]
    public void Colours_take_no_columns()
    {
        Assert.Single(Ink.Break("  \u001b[31mLost\u001b[0m      one two three four five", 36));
        Assert.Equal(
            ["  \u001b[31mLost\u001b[0m      one two three four five", "            six"],
            Ink.Break("  \u001b[31mLost\u001b[0m      one two three four five six", 36)
        );
    }

    [Fact]
    public void A_label_of_nine_letters_has_its_text_behind_it() =>
        Assert.Equal(
            ["  Elsewhere one two three four five", "            six seven"],
            Ink.Break("  Elsewhere one two three four five six seven", 36)
        );

    private static void Begin(TextWriter output, string start)
    {
        output.Write(start);
        output.WriteLine(Long);
    }

    private static string[] Written(Action<TextWriter> write, int columns = 30)
    {
        using MemoryStream bytes = new();
        using (
            ScreenWriter screen = new(bytes, new UTF8Encoding(false), 1024)
            {
                HasColors = false,
                Columns = () => columns,
                NewLine = "\n",
            }
        )
        {
            write(screen);
        }

        return Encoding.UTF8.GetString(bytes.ToArray()).TrimEnd('\n').Split('\n');
    }
}
