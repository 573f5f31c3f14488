namespace Restore.Cli.Commands;

internal sealed class FindCommand(SharedOptions shared) : ICliCommand
{
    private readonly Option<long?> minSize = Declare.Size("--min-size", "b", "0b", "1000tb", "none", "Files of at least this size");

    private readonly Option<long?> maxSize = Declare.Size("--max-size", "b", "0b", "1000tb", "none", "Files of at most this size");

    private readonly Option<DateTimeOffset?> newer = Declare.Time("--changed-since", shared.Clock, "Files that were changed at or after this time; as --time");

    private readonly Option<DateTimeOffset?> older = Declare.Time("--changed-before", shared.Clock, "Files that were changed before this time; as --time");

    private readonly Option<string?> hash = Declare.Text(
        "--hash", "DIGITS", null, "Files whose content has this hash, or one that begins so (hexadecimal; 'restore history' prints it)");

    private readonly Option<string?> similar = Declare.Text(
        "--similar", "NAME", null, "Names like this one, with typing errors, with or without extension: a wrong letter in three, three at most");

    public string Name => "find";

    public IReadOnlyList<string> DuplicatiNames => ["search", "search-entries", "search-files"];

    public string Summary => "list which versions have a file";

    public IReadOnlyList<Operand> Operands => [Operand.Storage, Operand.Filters with { Meaning = "what to find, by its path" }];

    public IReadOnlyList<OptionGroup> Options =>
    [
        shared.Filters, new("Selection", [minSize, maxSize, newer, older, hash, similar]), shared.Access, shared.Output, shared.Program,
    ];

    public IReadOnlyList<string> Examples =>
    [
        "restore find /mnt/backup taxes-2025.ods",
        "restore find /mnt/backup '*/thesis*.odt' --passphrase-file=/root/secret",
        "restore find /mnt/backup --similar=tesis",
    ];

    public bool EndsWithReader => true;

    public Task<int> RunAsync(CommandContext context) => context.WithBackupAsync(async backup =>
    {
        var query = QueryOf(context.Line);
        var filter = EntryFilter.Parse(context.Request.Operands, context.Request.Rules, namesTakeContent: false);
        if (context.Request.Operands.Count + context.Request.Rules.Count == 0 && !query.IsAny)
        {
            throw new UsageException("What to find is missing: a name such as notes.txt, a pattern such as '*.jpg', or --similar, --min-size, --hash");
        }

        var found = new SortedDictionary<string, List<(BackupVersion Version, BackupEntry Entry)>>(StringComparer.Ordinal);
        var unreadable = 0;
        foreach (var version in backup.Versions)
        {
            try
            {
                await LookThroughAsync(backup.ListAsync(version, filter, context.Environment.StopToken), version, query, found);
            }
            catch (RestoreException failure) when (failure.Kind == RestoreErrorKind.Failed && backup.Versions.Count > 1)
            {
                unreadable++;
                context.Messages.WriteLine(
                    $"Version {version.Index} is {(failure.Code == RestoreErrorCode.FileListIncomplete ? "in part" : "left out")}: {failure.Message}");
            }
        }

        Print(context, found);
        return unreadable > 0 ? ExitCodes.Incomplete : found.Count > 0 ? ExitCodes.Complete : throw new RestoreException(
            RestoreErrorCode.NothingSelected,
            $"No version has anything that matches {(query.IsAny ? "these conditions" : filter.Describe())}");
    });

    private static async Task LookThroughAsync(
        IAsyncEnumerable<BackupEntry> entries,
        BackupVersion version,
        EntryQuery query,
        SortedDictionary<string, List<(BackupVersion Version, BackupEntry Entry)>> found)
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

    private static void Print(CommandContext context, SortedDictionary<string, List<(BackupVersion Version, BackupEntry Entry)>> found)
    {
        foreach (var (path, versions) in found)
        {
            if (context.Request.Json)
            {
                Json.Write(context.Output, new JsonObject
                {
                    ["path"] = path,
                    ["versions"] = Json.Array(versions, found => Json.Of(found.Version).With(WithoutPath(Json.Of(found.Entry)))),
                });
                continue;
            }

            context.Output.WriteLine(SafeText.Escape(path));
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

    private EntryQuery QueryOf(CommandLine line) => new()
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

internal static class EntryText
{
    public static string Line(BackupEntry entry, TimeProvider clock, string details = "")
    {
        var time = entry.LastModified is { } modified ? Units.Time(modified, clock) : "";
        return string.Create(CultureInfo.InvariantCulture, $"{Letter(entry.Kind)}{details} {Size(entry),16} {time,-26}  {SafeText.Escape(entry.Path)}");
    }

    /// <summary>The versions that have an entry, newest first: a line for each distinct content, size and time.</summary>
    public static IEnumerable<string> Versions(IReadOnlyList<(BackupVersion Version, BackupEntry Entry)> versions, TimeProvider clock) =>
        versions.GroupBy(version => version.Entry, version => version.Version).Select(same => Same(same.Key, [.. same], clock));

    public static string State(BackupVersion version, EntryState? state, string change, TimeProvider clock)
    {
        var start = string.Create(CultureInfo.InvariantCulture, $"{change,-8} version {version.Index,3} of {Units.Time(version.Time, clock)}");
        if (state is null)
        {
            return start;
        }

        var size = (state.Kind == BackupEntryKind.Folder ? Units.Count(state.Files, "file") + ", " : "") + Units.Count(state.SizeBytes, "byte");
        return $"{start}  {size}{(state.LastModified is { } time ? $", modified {Units.Time(time, clock)}" : "")}  {state.Hash}";
    }

    private static string Same(BackupEntry entry, BackupVersion[] versions, TimeProvider clock)
    {
        var name = versions.Length == 1
            ? $"version {versions[0].Index} of {Units.Time(versions[0].Time, clock)}"
            : $"versions {Ranges(versions)} of {Units.Time(versions[0].Time, clock)} to {Units.Time(versions[^1].Time, clock)}";
        var size = entry.Kind == BackupEntryKind.File ? ", " + Units.Count(entry.SizeBytes, "byte") : "";
        return name + size + (entry.LastModified is { } modified ? ", modified " + Units.Time(modified, clock) : "");
    }

    /// <summary>"0", "0 to 3", "0 to 3, 7".</summary>
    private static string Ranges(BackupVersion[] versions)
    {
        List<string> ranges = [];
        for (var first = 0; first < versions.Length;)
        {
            var last = first;
            while (last + 1 < versions.Length && versions[last + 1].Index == versions[last].Index + 1)
            {
                last++;
            }

            ranges.Add(first == last ? $"{versions[first].Index}" : $"{versions[first].Index} to {versions[last].Index}");
            first = last + 1;
        }

        return string.Join(", ", ranges);
    }

    private static string Size(BackupEntry entry) => entry.Kind == BackupEntryKind.File ? Units.Number(entry.SizeBytes) : "";

    private static char Letter(BackupEntryKind kind) => kind switch
    {
        BackupEntryKind.Folder => 'd',
        BackupEntryKind.Symlink => 'l',
        _ => '-',
    };
}

internal sealed class HistoryCommand(SharedOptions shared) : ICliCommand
{
    public string Name => "history";

    public IReadOnlyList<string> DuplicatiNames => ["list-file-versions"];

    public string Summary => "show one file or folder in all versions";

    public IReadOnlyList<Operand> Operands => [Operand.Storage, new Operand("<path>", "the full original path, as 'restore ls' prints it")];

    public IReadOnlyList<OptionGroup> Options => [shared.Access, shared.Output, shared.Program];

    public IReadOnlyList<string> Examples =>
        ["restore history /mnt/backup /home/ann/notes.txt", "restore history /mnt/backup /home/ann/Documents/ --json"];

    public bool EndsWithReader => true;

    public Task<int> RunAsync(CommandContext context) => context.WithBackupAsync(async backup =>
    {
        if (context.Request.Operands is not [var name])
        {
            throw new UsageException("Name one file or folder, with its full original path");
        }

        var states = await StatesAsync(context, backup, EntryLookup.Written(name));
        if (states.TrueForAll(version => version.State is null)
            && await EntryLookup.ToPathAsync(context, backup, [.. states.Select(version => version.Version)], name) is { } path)
        {
            states = await StatesAsync(context, backup, path);
        }

        if (states.TrueForAll(version => version.State is null))
        {
            throw new RestoreException(RestoreErrorCode.NothingSelected, $"No version has {name}");
        }

        for (var i = 0; i < states.Count; i++)
        {
            Write(context, states[i].Version, states[i].State, i + 1 < states.Count ? states[i + 1].State : null);
        }

        return states.Count < backup.Versions.Count ? ExitCodes.Incomplete : ExitCodes.Complete;
    });

    private static async Task<List<(BackupVersion Version, EntryState? State)>> StatesAsync(CommandContext context, Backup backup, string path)
    {
        var states = new List<(BackupVersion Version, EntryState? State)>();
        foreach (var version in backup.Versions)
        {
            try
            {
                states.Add((version, await backup.DescribeAsync(version, path, context.Environment.StopToken)));
            }
            catch (RestoreException failure) when (failure.Kind == RestoreErrorKind.Failed && backup.Versions.Count > 1)
            {
                context.Messages.WriteLine($"Version {version.Index} is left out: {failure.Message}");
            }
        }

        return states;
    }

    private static void Write(CommandContext context, BackupVersion version, EntryState? state, EntryState? older)
    {
        var change = state is null ? (older is null ? "absent" : "removed") : older is null ? "new" : state.HasContentOf(older) ? "same" : "changed";
        context.Write(
            () => Json.Of(version).With(new() { ["change"] = change }).With(state is null ? [] : Json.Of(state)),
            output => output.WriteLine(EntryText.State(version, state, change, context.Environment.Clock)));
    }
}
