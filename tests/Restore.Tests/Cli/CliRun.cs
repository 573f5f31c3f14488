using System.CommandLine;
using Restore.Cli;
using Restore.Cli.Commands;
using Restore.Cli.Options;
using Restore.Cli.Rendering;

namespace Restore.Tests.Cli;

/// <summary>The whole program, run in the process of the tests.</summary>
internal sealed record CliRun(int ExitCode, string Output, string Error)
{
    public static Task<CliRun> OfAsync(params string[] arguments) => OfAsync(environment => environment, arguments);

    /// <summary>
    /// Runs the program, and checks that no line of its error stream ends with a full stop.
    /// </summary>
    public static async Task<CliRun> OfAsync(Func<CliEnvironment, CliEnvironment> change, params string[] arguments)
    {
        using var output = new CapturedText();
        using var error = new CapturedText();
        var environment = change(Environment(output, error));
        var code = await CliApplication.RunAsync(arguments, environment);
        Assert.DoesNotContain(error.ToString().Split('\n'), line => line.EndsWith('.'));
        return new CliRun(code, output.ToString(), error.ToString());
    }

    public static CliEnvironment Environment(TextWriter? output = null, TextWriter? error = null) =>
        new()
        {
            Output = output ?? TextWriter.Null,
            Error = error ?? TextWriter.Null,
            Clock = new FakeClock(),
        };

    /// <summary>What the program makes of a command line, without running it.</summary>
    public static HostRequest Request(params string[] arguments) => Request(Environment(), arguments);

    public static HostRequest Request(CliEnvironment environment, params string[] arguments)
    {
        var parsed = CommandLine.Parse(arguments, Commands(), environment);
        Assert.Empty(parsed.Errors);
        return parsed.ToRequest();
    }

    /// <summary>The commands of the program.</summary>
    public static IReadOnlyList<ICliCommand> Commands() => CommandList.Of(new SharedOptions(new FakeClock()));

    /// <summary>All options of all commands, each once.</summary>
    public static IReadOnlyList<Option> Options() =>
        [.. Commands().SelectMany(command => command.Options).SelectMany(group => group.Options).Distinct()];

    /// <summary>What a renderer writes.</summary>
    public static string Text(Action<TextWriter> write)
    {
        using var text = new StringWriter { NewLine = "\n" };
        write(text);
        return text.ToString();
    }

    public static Messages MessagesTo(TextWriter error, params string[] secrets)
    {
        var scrubber = new KnownSecrets();
        Array.ForEach(secrets, scrubber.Add);
        return new Messages(error, scrubber);
    }
}
