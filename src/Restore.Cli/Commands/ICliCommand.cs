namespace Restore.Cli.Commands;

/// <summary>
/// A command of the program: one file, and one line in <see cref="CommandList"/>. Parser, help,
/// manual and shell completions follow from its declarations.
/// </summary>
internal interface ICliCommand
{
    string Name { get; }
    string Summary { get; }
    IReadOnlyList<Operand> Operands { get; }
    IReadOnlyList<OptionGroup> Options { get; }
    IReadOnlyList<string> Examples { get; }

    /// <summary>The names of Duplicati's commands that are this one.</summary>
    IReadOnlyList<string> DuplicatiNames => [];

    /// <summary>
    /// What other backup programs call this command. A folder of such a name is the backup.
    /// </summary>
    IReadOnlyList<string> NamesElsewhere => [];

    /// <summary>
    /// True if it ends with a report, which lists the warnings: they are not printed before.
    /// </summary>
    bool EndsWithReport => false;

    /// <summary>
    /// True if it only lists: it ends silently when the reader of its output goes away.
    /// </summary>
    bool EndsWithReader => false;

    /// <summary>
    /// True if it can run for hours, so that the computer must stay awake.
    /// </summary>
    bool RunsLong => false;

    /// <summary>True if it makes or changes something and has no dry run.</summary>
    bool HasNoDryRun => false;

    /// <summary>True if another process does the work, and writes the log.</summary>
    bool LeavesLog(CommandLine line) => false;

    /// <summary>
    /// True if the output is all that a run leaves behind, so that the run has failed if its output
    /// is lost.
    /// </summary>
    bool OnlyPrints(CommandLine line) => !EndsWithReport;

    /// <summary>
    /// Does what Duplicati's form of this command means beyond its name, before the command line is
    /// parsed.
    /// </summary>
    void Adapt(DuplicatiForm line) { }

    bool Takes(Option option) => Options.Any(group => group.Options.Contains(option));

    Task<int> RunAsync(CommandContext context);
}
