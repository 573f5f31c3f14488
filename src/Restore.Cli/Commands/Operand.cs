namespace Restore.Cli.Commands;

internal sealed record Operand(string Form, string Meaning)
{
    public static readonly Operand Storage = new(
        "<storage-url-or-folder>",
        "where the backup is: /mnt/backup, s3://bucket/folder, ssh://host/folder"
    );

    /// <summary>What to back up; a job can say it too.</summary>
    public static readonly Operand Sources = new(
        "<source ...>",
        "the folders and files to back up; with a job, those of the job if none is named"
    );

    /// <summary>The backup that is written to, which may not exist yet.</summary>
    public static readonly Operand Destination = new(
        "<storage-url-or-folder>",
        "where the backup is or is to be: /mnt/backup, s3://bucket/folder"
    );

    public static readonly Operand Filters = new("[filter ...]", "what to take; without one, everything")
    {
        Title = "Filters",
        Details = FilterForms,
    };

    public static readonly Operand PlanFile = new(
        "<plan-file>",
        "a plan that 'restore plan' has saved, in a folder that all machines share"
    );

    /// <summary>
    /// Where the backup is, if the plan does not say it in a way that works here.
    /// </summary>
    public static readonly Operand OtherPlace = new(
        "[storage-url-or-folder]",
        "where the backup is; without it, where the plan found it"
    );

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

    public static string PlanFileOf(HostRequest request) =>
        request.Operands.Count > 0 ? request.Operands[0] : throw new UsageException("The file of the plan is missing");

    /// <summary>Whether it is any number of arguments.</summary>
    public bool IsRepeated => Form.Contains("...", StringComparison.Ordinal);

    public Argument<string[]> ToArgument() =>
        new(Form)
        {
            Description = Meaning,
            Arity = IsRepeated ? ArgumentArity.ZeroOrMore : ArgumentArity.ZeroOrOne,
            CustomParser = result => [.. result.Tokens.Select(token => token.Value)],
        };

    public string? Title { get; init; }
    public string Details { get; init; } = "";

    /// <summary>The possible words; empty if it is free text.</summary>
    public IReadOnlyList<string> Words { get; init; } = [];
}
