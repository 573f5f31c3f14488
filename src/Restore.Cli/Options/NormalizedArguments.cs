namespace Restore.Cli.Options;

/// <summary>A command line in the one form that the parser is given: command, options with their values, then <c>--</c> and the operands.</summary>
/// <param name="Arguments">What the parser gets.</param>
/// <param name="StoreOptions">Options of the store, by name without dashes.</param>
/// <param name="NotNeeded">Options of Duplicati that have no effect here.</param>
/// <param name="Errors">What is wrong with the command line, as sentences.</param>
internal sealed record NormalizedArguments(
    IReadOnlyList<string> Arguments,
    IReadOnlyDictionary<string, string> StoreOptions,
    IReadOnlyList<string> NotNeeded,
    IReadOnlyList<string> Errors);
