namespace Restore.Cli.Commands;

internal sealed class ListCommand(SharedOptions shared) : ICliCommand
{
    private readonly Option<bool> recursive = Declare.Flag("--recursive", "List all that is in the folders, not one level", "-R");

    private readonly Option<bool> tree = Declare.Flag("--tree", "Draw all that is in the folders as a tree, with the size of each file and folder");

    public string Name => "ls";

    public IReadOnlyList<string> DuplicatiNames => ["list", "list-folder-content", "list-folder-contents"];

    public string Summary => "list the entries of a version";

    public IReadOnlyList<Operand> Operands =>
    [
        Operand.Storage,
        Operand.Filters with { Form = "[path ...]", Meaning = "folders (their first level), files, filters; default: where the data begins" },
    ];

    public IReadOnlyList<OptionGroup> Options =>
        [new("List", [recursive, shared.Long, tree]), shared.Version, shared.Filters, shared.Access, shared.Output, shared.Program];

    public IReadOnlyList<string> Examples =>
    [
        "restore ls /mnt/backup", "restore ls /mnt/backup /home/ann/photos -l --version=2", "restore ls /mnt/backup '*.odt' --json",
        "restore ls /mnt/backup -R", "restore ls /mnt/backup /home/ann --tree",
    ];

    public bool EndsWithReader => true;

    /// <summary>Duplicati's <c>list</c> is three commands here: without a name it lists the versions, and over all versions it finds.</summary>
    public void Adapt(DuplicatiForm line)
    {
        if (line.Word != "list")
        {
            return;
        }

        var isAll = line.Options.Any(given => given.Option == shared.AllVersions && given.Text == "true");
        var hasFilter = line.Operands.Count > 1 || line.Options.Any(given => shared.FilterRules.Contains(given.Option));
        line.Options.RemoveAll(given => given.Option == shared.AllVersions);
        line.Become(!hasFilter ? "versions" : isAll ? "find" : Name);
    }

    public Task<int> RunAsync(CommandContext context) => context.WithBackupAsync(async backup =>
    {
        var (request, stop) = (context.Request, context.Environment.StopToken);
        var version = context.ChooseVersion(backup);
        var filter = await FilterOptions.SettleAsync(context, backup, version, FilterOptions.FilterOf(request.Operands, request.Rules));
        var listed = backup.ListAsync(version, filter, stop);
        if (context.Line.Value(tree))
        {
            listed = DrawAsync(context, listed);
        }
        else if (!context.Line.Value(recursive) && request.Rules.Count == 0 && !filter.HasPatterns)
        {
            listed = new OneLevel(filter).OfAsync(listed);
        }

        var lines = context.Line.Value(shared.Long) ? EntryDetails.WriteAsync(context, backup, version, listed) : WriteAsync(context, listed);
        return await lines > 0 ? ExitCodes.Complete : throw new RestoreException(
            RestoreErrorCode.NothingSelected,
            request.Operands.Count + request.Rules.Count == 0
                ? $"The file list of version {version.Index} has no entries"
                : $"Nothing in version {version.Index} matches {filter.Describe()}");
    });

    private async Task<long> WriteAsync(CommandContext context, IAsyncEnumerable<BackupEntry> listed)
    {
        long entries = 0;
        await foreach (var entry in listed)
        {
            entries++;
            if (context.Request.Json)
            {
                Json.Write(context.Output, entry);
            }
            else if (!context.Line.Value(tree))
            {
                context.Output.WriteLine(EntryText.Line(entry, context.Environment.Clock));
            }
        }

        return entries;
    }

    /// <summary>Draws the entries and passes them on.</summary>
    private static async IAsyncEnumerable<BackupEntry> DrawAsync(CommandContext context, IAsyncEnumerable<BackupEntry> listed)
    {
        var drawn = new SizeTree();
        await foreach (var entry in listed)
        {
            drawn.Add(entry);
            yield return entry;
        }

        if (!context.Request.Json && !drawn.IsEmpty)
        {
            drawn.Write(context.Output);
        }
    }
}

/// <summary>Entries with what their metadata says.</summary>
internal static class EntryDetails
{
    public static async Task<long> WriteAsync(CommandContext context, Backup backup, BackupVersion version, IAsyncEnumerable<BackupEntry> listed)
    {
        List<BackupEntry> entries = [];
        await foreach (var entry in listed)
        {
            entries.Add(entry);
        }

        var paths = new PathTree();
        await using var tree = await backup.OpenTreeAsync(version, new BlockMemory(), paths, context.Environment.StopToken);
        var known = entries.Where(entry => paths.Find(entry.Path) is not null).ToList();
        Dictionary<string, ExportedEntry?> metadata = [];
        await foreach (var one in tree.ReadMetadataAsync([.. known.Select(entry => paths.Find(entry.Path)!.Value)], context.Environment.StopToken))
        {
            metadata.Add(known[metadata.Count].Path, one);
        }

        foreach (var entry in entries)
        {
            var facts = metadata.GetValueOrDefault(entry.Path);
            if (context.Request.Json)
            {
                Json.Write(context.Output, Json.Of(entry).With(new()
                {
                    ["mode"] = facts?.Mode is { } mode ? Convert.ToString((int)mode, 8) : null,
                    ["owner"] = Owner(facts?.OwnerName, facts?.UserId),
                    ["group"] = Owner(facts?.GroupName, facts?.GroupId),
                    ["linkTarget"] = facts?.LinkTarget,
                }));
            }
            else
            {
                context.Output.WriteLine(Line(entry, facts, context.Environment.Clock));
            }
        }

        return entries.Count;
    }

    private static string Line(BackupEntry entry, ExportedEntry? facts, TimeProvider clock)
    {
        var owner = $"{Owner(facts?.OwnerName, facts?.UserId) ?? "-"}:{Owner(facts?.GroupName, facts?.GroupId) ?? "-"}";
        var shown = entry with { LastModified = facts?.LastModified ?? entry.LastModified };
        var target = facts?.LinkTarget is { } link ? " -> " + SafeText.Escape(link) : "";
        return EntryText.Line(shown, clock, $"{ModeText(facts?.Mode)} {SafeText.Escape(owner),-17}") + target;
    }

    private static string? Owner(string? name, uint? number) =>
        name is { Length: > 0 } ? name : number?.ToString(CultureInfo.InvariantCulture);

    private static string ModeText(UnixFileMode? mode)
    {
        const string Letters = "rwxrwxrwx";
        if (mode is not { } bits)
        {
            return "?????????";
        }

        var text = Letters.Select((letter, place) => (((int)bits >> (8 - place)) & 1) == 1 ? letter : '-').ToArray();
        Mark(2, UnixFileMode.SetUser, 's');
        Mark(5, UnixFileMode.SetGroup, 's');
        Mark(8, UnixFileMode.StickyBit, 't');
        return new string(text);

        void Mark(int place, UnixFileMode bit, char letter) =>
            text[place] = !bits.HasFlag(bit) ? text[place] : text[place] == 'x' ? letter : char.ToUpperInvariant(letter);
    }
}
