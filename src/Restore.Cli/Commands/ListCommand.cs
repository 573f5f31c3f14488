namespace Restore.Cli.Commands;

internal sealed class ListCommand(SharedOptions shared) : ICliCommand
{
    private readonly Option<bool> recursive = Declare.Flag(
        "--recursive",
        "List all that is in the folders, not one level",
        "-R"
    );

    private readonly Option<bool> tree = Declare.Flag(
        "--tree",
        "Draw all that is in the folders as a tree, with the size of each file and folder"
    );

    public string Name => "ls";

    public IReadOnlyList<string> DuplicatiNames => ["list", "list-folder-content", "list-folder-contents"];

    public string Summary => "list the entries of a version";

    public IReadOnlyList<Operand> Operands =>
        [
            Operand.Storage,
            Operand.Filters with
            {
                Form = "[path ...]",
                Meaning = "folders (their first level), files, filters; default: where the data begins",
            },
        ];

    public IReadOnlyList<OptionGroup> Options =>
        [
            new("List", [recursive, shared.Long, tree]),
            shared.Version,
            shared.LastGood.Reading,
            shared.Filters,
            shared.Access,
            shared.Output,
            shared.Program,
        ];

    public IReadOnlyList<string> Examples =>
        [
            "restore ls /mnt/backup",
            "restore ls /mnt/backup /home/ann/photos -l --version=2",
            "restore ls /mnt/backup '*.odt' --json",
            "restore ls /mnt/backup -R",
            "restore ls /mnt/backup /home/ann --tree",
            "restore ls /mnt/backup --last-good",
        ];

    public bool EndsWithReader => true;

    /// <summary>
    /// Duplicati's <c>list</c> is three commands here: without a name it lists the versions, and
    /// over all versions it finds.
    /// </summary>
    public void Adapt(DuplicatiForm line)
    {
        if (line.Word != "list")
        {
            return;
        }

        var isAll = line.Options.Any(given => given.Option == shared.AllVersions && given.Text == "true");
        var hasFilter = line.Operands.Count > 1 || line.Options.Any(given => shared.FilterRules.Contains(given.Option));
        line.Options.RemoveAll(given => given.Option == shared.AllVersions);
        line.Become(
            !hasFilter ? "versions"
            : isAll ? "find"
            : Name
        );
    }

    public Task<int> RunAsync(CommandContext context) =>
        context.WithBackupAsync(async backup =>
        {
            var (request, stop) = (context.Request, context.Environment.StopToken);
            if (request.Run.LastGood is { } lastGood)
            {
                return await ListLastGoodAsync(context, backup, lastGood);
            }

            var version = context.ChooseVersion(backup);
            var filter = await FilterOptions.SettleAsync(
                context,
                backup,
                version,
                FilterOptions.FilterOf(request.Operands, request.Rules)
            );
            var listed = backup.ListAsync(version, filter, stop);
            if (context.Line.Value(tree))
            {
                listed = DrawAsync(context, listed);
            }
            else if (!context.Line.Value(recursive) && request.Rules.Count == 0 && !filter.HasPatterns)
            {
                listed = new OneLevel(filter).OfAsync(listed);
            }

            var lines = context.Line.Value(shared.Long)
                ? EntryDetails.WriteAsync(context, backup, version, listed)
                : WriteAsync(context, listed);
            return await lines > 0
                ? ExitCodes.Complete
                : throw new RestoreException(
                    RestoreErrorCode.NothingSelected,
                    request.Operands.Count + request.Rules.Count == 0
                        ? $"The file list of version {version.Index} has no entries"
                        : $"Nothing in version {version.Index} matches {filter.Describe()}"
                );
        });

    /// <summary>
    /// All files as they were last good: which version has them is what a user asks for here.
    /// </summary>
    private async Task<int> ListLastGoodAsync(CommandContext context, Backup backup, AssessOptions lastGood)
    {
        var (request, stop) = (context.Request, context.Environment.StopToken);
        var filter = await FilterOptions.SettleAsync(
            context,
            backup,
            backup.Versions,
            FilterOptions.FilterOf(request.Operands, request.Rules)
        );
        var lines = 0L;
        var drawn = context.Line.Value(tree) && !request.Json ? new SizeTree() : null;
        if (drawn is null && context.Line.Value(shared.Long))
        {
            lines = await DetailLastGoodAsync(context, backup, lastGood, filter);
            return lines > 0 ? ExitCodes.Complete : throw NoGoodFile(filter);
        }

        await foreach (var (entry, version) in backup.ListLastGoodAsync(lastGood, filter, stop))
        {
            lines++;
            if (drawn is not null)
            {
                drawn.Add(entry);
                continue;
            }

            context.Write(
                () => Json.Of(entry).With(new() { ["version"] = version.Index }),
                output =>
                    output.WriteWhole($"{EntryText.Line(entry, context.Environment.Clock)}  (version {version.Index})")
            );
        }

        if (drawn is { IsEmpty: false })
        {
            drawn.Write(context.Output);
        }

        return lines > 0 ? ExitCodes.Complete : throw NoGoodFile(filter);
    }

    private static RestoreException NoGoodFile(EntryFilter filter) =>
        new(RestoreErrorCode.NothingSelected, $"No version has a good file that matches {filter.Describe()}");

    private static Task<long> DetailLastGoodAsync(
        CommandContext context,
        Backup backup,
        AssessOptions lastGood,
        EntryFilter filter
    )
    {
        var stop = context.Environment.StopToken;
        Dictionary<string, int> versions = new(StringComparer.Ordinal);
        return EntryDetails.WriteAsync(
            context,
            (memory, paths) => backup.OpenLastGoodTreeAsync(lastGood, memory, paths, stop),
            ListAsync(),
            entry => versions[entry.Path]
        );

        async IAsyncEnumerable<BackupEntry> ListAsync()
        {
            await foreach (var (entry, version) in backup.ListLastGoodAsync(lastGood, filter, stop))
            {
                versions[entry.Path] = version.Index;
                yield return entry;
            }
        }
    }

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
                context.Output.WriteWhole(EntryText.Line(entry, context.Environment.Clock));
            }
        }

        return entries;
    }

    /// <summary>Draws the entries and passes them on.</summary>
    private static async IAsyncEnumerable<BackupEntry> DrawAsync(
        CommandContext context,
        IAsyncEnumerable<BackupEntry> listed
    )
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
