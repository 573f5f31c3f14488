namespace Restore.Cli.Options;

/// <summary>Duplicati's options for programs that run before and after an operation.</summary>
internal sealed class ScriptOptions
{
    private static readonly TimeSpan UsualLimit = TimeSpan.FromMinutes(1);

    private readonly Option<string?> before = Declare.TextOrNone(
        "--run-script-before",
        "PROGRAM",
        "none",
        "Start a program first. Its exit code decides: 0 goes on, 1 ends without a change, 2 and 4 go on with a message, all others end with an error"
    );

    private readonly Option<string?> required = Declare.TextOrNone(
        "--run-script-before-required",
        "PROGRAM",
        "none",
        "Start a program before that one; nothing is done unless it ends in time with exit code 0"
    );

    private readonly Option<string?> after = Declare.TextOrNone(
        "--run-script-after",
        "PROGRAM",
        "none",
        "Start a program at the end, also after a failure; the variables DUPLICATI__PARSED_RESULT and DUPLICATI__RESULTFILE have the result"
    );

    private readonly Option<TimeSpan?> limit = Declare.Span(
        "--run-script-timeout",
        "60s",
        "End such a program after this time, and go on unless it is required; 0s is no limit"
    );

    private readonly Option<bool> withArguments = Declare.Flag(
        "--run-script-with-arguments",
        "Such a program is given with arguments, in quotes where needed"
    );

    public IReadOnlyList<Option> Options => [before, required, after, limit, withArguments];

    public OptionGroup Group => field ??= new("Scripts", Options);

    /// <summary>
    /// The programs of a command line, each with its arguments. An empty name is ignored.
    /// </summary>
    public ScriptRequest Of(CommandLine line) =>
        new(
            Split(line, required),
            Split(line, before),
            Split(line, after),
            line.Value(limit) is { } given ? (given > TimeSpan.Zero ? given : Timeout.InfiniteTimeSpan) : UsualLimit
        );

    private IReadOnlyList<string> Split(CommandLine line, Option<string?> option) =>
        line.Value(option) is not { Length: > 0 } text ? []
        : line.Value(withArguments) ? ArgumentText.Split(option.Name, text)
        : [text];
}
