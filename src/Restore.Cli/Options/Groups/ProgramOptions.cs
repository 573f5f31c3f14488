using System.CommandLine;

namespace Restore.Cli.Options.Groups;

/// <summary>The options of every command; the program handles them before a command runs.</summary>
internal sealed class ProgramOptions : OptionGroup
{
    public Option<bool> Help { get; } = Declare.Flag("--help", "Print this text", "-h", "-?");

    public Option<bool> ProgramVersion { get; } = Declare.Flag("--program-version", "Print the version of this program");

    /// <summary>Read before the parser sees the arguments.</summary>
    public Option<string?> ParametersFile { get; } = Declare.Text(
        Restore.Cli.Options.ParametersFile.Name,
        "FILE",
        null,
        "Read further options from this file, one a line as --name=value; they take precedence over the command line",
        Restore.Cli.Options.ParametersFile.OtherName);

    public override string Title => "Program";

    public override IReadOnlyList<Option> Options => [Help, ProgramVersion, ParametersFile];
}
