using Restore.Cli.Commands;

namespace Restore.Cli.Options;

/// <summary>A command line in the only form that the parser gets: options with their values, then <c>--</c> and the operands.</summary>
/// <param name="Command">The named command, or else the first of the list.</param>
/// <param name="Arguments">The arguments for the parser: only options that the command declares.</param>
/// <param name="StoreOptions">Options of the store, by name without dashes.</param>
/// <param name="WithoutEffect">Options of other commands, and of Duplicati, that have no effect here.</param>
/// <param name="Errors">Errors of the command line.</param>
internal sealed record NormalizedArguments(
    ICliCommand Command,
    IReadOnlyList<string> Arguments,
    IReadOnlyDictionary<string, string> StoreOptions,
    IReadOnlyList<string> WithoutEffect,
    IReadOnlyList<string> Errors);
