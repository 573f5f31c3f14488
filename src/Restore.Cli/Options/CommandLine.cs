using System.CommandLine;
using Restore.Cli.Commands;

namespace Restore.Cli.Options;

internal sealed record CommandLine(
    ICliCommand Command,
    ParseResult Parsed,
    IReadOnlyList<string> Operands,
    IReadOnlyDictionary<string, string> StoreOptions,
    CliEnvironment Environment)
{
    private static readonly ParserConfiguration Parsing = new() { EnablePosixBundling = false, ResponseFileTokenReplacer = null };

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

    public T? Value<T>(Option<T> option) => Parsed.GetValue(option);

    /// <summary>The value of a switch; null if it is not given.</summary>
    public bool? Given(Option<bool> option) => Parsed.GetResult(option) is { Implicit: false } ? Parsed.GetValue(option) : null;

    public bool IsOn(string name) => Parsed.GetValue<bool>(name);

    public async Task<CommandLine> WithJobAsync()
    {
        var access = Command.Options.OfType<AccessOptions>().FirstOrDefault();
        var readsJob = access is not null && (TakesBackup || Command.Operands.Contains(Operand.Destination));
        return readsJob ? this with { Job = await access!.Job.ReadAsync(this) } : this;
    }

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
