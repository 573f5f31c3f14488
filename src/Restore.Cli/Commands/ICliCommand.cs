using Restore.Cli.Options;

namespace Restore.Cli.Commands;

/// <summary>
/// A command of the program: one file, and one line in <see cref="CommandList"/>. Parser, help, manual and shell completions follow from what it declares.
/// </summary>
internal interface ICliCommand
{
    /// <summary>The word that stands first on the command line.</summary>
    string Name { get; }

    /// <summary>What the command does, in a few words.</summary>
    string Summary { get; }

    /// <summary>What follows the command, beside options.</summary>
    IReadOnlyList<Operand> Operands { get; }

    /// <summary>The options that it takes, and no others.</summary>
    IReadOnlyList<OptionGroup> Options { get; }

    /// <summary>Command lines that show its use.</summary>
    IReadOnlyList<string> Examples { get; }

    /// <summary>Whether it ends with a report, which lists the warnings: they are not printed twice then.</summary>
    bool EndsWithReport => false;

    /// <returns>The exit code.</returns>
    Task<int> RunAsync(CommandContext context);
}
