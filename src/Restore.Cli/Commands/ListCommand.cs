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
        var filter = FilterOptions.FilterOf(request.Operands, request.Rules);
        var listed = backup.ListAsync(version, filter, stop);
        if (context.Line.Value(tree))
        {
            listed = DrawAsync(context, listed);
        }
        else if (!context.Line.Value(recursive) && request.Rules.Count == 0 && request.Operands.All(FilterOptions.IsPlain))
        {
            listed = new OneLevel(request.Operands).OfAsync(listed);
        }

        var lines = context.Line.Value(shared.Long) ? EntryDetails.WriteAsync(context, backup, version, listed) : WriteAsync(context, listed);
        return await lines > 0 ? ExitCodes.Complete : throw new RestoreException(
            RestoreErrorCode.NothingSelected,
            request.Operands.Count + request.Rules.Count == 0
                ? $"The file list of version {version.Index} has no entries"
                : $"Nothing in version {version.Index} matches {Described(request, filter)}");
    });

    /// <summary>What was asked for, in the words of the request: a name is several filters.</summary>
    public static string Described(HostRequest request, EntryFilter filter) =>
        request.Rules.Count > 0 ? filter.Describe() : string.Join(", ", request.Operands.Select(operand => $"'{operand}'"));

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

/// <summary>The first level of folders, from an enumeration of all that is in them: of the folders that are named, or else of the one in which the data
/// begins, which has all entries. A folder that is only part of a path is an entry too.</summary>
internal sealed class OneLevel(IReadOnlyList<string> named)
{
    private readonly Dictionary<string, BackupEntry> folders = [];
    private readonly SortedDictionary<string, BackupEntry> children = new(StringComparer.Ordinal);
    private string? common;

    public async IAsyncEnumerable<BackupEntry> OfAsync(IAsyncEnumerable<BackupEntry> listed)
    {
        await foreach (var entry in listed)
        {
            var folder = entry.Kind == BackupEntryKind.Folder ? entry.Path : FolderOf(entry.Path);
            if (named.Count == 0)
            {
                Widen(folder);
            }

            if (entry.Kind == BackupEntryKind.Folder)
            {
                folders[entry.Path] = entry;
            }

            var inside = named.Count == 0 ? common! : NamedFolderOf(entry.Path);
            if (inside is null || entry.Path.Length > inside.Length)
            {
                var child = inside is null ? entry.Path : ChildOf(inside, entry.Path);
                children[child] = child == entry.Path ? entry : folders.GetValueOrDefault(child, new BackupEntry(child, BackupEntryKind.Folder, 0, null));
            }
        }

        // A folder without anything in it, named or alone, is shown itself.
        foreach (var entry in children.Count > 0 ? children.Values : folders.Values.AsEnumerable())
        {
            yield return entry;
        }
    }

    /// <summary>The common folder becomes one that has the new entry too; then what led to the folder before is its only child yet.</summary>
    private void Widen(string folder)
    {
        common ??= folder;
        if (folder.StartsWith(common, StringComparison.Ordinal))
        {
            return;
        }

        var same = common.AsSpan().CommonPrefixLength(folder);
        var (before, end) = (common, common.AsSpan(0, same).LastIndexOfAny('/', '\\') + 1);
        common = before[..end];
        children.Clear();
        var child = ChildOf(common, before);
        children[child] = folders.GetValueOrDefault(child, new BackupEntry(child, BackupEntryKind.Folder, 0, null));
    }

    /// <summary>The folder that was named by its path or its name and has the entry; null if the entry itself was named.</summary>
    private string? NamedFolderOf(string path)
    {
        foreach (var name in named)
        {
            var bare = name.TrimEnd('/', '\\');
            var at = bare.AsSpan().IndexOfAny('/', '\\') >= 0
                ? path.StartsWith(bare, StringComparison.OrdinalIgnoreCase) ? 0 : -1
                : IndexOfName(path, bare);
            if (at >= 0 && path.Length > at + bare.Length && path[at + bare.Length] is '/' or '\\')
            {
                return path[..(at + bare.Length + 1)];
            }
        }

        return null;
    }

    private static int IndexOfName(string path, string name)
    {
        for (var at = path.IndexOf(name, StringComparison.OrdinalIgnoreCase); at >= 0; at = path.IndexOf(name, at + 1, StringComparison.OrdinalIgnoreCase))
        {
            if ((at == 0 || path[at - 1] is '/' or '\\') && at + name.Length < path.Length && path[at + name.Length] is '/' or '\\')
            {
                return at;
            }
        }

        return -1;
    }

    private static string FolderOf(string path) => path[..(path.AsSpan().LastIndexOfAny('/', '\\') + 1)];

    private static string ChildOf(string folder, string path)
    {
        var end = path.AsSpan(folder.Length).IndexOfAny('/', '\\');
        return end < 0 ? path : path[..(folder.Length + end + 1)];
    }
}

/// <summary>Entries as a tree with the sizes of files and folders.</summary>
internal sealed class SizeTree
{
    // No system takes deeper paths; a hostile list may have them.
    private const int MostLevels = 512;

    private readonly Node root = new();

    public bool IsEmpty => root.Children.Count == 0;

    public void Add(BackupEntry entry)
    {
        var node = root;
        node.SizeBytes += entry.SizeBytes;
        var path = entry.Path.AsSpan();
        for (var level = 0; !path.IsEmpty; level++)
        {
            var end = path.IndexOfAny('/', '\\') + 1;
            end = end == 0 || level == MostLevels ? path.Length : end;
            var name = path[..end].ToString();
            node = node.Children.TryGetValue(name, out var child) ? child : node.Children[name] = new Node();
            node.SizeBytes += entry.SizeBytes;
            path = path[end..];
        }
    }

    public void Write(TextWriter output)
    {
        // The folders above the data have one child each, and are one line.
        var (top, path) = (root, "");
        while (top.Children.Count == 1 && top.Children.First() is var (name, only) && only.Children.Count > 0)
        {
            (top, path) = (only, path + name);
        }

        output.WriteLine($"{Units.Bytes(top.SizeBytes),12}  {SafeText.Escape(path)}");
        Write(output, top, "");
    }

    private static void Write(TextWriter output, Node folder, string indent)
    {
        var left = folder.Children.Count;
        foreach (var (name, node) in folder.Children)
        {
            var isLast = --left == 0;
            output.WriteLine($"{Units.Bytes(node.SizeBytes),12}  {indent}{(isLast ? "└── " : "├── ")}{SafeText.Escape(name)}");
            Write(output, node, indent + (isLast ? "    " : "│   "));
        }
    }

    private sealed class Node
    {
        public long SizeBytes { get; set; }

        public SortedDictionary<string, Node> Children => field ??= new(StringComparer.Ordinal);
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
