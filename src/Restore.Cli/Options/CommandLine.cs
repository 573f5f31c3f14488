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

    public static CommandLine Parse(IReadOnlyList<string> arguments, IReadOnlyList<ICliCommand> commands, CliEnvironment environment) =>
        CommandLineParser.Parse(arguments, commands, environment);

    public T? Value<T>(Option<T> option) => Given.Where(given => given.Option == option).Select(given => (T?)given.Value).LastOrDefault();

    public bool IsOn(string name) => Given.Any(given => given.Option.Name == name && given.Value is true);

    public async Task<CommandLine> WithJobAsync() =>
        (TakesBackup || Command.Operands.Contains(Operand.Destination)) && Command.Options.FirstOrDefault(group => group.Job is not null)?.Job is { } options
            ? this with { Job = await options.ReadAsync(this) }
            : this;

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
        if (Job is null && location is not null && Command.Operands.Count == 1 && Operands is [var other, ..])
        {
            throw new UsageException($"{other} is no backup, and the variable {StorageLocation.Variable} names one; this command takes nothing else");
        }

        foreach (var group in Command.Options)
        {
            request = Given.Where(given => group.Options.Contains(given.Option)).Aggregate(request, (sum, given) => given.Option.Apply(sum, given.Value));
            request = group.Apply(request, this);
        }

        return request;
    }

    private IEnumerable<string> NamedFiles() =>
        Given.Where(given => given.Option is { ValueName: "FILE" or "FOLDER", Name: not "--restore-path" }).Select(given => given.Value).OfType<string>()
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
