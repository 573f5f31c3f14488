using Restore.Cli.Options;

namespace Restore.Cli.Commands;

/// <summary>
/// A command of the program: one file, and one line in <see cref="CommandList"/>. Parser, help, manual and shell completions follow from its declarations.
/// </summary>
internal interface ICliCommand
{
    /// <summary>The first word of the command line.</summary>
    string Name { get; }

    /// <summary>What the command does, in a few words.</summary>
    string Summary { get; }

    /// <summary>The arguments that are not options.</summary>
    IReadOnlyList<Operand> Operands { get; }

    /// <summary>All options that it takes.</summary>
    IReadOnlyList<OptionGroup> Options { get; }

    /// <summary>Example command lines.</summary>
    IReadOnlyList<string> Examples { get; }

    /// <summary>Whether it ends with a report, which lists the warnings, so that they are not printed before.</summary>
    bool EndsWithReport => false;

    /// <summary>Whether it does nothing but list: it ends without a word when the reader of its output has gone.</summary>
    bool EndsWithReader => false;

    /// <returns>The exit code.</returns>
    Task<int> RunAsync(CommandContext context);
}
