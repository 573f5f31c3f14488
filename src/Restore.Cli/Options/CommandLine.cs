using Restore.Cli.Help;

namespace Restore.Cli.Options;

/// <summary>A command with what is given to it.</summary>
/// <param name="Command">The command.</param>
/// <param name="Given">The options that it declares, with their values, in the order of the command line.</param>
/// <param name="Operands">Everything that belongs to no option.</param>
/// <param name="StoreOptions">Options of the store, by name without dashes.</param>
/// <param name="Environment">The process.</param>
internal sealed record CommandLine(
    ICliCommand Command,
    IReadOnlyList<(Option Option, object? Value)> Given,
    IReadOnlyList<string> Operands,
    IReadOnlyDictionary<string, string> StoreOptions,
    CliEnvironment Environment)
{
    /// <summary>Options of other commands and of Duplicati that have no effect here.</summary>
    public IReadOnlyList<string> WithoutEffect { get; init; } = [];

    public IReadOnlyList<string> Errors { get; init; } = [];

    /// <summary>The files with options that were named; what they have is among the options.</summary>
    public IReadOnlyList<string> ParametersFiles { get; init; } = [];

    /// <summary>The job of Duplicati that names the backup; null if the first operand does.</summary>
    public DuplicatiJob? Job { get; init; }

    private bool TakesBackup => Command.Operands.Contains(Operand.Storage);

    public T? Value<T>(Option<T> option) => Given.Where(given => given.Option == option).Select(given => (T?)given.Value).LastOrDefault();

    public bool IsOn(string name) => Given.Any(given => given.Option.Name == name && given.Value is true);

    public async Task<CommandLine> WithJobAsync() =>
        (TakesBackup || Command.Operands.Contains(Operand.Destination)) && Command.Options.FirstOrDefault(group => group.Job is not null)?.Job is { } options
            ? this with { Job = await options.ReadAsync(this) }
            : this;

    /// <summary>Where the backup is that the command reads or writes; empty if the command line does not say it.</summary>
    public string LocationOf(HostRequest request) =>
        request.Storage.Length == 0 && Command.Operands.Contains(Operand.Destination) && request.Operands is [_, .., var last] ? last : request.Storage;

    public HostRequest ToRequest()
    {
        var location = Job is null ? LocationVariable() : StorageLocation.OfJob(Job, StoreOptions.Keys);
        if (TakesBackup && location is null && Operands.Count == 0)
        {
            throw new UsageException($"The location of the backup is missing: a folder or a storage URL, or the variable {StorageLocation.Variable}");
        }

        var request = new HostRequest
        {
            Storage = location ?? (TakesBackup ? Operands[0] : ""),
            Operands = [.. Operands.Skip(TakesBackup && location is null ? 1 : 0)],
            NamedFiles = [.. NamedFiles().Where(file => file is not ("" or "-"))],
        };
        RefuseFurther(request.Operands, isByVariable: Job is null && location is not null);
        foreach (var group in Command.Options)
        {
            request = Given.Where(given => group.Options.Contains(given.Option)).Aggregate(request, (sum, given) => given.Option.Apply(sum, given.Value));
            request = group.Apply(request, this);
        }

        return request;
    }

    /// <summary>An argument that a command does not take is a mistake: a path given to <c>delete</c> does not limit what is deleted.</summary>
    private void RefuseFurther(IReadOnlyList<string> operands, bool isByVariable)
    {
        var most = Command.Operands.Count - (TakesBackup ? 1 : 0);
        if (operands.Count <= most || Command.Operands.Any(operand => operand.IsRepeated))
        {
            return;
        }

        var taken = Command.Operands.Count == 0 ? "no argument" : string.Join(' ', Command.Operands.Select(operand => operand.Form));
        throw new UsageException(isByVariable && most == 0
            ? $"{operands[0]} is no backup, and the variable {StorageLocation.Variable} names one; this command takes nothing else"
            : $"'{operands[most]}' is one argument too many: restore {Command.Name} takes {taken}");
    }

    private IEnumerable<string> NamedFiles() =>
        Given.Where(given => given.Option is { NamesFile: true, Name: not "--restore-path" }).Select(given => given.Value).OfType<string>()
            .Concat(ParametersFiles)
            .Concat(StoreOptions.Values.Where(File.Exists))
            .Concat(new[] { Environment.Variable(PassphraseSource.FileVariable) }.OfType<string>())
            .Concat(Job is null ? [] : [Job.Origin]);

    /// <summary>
    /// What the variable says, if the first operand is no backup: with it, operands are filters and paths. Without it the operand is not looked at, since its
    /// store may not answer.
    /// </summary>
    private string? LocationVariable() =>
        TakesBackup && Environment.Variable(StorageLocation.Variable) is { Length: > 0 } named && !Operands.Take(1).Any(StorageLocation.IsBackup)
            ? named : null;
}

/// <summary>
/// Reads a command line in Duplicati's form: switches as words (<c>--overwrite=no</c>), options given twice (the last one counts), hundreds of options
/// of stores, options that a restore here does not need, and filters that look like response files (<c>@name</c>) or commands (<c>ls</c>). An option of
/// another command is read with its value and has no effect, so that a command line can be reused with another command.
/// </summary>
internal sealed class CommandLineParser
{
    private readonly Dictionary<string, Option> known = new(StringComparer.OrdinalIgnoreCase);
    private readonly IReadOnlyList<ICliCommand> commands;
    private readonly CliEnvironment environment;
    private readonly List<(Option Option, string Value)> options = [];
    private readonly List<string> operands = [];
    private readonly Dictionary<string, string> storeOptions = new(StringComparer.Ordinal);
    private readonly List<string> withoutEffect = [];
    private readonly List<string> errors = [];
    private ICliCommand? command;
    private string? word;
    private bool asksForHelp;
    private bool isExplicit;

    private CommandLineParser(IReadOnlyList<ICliCommand> commands, CliEnvironment environment)
    {
        this.commands = commands;
        this.environment = environment;
        foreach (var option in commands.SelectMany(command => command.Options).SelectMany(group => group.Options).Distinct())
        {
            foreach (var name in option.Names)
            {
                known.Add(name, option);
            }
        }
    }

    public static CommandLine Parse(IReadOnlyList<string> arguments, IReadOnlyList<ICliCommand> commands, CliEnvironment environment)
    {
        var parser = new CommandLineParser(commands, environment);
        var (expanded, target, files) = ParametersFile.Expand(arguments, parser.known.ContainsKey, environment.FromHome, parser.errors);
        parser.Read(expanded);
        parser.ReadTarget(target);
        parser.ReadWord();
        var command = parser.command ?? commands[0];
        return new CommandLine(command, parser.ValuesFor(command), parser.operands, parser.storeOptions, environment)
        {
            WithoutEffect = [.. parser.withoutEffect.Distinct()],
            Errors = [.. parser.errors.Distinct()],
            ParametersFiles = files,
        };
    }

    private void Read(IReadOnlyList<string> arguments)
    {
        for (var i = 0; i < arguments.Count; i++)
        {
            var argument = arguments[i];
            if (argument.Contains('\0', StringComparison.Ordinal))
            {
                errors.Add($"{argument.Split('=', '\0')[0]}: the value has a NUL character in it");
                continue;
            }

            if (argument == "--")
            {
                isExplicit = operands.Count == 0;
                operands.AddRange(arguments.Skip(i + 1));
                return;
            }

            if (argument.Length > 1 && argument[0] == '-')
            {
                i += ReadOption(argument, i + 1 < arguments.Count ? arguments[i + 1] : null);
            }
            else if (operands.Count == 0 && word is null && !asksForHelp && argument == "help")
            {
                asksForHelp = true;
            }
            else if (operands.Count == 0 && word is null && DuplicatiWords.Find(argument, commands) is { } named)
            {
                (word, command) = (argument, named);
            }
            else
            {
                operands.Add(argument);
            }
        }
    }

    /// <summary>The storage URL of a file with options takes the place of that on the command line, if the command begins with one.</summary>
    private void ReadTarget(string? target)
    {
        if (target is null)
        {
            return;
        }

        if ((command ?? commands[0]).Operands is not [var first, ..] || first != Operand.Storage)
        {
            errors.Add($"{ParametersFile.Name}: --target in such a file cannot be used here, because the first argument is no backup to read");
        }

        operands.RemoveRange(0, Math.Min(operands.Count, 1));
        operands.Insert(0, target);
    }

    /// <summary>Does what the first word means beyond the command that it names.</summary>
    private void ReadWord()
    {
        if (asksForHelp && command is null && operands is [var topic, ..] && !HelpTopics.Names.Contains(topic))
        {
            var near = Suggestion.Nearest(topic, commands.Skip(1).Select(named => named.Name).Concat(HelpTopics.Names));
            errors.Add($"There is no help on '{topic}'" + (near is null
                ? $"; topics are {string.Join(", ", HelpTopics.Names)}, and each command"
                : $". Did you mean 'restore help {near}'?"));
        }
        else if (asksForHelp)
        {
            operands.Clear();
            options.Add((known["--help"], "true"));
        }
        else if (word == "list")
        {
            var isAll = options.Any(given => given is { Option.Name: "--all-versions", Value: "true" });
            var name = DuplicatiWords.MeaningOfList(operands.Count > 1 || options.Any(given => given.Option.Name is "--include" or "--exclude"), isAll);
            command = commands.FirstOrDefault(named => named.Name == name) ?? command;
        }
        else if (word == "test" && operands.Count > 1 && (operands[1] == "all" || operands[1].All(char.IsAsciiDigit)))
        {
            ReadSamples(operands[1]);
            operands.RemoveAt(1);
        }
        else if (word is null && !isExplicit && operands is [var other, ..] && DuplicatiWords.NotHere(other) is { } instead && !Path.Exists(other))
        {
            errors.Add($"{other} is no command here: {instead}");
        }
        else if (word is null && !isExplicit && operands is [var first, ..] && MisspelledCommand(first) is { } near)
        {
            errors.Add($"There is no command and no folder '{first}'. Did you mean 'restore {near}'?");
        }
    }

    /// <summary>Duplicati's <c>test</c> reads so many volumes, or all: then all versions are verified, if no option names some.</summary>
    private void ReadSamples(string samples)
    {
        if (samples != "all")
        {
            withoutEffect.Add($"{samples} (the version is verified as a whole; --sample=5% verifies a share, 'all' all versions)");
        }
        else if (!options.Any(given => given.Option.Name is "--version" or "--time" or "--since"))
        {
            options.Add((known["--all-versions"], "true"));
        }
    }

    /// <summary>The command that the first operand probably means, if it can be no backup.</summary>
    private string? MisspelledCommand(string operand) =>
        operand.AsSpan().IndexOfAny("/\\:.") >= 0 || Path.Exists(operand) || options.Any(given => given.Option.Name is "--job" or "--from-config")
            ? null
            : Suggestion.Nearest(operand, commands.Select(named => named.Name));

    /// <returns>How many of the following arguments belong to the option.</returns>
    private int ReadOption(string argument, string? next)
    {
        var equals = argument.IndexOf('=', StringComparison.Ordinal);
        var name = equals < 0 ? argument : argument[..equals];
        var value = equals < 0 ? null : argument[(equals + 1)..];
        if (known.TryGetValue(name, out var option))
        {
            return option.TakesValue
                ? ReadValue(name, value, next, text => options.Add((option, option.NamesFile ? environment.FromHome(text) : text)))
                : ReadFlag(option, value);
        }

        var bare = name.TrimStart('-').ToLowerInvariant();
        if (ForeignOptions.Refused(bare) is { } refused)
        {
            return ReadRefused(bare, value, refused.TakesValue ? next : null, refused.Reason);
        }

        if (ForeignOptions.IsStoreOption(bare))
        {
            return ReadValue(name, ForeignOptions.IsStoreFlag(bare) ? value ?? "true" : value, next, text => storeOptions[bare] = FileOrText(text));
        }

        if (ForeignOptions.TakesValueInVain(bare) is { } takesValue)
        {
            withoutEffect.Add("--" + bare);
            return takesValue && value is null ? FollowingValue(next) : 0;
        }

        var near = Suggestion.Nearest(name, known.Keys.Concat(HostStores.Registry.Options.Select(option => "--" + option.Name)));
        errors.Add($"{name} is not an option" + (near is null ? "" : $". Did you mean {near}?"));
        return 0;
    }

    /// <summary>Nothing says which options of stores name a file, as that with a key is one; a password can begin in the same way.</summary>
    private string FileOrText(string text) => environment.FromHome(text) is var path && File.Exists(path) ? path : text;

    private static int FollowingValue(string? next) => next is null || next.StartsWith('-') ? 0 : 1;

    /// <summary>An option that would change the result is refused, unless its value turns it off.</summary>
    private int ReadRefused(string bare, string? value, string? next, string reason)
    {
        var (text, consumed) = value is null ? (next, FollowingValue(next)) : (value, 0);
        if (text is { Length: > 0 } && BooleanExpression.TryParse(text, out var isOn) && !isOn)
        {
            withoutEffect.Add($"--{bare}={text}");
        }
        else
        {
            errors.Add($"--{bare} cannot be used: {reason}");
        }

        return consumed;
    }

    private int ReadFlag(Option option, string? value)
    {
        if (BooleanExpression.TryParse(value, out var isOn))
        {
            options.Add((option, isOn ? "true" : "false"));
        }
        else if (option.OtherWords.FirstOrDefault(word => word.Equals(value, StringComparison.OrdinalIgnoreCase)) is { } word)
        {
            options.Add((option, word));
        }
        else
        {
            errors.Add($"{option.Name}: '{value}' cannot be used; give {string.Join(", ", option.OtherWords.Append("true or false"))}");
        }

        return 0;
    }

    private int ReadValue(string name, string? value, string? next, Action<string> add)
    {
        if (value is null && next is not null && known.ContainsKey(next.Split('=')[0]))
        {
            errors.Add($"{name} needs a value, and {next} is an option; if it is meant as the value: {name}={next}");
            return 0;
        }

        if ((value ?? next) is { } text)
        {
            add(text);
        }
        else
        {
            errors.Add($"{name} needs a value: {name}=<value>");
        }

        return value is null ? 1 : 0;
    }

    private List<(Option Option, object? Value)> ValuesFor(ICliCommand command)
    {
        var taken = command.Options.SelectMany(group => group.Options).ToHashSet();
        List<(Option Option, object? Value)> values = [];
        for (var i = 0; i < options.Count; i++)
        {
            var (option, text) = options[i];
            if (!taken.Contains(option))
            {
                NoteOther(command, option, text, taken);
            }
            else if (option.IsRepeatable || options.FindLastIndex(later => later.Option == option) == i)
            {
                var (value, error) = option.Parse(text);
                values.Add((option, value));
                errors.AddRange(error is null ? [] : [$"{option.Name}: {error}"]);
            }
        }

        return values;
    }

    /// <summary>An option of other commands has no effect, except that one version is not all of them, and that a dry run is not the real one.</summary>
    private void NoteOther(ICliCommand command, Option option, string value, HashSet<Option> taken)
    {
        if (option.Name == "--all-versions" && value == "true" && taken.Any(other => other.Name == "--version"))
        {
            errors.Add("--all-versions cannot be used: this command takes one version, by --version or --time; 'restore find' and 'restore verify' take all");
        }
        else if (option.Name == "--delete" && value == "true" && taken.Any(other => other.Name == "--overwrite"))
        {
            errors.Add(
                "--delete cannot be used with a plan: when it is restored, 'restore' with --overwrite and --delete removes what the backup does not have");
        }
        else if (option.Name is "--dry-run" or "--list-volumes" && value == "true"
            && (command.HasNoDryRun || taken.Any(other => other.Name == "--dry-run")))
        {
            errors.Add($"{option.Name} cannot be used: restore {command.Name} has no such dry run");
        }
        else if (word != "list" || option.Name != "--all-versions")
        {
            withoutEffect.Add(option.Name);
        }
    }
}
