using System.Text;
using Restore.Cli.Rendering;

namespace Restore.Tests.Cli;

/// <summary>Reports on a terminal of 80 columns.</summary>
public sealed class NarrowTerminalTests
{
    private const int Columns = 80;
    private const int LabelLength = 12;

    [Theory]
    [InlineData("check", "plain-1mb")]
    [InlineData("check", "damaged/dblock-missing-plain")]
    [InlineData("assess", "plain-1mb", "--long")]
    [InlineData("versions", "plain-1mb")]
    [InlineData("history", "plain-1mb", "readme.txt")]
    [InlineData("compact", "plain-1mb", "--dry-run")]
    [InlineData("delete", "plain-1mb", "--version=1", "--dry-run")]
    [InlineData("repair", "damaged/dblock-missing-plain", "--dry-run")]
    [InlineData("self-check")]
    [InlineData("help", "options")]
    [InlineData("help", "exit-codes")]
    [InlineData("backup", "--help")]
    [InlineData("stores")]
    [InlineData("stores", "s3")]
    [InlineData("verify", "plain-1mb", "--all-versions", "--sample=50%", "--seed=1")]
    [InlineData("verify", "damaged/dblock-missing-plain")]
    [InlineData("restore", "plain-1mb", "--dry-run", "--restore-path=/tmp/out", "--egress-price=0.09")]
    [InlineData("restore", "plain-1mb", "--dry-run", "--last-good", "--restore-path=/tmp/out")]
    public async Task No_line_of_a_report_breaks_within_a_word(params string[] arguments)
    {
        string text = await WrittenAsync(arguments);
        Assert.NotEmpty(text);
        AssertFits(text);
    }

    [Fact]
    public async Task A_plan_and_its_shards_fit()
    {
        using var folder = new TempFolder();
        string plan = Path.Join(folder.Path, "job.rplan");
        AssertFits(
            await WrittenAsync("plan", "plain-1mb", $"--restore-path={folder.Root}", $"--save={plan}", "--shards=3")
        );
        string shown = await WrittenAsync("plan", "--show", plan);
        AssertFits(shown);
        Assert.Contains("  Shards    3", shown, StringComparison.Ordinal);
    }

    [Fact]
    public async Task The_jobs_of_an_export_fit()
    {
        using var folder = new TempFolder();
        string export = Path.Join(folder.Path, "job.json");
        await File.WriteAllTextAsync(
            export,
            """
            {"Backup": {"Name": "Photos", "TargetURL": "file:///mnt/backup", "Sources":
              ["/home/ann/My documents and the pictures of many summers by the lake and in the mountains/"], "Settings": []}}
            """,
            TestContext.Current.CancellationToken
        );
        string text = await WrittenAsync("jobs", export);
        AssertFits(text);
        Assert.Contains(
            "    source      /home/ann/My documents and the pictures of many summers by the\n                lake",
            text,
            StringComparison.Ordinal
        );
    }

    [Theory]
    [InlineData("--help")]
    [InlineData("backup", "--help")]
    public async Task Each_example_has_a_line_of_its_own(params string[] arguments)
    {
        var text = await WrittenAsync(arguments);
        var command = CliRun.Commands().Single(one => one.Name == (arguments.Length == 1 ? "restore" : arguments[0]));
        Assert.All(
            command.Examples,
            example =>
                Assert.Contains(
                    $"\n  {Restore.Cli.Help.ExampleText.Of([example]).Single()}\n",
                    text,
                    StringComparison.Ordinal
                )
        );
    }

    [Fact]
    public void Examples_are_short_enough_for_a_line() =>
        Assert.All(
            CliRun.Commands().SelectMany(command => command.Examples),
            example => Assert.InRange(example.Length, 1, Columns - 3)
        );

    // A command to paste is one line, and so is a path that is too long for the place beside its
    // label: both depend on where the fixtures are.
    private static void AssertFits(string text) =>
        Assert.All(
            text.Split('\n'),
            line =>
                Assert.True(
                    line.Length <= Columns
                        || line.StartsWith("  restore ", StringComparison.Ordinal)
                        || line.Split(' ').Any(word => word.Length + LabelLength > Columns),
                    line
                )
        );

    private static async Task<string> WrittenAsync(params string[] arguments)
    {
        string[] given = [.. arguments.Select((one, at) => at == 1 && IsBackup(one) ? Fixtures.Backup(one) : one)];
        using MemoryStream bytes = new();
        await using (
            ScreenWriter screen = new(bytes, new UTF8Encoding(false), 1024)
            {
                HasColors = false,
                Columns = () => Columns,
                NewLine = "\n",
            }
        )
        {
            await CliRun.OfAsync(
                environment =>
                    environment with
                    {
                        Output = screen,
                        OutputIsTerminal = true,
                        TerminalWidth = () => Columns,
                    },
                given
            );
        }

        return Encoding.UTF8.GetString(bytes.ToArray());
    }

    private static bool IsBackup(string argument) =>
        argument.StartsWith("plain", StringComparison.Ordinal)
        || argument.StartsWith("damaged", StringComparison.Ordinal);
}
