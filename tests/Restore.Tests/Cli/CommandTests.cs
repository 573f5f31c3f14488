using System.CommandLine;
using Restore.Cli;
using Restore.Cli.Commands;
using Restore.Cli.Options;

namespace Restore.Tests.Cli;

public sealed class CommandTests
{
    [Fact]
    public async Task A_command_is_a_declaration_and_a_line_in_the_list()
    {
        SharedOptions shared = new(new FakeClock());
        IReadOnlyList<ICliCommand> commands = [new RestoreCommand(shared), new GreetCommand(shared)];
        using var output = new CapturedText();
        var environment = CliRun.Environment(output);
        Assert.Equal(7, await CliApplication.RunAsync(["greet", "ann", "--times=2", "ben"], environment, commands));
        Assert.Equal("hello ann\nhello ben\nhello ann\nhello ben\n", output.ToString());

        await CliApplication.RunAsync(["--help"], environment, commands);
        Assert.Contains("  greet           say hello\n", output.ToString(), StringComparison.Ordinal);
        await CliApplication.RunAsync(["greet", "--help"], environment, commands);
        Assert.Contains(
            "Greeting:\n  --times N                     How often (1 to 3; default: once)\n",
            output.ToString(),
            StringComparison.Ordinal
        );
        Assert.Contains(
            "greet [name ...]",
            new Manual(commands).Renew("<!-- generated: usage -->\n<!-- end -->\n"),
            StringComparison.Ordinal
        );
    }

    [Theory]
    [InlineData("ls", "--restore-path=/x")]
    [InlineData("ls", "--restore-path", "/x")]
    [InlineData("history", "--version=not a number")]
    [InlineData("find", "--time=2D")]
    [InlineData("verify", "--overwrite")]
    [InlineData("ls", "--dry-run")]
    public async Task An_option_of_another_command_has_no_effect_and_one_line_says_so(
        string command,
        params string[] option
    )
    {
        var run = await CliRun.OfAsync([command, "/there/is/no/such/folder", .. option, "x"]);
        Assert.Equal($"Not needed here, no effect: {option[0].Split('=')[0]}", run.Error.Split('\n')[0]);
        Assert.Equal(ExitCodes.NotFound, run.ExitCode);
    }

    [Fact]
    public async Task An_argument_that_a_command_does_not_take_is_a_usage_error()
    {
        var few = CliRun.Commands().Where(command => !command.Operands.Any(operand => operand.IsRepeated)).ToList();
        Assert.Empty(
            new[] { "delete", "compact", "check", "repair", "versions", "browse", "run", "man" }.Except(
                few.Select(command => command.Name)
            )
        );
        foreach (var command in few)
        {
            var run = await CliRun.OfAsync([
                command.Name,
                .. command.Operands.Select(_ => "/x"),
                "/home/ann",
                "--yes",
                "--keep-versions=1",
            ]);
            Assert.Equal(ExitCodes.Usage, run.ExitCode);
            Assert.StartsWith(
                $"'/home/ann' is one argument too many: restore {command.Name} takes ",
                run.Error,
                StringComparison.Ordinal
            );
        }
    }

    [Fact]
    public async Task A_dry_run_that_a_command_does_not_have_is_a_usage_error_if_the_command_changes_something()
    {
        var commands = CliRun.Commands().Where(command => command.HasNoDryRun).Select(command => command.Name).ToList();
        Assert.Equal(["export", "browse", "mount", "plan", "run", "finish", "database"], commands);
        foreach (
            var (command, option) in commands
                .Select(command => (command, "--dry-run"))
                .Append(("delete", "--list-volumes"))
        )
        {
            var run = await CliRun.OfAsync(command, "/there/is/no/such/folder", "--quiet", option);
            Assert.Equal(ExitCodes.Usage, run.ExitCode);
            Assert.StartsWith(
                $"{option} cannot be used: restore {command} has no such dry run\n",
                run.Error,
                StringComparison.Ordinal
            );
        }
    }

    [Fact]
    public void A_command_gets_the_operands_that_no_option_takes()
    {
        var request = CliRun.Request("ls", "--restore-path", "/x", "/backup", "--version", "3", "a", "--json", "b");
        Assert.Equal("/backup", request.Storage);
        Assert.Equal(["a", "b"], request.Operands);
        Assert.Equal(3, request.Version);
        Assert.Null(request.Restore.Target);
        Assert.True(request.Json);
    }

    [Fact]
    public void Commands_and_options_have_names_of_their_own()
    {
        var names = CliRun.Commands().Select(command => command.Name).ToList();
        Assert.Equal(names.Distinct(), names);
        var options = CliRun.Options().SelectMany(option => option.Names).ToList();
        Assert.Equal(options.Distinct(StringComparer.OrdinalIgnoreCase), options);
    }

    [Fact]
    public async Task An_error_names_the_help_of_its_command()
    {
        Assert.Equal(
            "--frobnicate is not an option\n'restore ls --help' shows the usage\n",
            (await CliRun.OfAsync("ls", "--frobnicate")).Error
        );
        Assert.EndsWith(
            "'restore versions --help' shows the usage\n",
            (await CliRun.OfAsync("versions")).Error,
            StringComparison.Ordinal
        );
    }

    /// <summary>Everything that a new command needs.</summary>
    private sealed class GreetCommand(SharedOptions shared) : ICliCommand
    {
        private readonly Option<int?> times = Declare.Count("--times", 1, 3, "once", "How often");

        public string Name => "greet";

        public string Summary => "say hello";

        public IReadOnlyList<Operand> Operands => [new Operand("[name ...]", "whom to greet")];

        public IReadOnlyList<OptionGroup> Options => [new("Greeting", [times]), shared.Program];

        public IReadOnlyList<string> Examples => ["restore greet ann"];

        public Task<int> RunAsync(CommandContext context)
        {
            for (var i = 0; i < (context.Line.Value(times) ?? 1); i++)
            {
                context.Request.Operands.ToList().ForEach(name => context.Output.WriteLine($"hello {name}"));
            }

            return Task.FromResult(7);
        }
    }
}
