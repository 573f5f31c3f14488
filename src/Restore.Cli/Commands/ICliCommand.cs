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

/// <summary>An argument of a command that is not an option.</summary>
/// <param name="Form">Its form in a usage line, with brackets around optional parts.</param>
/// <param name="Meaning">Its meaning, in a line.</param>
internal sealed record Operand(string Form, string Meaning)
{
    /// <summary>The backup; the other operands of the command are filters.</summary>
    public static readonly Operand Storage = new("<storage-url-or-folder>", "where the backup is: /mnt/backup, s3://bucket/folder, ssh://host/folder");

    /// <summary>The backup that is written to, which may not exist yet.</summary>
    public static readonly Operand Destination = new("<storage-url-or-folder>", "where the backup is or is to be: /mnt/backup, s3://bucket/folder");

    /// <summary>The selection from the backup.</summary>
    public static readonly Operand Filters = new("[filter ...]", "what to take; without one, everything") { Title = "Filters", Details = FilterForms };

    /// <summary>A saved plan.</summary>
    public static readonly Operand PlanFile = new("<plan-file>", "a plan that 'restore plan' has saved, in a folder that all machines share");

    /// <summary>Where the backup is, if the plan does not say it in a way that works here.</summary>
    public static readonly Operand OtherPlace = new("[storage-url-or-folder]", "where the backup is; without it, where the plan found it");

    private const string FilterForms = """
        notes.txt              files of that name, wherever they are
        /home/ann/             a folder and all that is in it
        /home/ann/notes.txt    that file; if it is a folder, all that is in it too
        '*.jpg'                * is any run of characters, ? any one
        '[.*\.(jpg|png)']      a regular expression for the whole path
        '@/a/what?.txt'        exactly that path, without wildcards
        The first filter that matches an entry decides.
        What none matches is taken only if there is an --exclude.
        """;

    /// <summary>The plan file among the operands of a command line.</summary>
    /// <exception cref="UsageException">It is missing.</exception>
    public static string PlanFileOf(HostRequest request) =>
        request.Operands.Count > 0 ? request.Operands[0] : throw new UsageException("The file of the plan is missing");

    /// <summary>Heading of the details; null if there are none.</summary>
    public string? Title { get; init; }

    /// <summary>Details, as lines.</summary>
    public string Details { get; init; } = "";

    /// <summary>The possible words; empty if it is free text.</summary>
    public IReadOnlyList<string> Words { get; init; } = [];
}
