using System.CommandLine;

namespace Restore.Cli.Options;

/// <summary>A parsed command line.</summary>
/// <param name="Parsed">The result of the parser.</param>
/// <param name="Operands">The arguments that are not options, in their order.</param>
/// <param name="StoreOptions">Options of the store, by name without dashes.</param>
/// <param name="Environment">The process: its variables, its input and its clock.</param>
internal sealed record CommandLine(
    ParseResult Parsed,
    IReadOnlyList<string> Operands,
    IReadOnlyDictionary<string, string> StoreOptions,
    CliEnvironment Environment)
{
    /// <summary>The job of Duplicati that names the backup; null if the first operand does.</summary>
    public DuplicatiJob? Job { get; init; }

    /// <summary>The value of an option; the default of its type if the option is not given.</summary>
    public T? Value<T>(Option<T> option) => Parsed.GetValue(option);
}
