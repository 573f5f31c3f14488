using Restore.Cli.Commands;

namespace Restore.Cli.Options;

/// <summary>A command line in the one form that the parser is given: options with their values, then <c>--</c> and the operands.</summary>
/// <param name="Command">The command that is named, or else the first of the list.</param>
/// <param name="Arguments">What the parser gets: only options that the command declares.</param>
/// <param name="StoreOptions">Options of the store, by name without dashes.</param>
/// <param name="WithoutEffect">Options of other commands, and of Duplicati, that have no effect here.</param>
/// <param name="Errors">What is wrong with the command line, as sentences.</param>
internal sealed record NormalizedArguments(
    ICliCommand Command,
    IReadOnlyList<string> Arguments,
    IReadOnlyDictionary<string, string> StoreOptions,
    IReadOnlyList<string> WithoutEffect,
    IReadOnlyList<string> Errors);
