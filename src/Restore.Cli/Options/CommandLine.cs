using System.CommandLine;
using Restore.Cli.Commands;

namespace Restore.Cli.Options;

/// <summary>A parsed command line.</summary>
/// <param name="Command">The named command, or else the first of the list.</param>
/// <param name="Parsed">The result of the parser.</param>
/// <param name="Operands">The arguments that are not options, in their order.</param>
/// <param name="StoreOptions">Options of the store, by name without dashes.</param>
/// <param name="Environment">The process: its variables, its input and its clock.</param>
internal sealed record CommandLine(
    ICliCommand Command,
    ParseResult Parsed,
    IReadOnlyList<string> Operands,
    IReadOnlyDictionary<string, string> StoreOptions,
    CliEnvironment Environment)
{
    private static readonly ParserConfiguration Parsing = new() { EnablePosixBundling = false, ResponseFileTokenReplacer = null };

    /// <summary>Given options that have no effect here.</summary>
    public IReadOnlyList<string> WithoutEffect { get; init; } = [];

    public IReadOnlyList<string> Errors { get; init; } = [];

    /// <summary>The job of Duplicati that names the backup; null if the first operand does.</summary>
    public DuplicatiJob? Job { get; init; }

    private bool TakesBackup => Command.Operands.Contains(Operand.Storage);

    /// <summary>Finds the command, and parses the rest with the options that this command declares.</summary>
    public static CommandLine Parse(IReadOnlyList<string> arguments, IReadOnlyList<ICliCommand> commands, CliEnvironment environment)
    {
        var normal = ArgumentNormalizer.Normalize(arguments, commands);
        var operands = new Argument<string[]>("operands") { Arity = ArgumentArity.ZeroOrMore };
        var parser = new RootCommand { operands };

        // The parser's own --version and help would conflict: --version is that of the backup here.
        parser.Options.Clear();
        parser.Directives.Clear();
        foreach (var option in normal.Command.Options.SelectMany(group => group.Options))
        {
            parser.Options.Add(option);
        }

        var parsed = parser.Parse(normal.Arguments, Parsing);
        return new CommandLine(normal.Command, parsed, parsed.GetValue(operands) ?? [], normal.StoreOptions, environment)
        {
            WithoutEffect = [.. normal.WithoutEffect.Distinct()],
            Errors = [.. normal.Errors.Concat(parsed.Errors.Select(error => error.Message)).Distinct()],
        };
    }

    /// <summary>The value of an option; the default of its type if the option is not given.</summary>
    public T? Value<T>(Option<T> option) => Parsed.GetValue(option);

    /// <summary>Whether a switch is on that every command has.</summary>
    public bool IsOn(string name) => Parsed.GetValue<bool>(name);

    /// <summary>Reads the job of Duplicati that the command line names, if it names one.</summary>
    /// <exception cref="UsageException">The options contradict each other.</exception>
    /// <exception cref="RestoreException">There is no such job, or it cannot be read.</exception>
    public async Task<CommandLine> WithJobAsync()
    {
        var access = Command.Options.OfType<AccessOptions>().FirstOrDefault();
        var readsJob = access is not null && (TakesBackup || Command.Operands.Contains(Operand.Destination));
        return readsJob ? this with { Job = await access!.Job.ReadAsync(this) } : this;
    }

    /// <summary>The values in the library's types.</summary>
    /// <exception cref="UsageException">Options contradict each other, or something is missing.</exception>
    /// <exception cref="RestoreException">A filter cannot be used.</exception>
    public HostRequest ToRequest()
    {
        var location = Job is null ? null : JobLocation.Of(Job, StoreOptions.Keys);
        if (TakesBackup && location is null && Operands.Count == 0)
        {
            throw new UsageException("The location of the backup is missing: a folder or a storage URL");
        }

        var request = new HostRequest
        {
            Storage = location ?? (TakesBackup ? Operands[0] : ""),
            Operands = [.. Operands.Skip(TakesBackup && location is null ? 1 : 0)],
        };
        return Command.Options.Aggregate(request, (sum, group) => group.Apply(sum, this));
    }
}
