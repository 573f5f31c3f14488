namespace Restore.Cli.Commands;

internal sealed class FindCommand(SharedOptions shared) : ICliCommand
{
    private readonly Option<long?> minSize = Declare
        .Size("--min-size", "b", "0b", "1000tb", "none", "Files of at least this size")
        .Narrows();

    private readonly Option<long?> maxSize = Declare
        .Size("--max-size", "b", "0b", "1000tb", "none", "Files of at most this size")
        .Narrows();

    private readonly Option<DateTimeOffset?> newer = Declare
        .Time("--changed-since", shared.Clock, "Files that were changed at or after this time; as --time")
        .Narrows();

    private readonly Option<DateTimeOffset?> older = Declare
        .Time("--changed-before", shared.Clock, "Files that were changed before this time; as --time")
        .Narrows();

    private readonly Option<string?> hash = Declare
        .Text(
            "--hash",
            "DIGITS",
            null,
            "Files whose content has this hash, or one that begins so (hexadecimal; 'restore history' prints it)"
        )
        .Narrows();

    private readonly Option<string?> similar = Declare
        .Text(
            "--similar",
            "NAME",
            null,
            "Names like this one, with typing errors, with or without extension: a wrong letter in three, three at most"
        )
        .Narrows();

    public string Name => "find";

    public IReadOnlyList<string> DuplicatiNames => ["search", "search-entries", "search-files"];

    public string Summary => "list which versions have a file";

    public IReadOnlyList<Operand> Operands =>
        [Operand.Storage, Operand.Filters with { Meaning = "what to find, by its path" }];

    public IReadOnlyList<OptionGroup> Options =>
        [
            shared.Filters,
            new("Selection", [minSize, maxSize, newer, older, hash, similar]),
            shared.Access,
            shared.Output,
            shared.Program,
        ];

    public IReadOnlyList<string> Examples =>
        [
            "restore find /mnt/backup taxes-2025.ods",
            "restore find /mnt/backup '*/thesis*.odt' --passphrase-file=/root/secret",
            "restore find /mnt/backup --similar=tesis",
        ];

    public bool EndsWithReader => true;

    public Task<int> RunAsync(CommandContext context) =>
        context.WithBackupAsync(async backup =>
        {
            var query = QueryOf(context.Line);
            var filter = EntryFilter.Parse(context.Request.Operands, context.Request.Rules, namesTakeContent: false);
            if (context.Request.Operands.Count + context.Request.Rules.Count == 0 && !query.IsAny)
            {
                throw new UsageException(
                    "What to find is missing: a name such as notes.txt, a pattern such as '*.jpg', or --similar, --min-size, --hash"
                );
            }

            var found = new SortedDictionary<string, List<(BackupVersion Version, BackupEntry Entry)>>(
                StringComparer.Ordinal
            );
            var unreadable = 0;
            foreach (var version in backup.Versions)
            {
                try
                {
                    await LookThroughAsync(
                        backup.ListAsync(version, filter, context.Environment.StopToken),
                        version,
                        query,
                        found
                    );
                }
                catch (RestoreException failure)
                    when (failure.Kind == RestoreErrorKind.Failed && backup.Versions.Count > 1)
                {
                    unreadable++;
                    context.Messages.WriteLine(
                        $"Version {version.Index} is {(failure.Code == RestoreErrorCode.FileListIncomplete ? "in part" : "left out")}: {failure.Message}"
                    );
                }
            }

            Print(context, found);
            return unreadable > 0 ? ExitCodes.Incomplete
                : found.Count > 0 ? ExitCodes.Complete
                : throw new RestoreException(
                    RestoreErrorCode.NothingSelected,
                    $"No version has anything that matches {(query.IsAny ? "these conditions" : filter.Describe())}"
                );
        });

    private static async Task LookThroughAsync(
        IAsyncEnumerable<BackupEntry> entries,
        BackupVersion version,
        EntryQuery query,
        SortedDictionary<string, List<(BackupVersion Version, BackupEntry Entry)>> found
    )
    {
        await foreach (var entry in entries)
        {
            if (!query.Matches(entry))
            {
                continue;
            }

            if (!found.TryGetValue(entry.Path, out var versions))
            {
                found.Add(entry.Path, versions = []);
            }

            versions.Add((version, entry));
        }
    }

    private static void Print(
        CommandContext context,
        SortedDictionary<string, List<(BackupVersion Version, BackupEntry Entry)>> found
    )
    {
        foreach (var (path, versions) in found)
        {
            if (context.Request.Json)
            {
                Json.Write(
                    context.Output,
                    new JsonObject
                    {
                        ["path"] = path,
                        ["versions"] = Json.Array(
                            versions,
                            found => Json.Of(found.Version).With(WithoutPath(Json.Of(found.Entry)))
                        ),
                    }
                );
                continue;
            }

            context.Output.WriteWhole(SafeText.Escape(path));
            foreach (var line in EntryText.Versions(versions, context.Environment.Clock))
            {
                context.Output.WriteLine("    " + line);
            }
        }
    }

    private static JsonObject WithoutPath(JsonObject json)
    {
        json.Remove("path");
        return json;
    }

    private EntryQuery QueryOf(CommandLine line) =>
        new()
        {
            MinSizeBytes = line.Value(minSize),
            MaxSizeBytes = line.Value(maxSize),
            ModifiedFrom = line.Value(newer),
            ModifiedBefore = line.Value(older),
            Hash =
                line.Value(hash) is not { } digits || (digits.Length > 0 && digits.All(char.IsAsciiHexDigit))
                    ? line.Value(hash)
                    : throw new UsageException($"--hash: '{digits}' cannot be used; give hexadecimal digits"),
            SimilarName = line.Value(similar) is { Length: > 0 } name ? name : null,
        };
}
