using System.CommandLine.Parsing;

namespace Restore.Cli.Options;

/// <summary>A command with what is given to it.</summary>
/// <param name="Command">The command.</param>
/// <param name="Result">The values of its options, and its operands.</param>
/// <param name="StoreOptions">Options of the store, by name without dashes.</param>
/// <param name="Environment">The process.</param>
internal sealed record CommandLine(
    ICliCommand Command,
    ParseResult Result,
    IReadOnlyDictionary<string, string> StoreOptions,
    CliEnvironment Environment
)
{
    /// <summary>Options of other commands and of Duplicati that have no effect here.</summary>
    public IReadOnlyList<string> WithoutEffect { get; private init; } = [];

    /// <summary>The options that only Duplicati has, with their values.</summary>
    public IReadOnlyList<(string Name, string? Value)> Foreign { get; private init; } = [];

    public IReadOnlyList<string> Errors { get; private init; } = [];

    /// <summary>Everything that belongs to no option.</summary>
    public IReadOnlyList<string> Operands { get; } =
    [.. Result.CommandResult.Tokens.Select(token => token.Value), .. Result.UnmatchedTokens];

    /// <summary>
    /// The options that are given, with their last value, or with each if each counts, in the order
    /// of the command line.
    /// </summary>
    public IReadOnlyList<(Option Option, string Text)> Given { get; } = GivenIn(Result);

    /// <summary>
    /// The job of Duplicati that names the backup; null if the first operand does.
    /// </summary>
    public DuplicatiJob? Job { get; init; }

    /// <summary>
    /// The files with options that were named; what they have is among the options.
    /// </summary>
    private IReadOnlyList<string> ParametersFiles { get; init; } = [];

    /// <summary>
    /// Parses the command line again, with further options before its own, so that its own count.
    /// </summary>
    private Func<IEnumerable<string>, ParseResult> ParseWith { get; init; } = _ => Result;

    private bool TakesBackup => Command.Operands.Contains(Operand.Storage);

    public static CommandLine Parse(
        IReadOnlyList<string> arguments,
        IReadOnlyList<ICliCommand> commands,
        CliEnvironment environment
    )
    {
        // The steps:
        // 1. Files with options are expanded, where their options have the right precedence.
        // 2. Duplicati's form is read by a table of all options of all commands.
        // 3. The storage URL of a file takes its place among the operands.
        // 4. The command changes what Duplicati means by its name in another way.
        // 5. Options that only Duplicati has are judged: refused, or without effect.
        // 6. What is left is written in a form without doubt, and System.CommandLine parses it.
        var table = new OptionTable(commands);
        var form = new DuplicatiForm(table, commands, environment.FromHome);
        var (expanded, target, sources, files) = ParametersFile.Expand(
            arguments,
            table.IsOwn,
            environment.FromHome,
            form.Errors
        );
        form.Read(expanded);
        ReadTarget(form, target, sources);
        if (FirstWord.ErrorIn(form, commands) is { } error)
        {
            form.Errors.Add(error);
        }
        else if (form.AsksForHelp)
        {
            form.Options.Add((table.Help!, "true"));
        }

        form.Command.Adapt(form);
        ForeignOptions.Judge(form.Command.Name, form.Foreign, form.Errors, form.WithoutEffect);
        var words = form.ToArguments();
        var result = CommandTree.Parse(words, commands);
        return new CommandLine(form.Command, result, form.StoreOptions, environment)
        {
            WithoutEffect = [.. form.WithoutEffect.Distinct()],
            Foreign = form.Foreign,
            ParseWith = further =>
                CommandTree.Parse(
                    [
                        // The name of the command is the first word, except for the command that
                        // runs without a name.
                        .. words.Take(form.Command == commands[0] ? 0 : 1),
                        .. further,
                        .. words.Skip(form.Command == commands[0] ? 0 : 1),
                    ],
                    commands
                ),
            Errors = [.. form.Errors.Concat(result.Errors.Select(error => error.Message)).Distinct()],
            ParametersFiles = files,
        };
    }

    public T? Value<T>(Option<T> option) => Result.GetValue(option);

    public async Task<CommandLine> WithJobAsync() =>
        (TakesBackup || Command.Operands.Contains(Operand.Destination) || Command.Operands.Contains(Operand.Sources))
        && Command.Options.FirstOrDefault(group => group.Job is not null)?.Job is { } options
        && await options.ReadAsync(this) is { } job
            ? With(job)
            : this;

    private CommandLine With(DuplicatiJob job)
    {
        var (options, notTaken) = JobValues.Of(this, job);

        // The options of the job come first, then the command line. The last use of an option
        // counts, so the command line wins.
        var result = ParseWith(options);
        if (result.Errors.Count > 0)
        {
            throw new UsageException($"The job '{job.Name}': {result.Errors[0].Message}");
        }

        return new CommandLine(Command, result, StoreOptions, Environment)
        {
            Job = job,
            WithoutEffect = [.. WithoutEffect.Concat(notTaken).Distinct()],
            Foreign = Foreign,
            ParametersFiles = ParametersFiles,
        };
    }

    /// <summary>
    /// Where the backup is that the command reads or writes; empty if the command line does not say
    /// it.
    /// </summary>
    public string LocationOf(HostRequest request) =>
        request.Storage.Length == 0
        && Command.Operands.Contains(Operand.Destination)
        && request.Operands is [_, .., var last]
            ? last
            : request.Storage;

    public HostRequest ToRequest()
    {
        var location = Job is null ? LocationVariable() : StorageLocation.OfJob(Job, StoreOptions.Keys);
        if (TakesBackup && location is null && Operands.Count == 0)
        {
            throw new UsageException(
                $"The location of the backup is missing: a folder or a storage URL, or the variable {StorageLocation.Variable}"
            );
        }

        var request = new HostRequest
        {
            Storage = location ?? (TakesBackup ? Operands[0] : ""),
            Operands = [.. Operands.Skip(TakesBackup && location is null ? 1 : 0)],
            NamedFiles = [.. NamedFiles().Where(file => file is not ("" or "-"))],
        };
        RefuseFurther(request.Operands, isByVariable: Job is null && location is not null);

        // Each option sets its own value first, in the order of the command line. What the options
        // of a group mean together follows.
        foreach (var group in Command.Options)
        {
            request = Given
                .Where(given => group.Options.Contains(given.Option))
                .Aggregate(request, (sum, given) => given.Option.Details.Apply(sum, Result, given.Text));
            request = group.Apply(request, this);
        }

        return request;
    }

    /// <summary>
    /// The storage URL of a file with options takes the place of the one on the command line, if
    /// the command begins with one. Of a backup it is the last argument, if there is no other, and
    /// the sources of the file are the first.
    /// </summary>
    private static void ReadTarget(DuplicatiForm form, string? target, IReadOnlyList<string> sources)
    {
        if (form.Command.Operands.Contains(Operand.Sources))
        {
            var hasPlace = form.Command.Operands.Contains(Operand.Destination);
            var isAlone = form.Operands.Count == 0;
            form.Operands.InsertRange(0, sources);
            if (isAlone || !hasPlace)
            {
                form.Operands.AddRange(target is not null && hasPlace ? [target] : []);
                return;
            }
        }

        if (target is null)
        {
            return;
        }

        if (form.Command.Operands is not [var first, ..] || first != Operand.Storage)
        {
            form.Errors.Add(ParametersFile.NoPlaceForTarget);
            return;
        }

        form.Operands.RemoveRange(0, Math.Min(form.Operands.Count, 1));
        form.Operands.Insert(0, target);
    }

    /// <summary>
    /// An argument that a command does not take is a mistake: a path given to <c>delete</c> does
    /// not limit what is deleted.
    /// </summary>
    private void RefuseFurther(IReadOnlyList<string> operands, bool isByVariable)
    {
        var most = Command.Operands.Count - (TakesBackup ? 1 : 0);
        if (operands.Count <= most || Command.Operands.Any(operand => operand.IsRepeated))
        {
            return;
        }

        var taken =
            Command.Operands.Count == 0
                ? "no argument"
                : string.Join(' ', Command.Operands.Select(operand => operand.Form));
        throw new UsageException(
            isByVariable && most == 0
                ? $"{operands[0]} is no backup, and the variable {StorageLocation.Variable} names one; this command takes nothing else"
                : $"'{operands[most]}' is one argument too many: restore {Command.Name} takes {taken}"
        );
    }

    private IEnumerable<string> NamedFiles() =>
        Given
            .Where(given => given.Option.NamesFile && !given.Option.Details.NamesTarget)
            .Select(given => given.Text)
            .Concat(ParametersFiles)
            .Concat(StoreOptions.Values.Where(File.Exists))
            .Concat(new[] { Environment.Variable(PassphraseSource.FileVariable) }.OfType<string>())
            .Concat(Job is null ? [] : [Job.Origin]);

    /// <summary>
    /// What the variable says, if the first operand is no backup: with it, operands are filters and
    /// paths. Without it the operand is not looked at, since its store may not answer.
    /// </summary>
    private string? LocationVariable() =>
        TakesBackup
        && Environment.Variable(StorageLocation.Variable) is { Length: > 0 } named
        && !Operands.Take(1).Any(StorageLocation.IsBackup)
            ? named
            : null;

    /// <summary>
    /// Filters need the order in which options are given, which only the tokens have. Each option
    /// is followed by its value.
    /// </summary>
    private static IReadOnlyList<(Option Option, string Text)> GivenIn(ParseResult result)
    {
        var options = result.CommandResult.Command.Options.ToDictionary(option => option.Name);
        List<(Option Option, string Text)> given = [];
        for (var i = 0; i + 1 < result.Tokens.Count; i++)
        {
            if (result.Tokens[i].Type == TokenType.Option)
            {
                given.Add((options[result.Tokens[i].Value], result.Tokens[i + 1].Value));
            }
        }

        return
        [
            .. given.Where(
                (one, at) => one.Option.IsRepeatable || given.FindLastIndex(other => other.Option == one.Option) == at
            ),
        ];
    }
}
