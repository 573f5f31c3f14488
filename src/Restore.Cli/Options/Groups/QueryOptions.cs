using System.CommandLine;

namespace Restore.Cli.Options.Groups;

/// <summary>What an entry must be like, besides its path.</summary>
internal sealed class QueryOptions(TimeProvider clock) : OptionGroup
{
    private readonly Option<long?> minSize = Declare.Size("--min-size", "b", "0b", "1000tb", "none", "Files of at least this size");

    private readonly Option<long?> maxSize = Declare.Size("--max-size", "b", "0b", "1000tb", "none", "Files of at most this size");

    private readonly Option<DateTimeOffset?> newer = Declare.Time("--changed-since", clock, "Files that were changed at or after this time; as --time");

    private readonly Option<DateTimeOffset?> older = Declare.Time("--changed-before", clock, "Files that were changed before this time; as --time");

    private readonly Option<string?> hash = Declare.Text(
        "--hash", "DIGITS", null, "Files whose content has this hash, or one that begins so (hexadecimal; 'restore history' prints it)");

    private readonly Option<string?> similar = Declare.Text(
        "--similar", "NAME", null, "Names like this one, with typing errors, with or without extension: a wrong letter in three, three at most");

    public override string Title => "Selection";

    public override IReadOnlyList<Option> Options => [minSize, maxSize, newer, older, hash, similar];

    /// <exception cref="UsageException">The hash is none.</exception>
    public EntryQuery Of(CommandLine line) => new()
    {
        MinSizeBytes = line.Value(minSize),
        MaxSizeBytes = line.Value(maxSize),
        ModifiedFrom = line.Value(newer),
        ModifiedBefore = line.Value(older),
        Hash = line.Value(hash) is not { } digits || (digits.Length > 0 && digits.All(char.IsAsciiHexDigit))
            ? line.Value(hash)
            : throw new UsageException($"--hash: '{digits}' cannot be used; give hexadecimal digits"),
        SimilarName = line.Value(similar) is { Length: > 0 } name ? name : null,
    };
}
