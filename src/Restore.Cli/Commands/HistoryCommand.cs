namespace Restore.Cli.Commands;

internal sealed class HistoryCommand(SharedOptions shared) : ICliCommand
{
    public string Name => "history";

    public IReadOnlyList<string> DuplicatiNames => ["list-file-versions"];

    public string Summary => "show one file or folder in all versions";

    public IReadOnlyList<Operand> Operands =>
        [Operand.Storage, new Operand("<path>", "the full original path, as 'restore ls' prints it")];

    public IReadOnlyList<OptionGroup> Options => [shared.Access, shared.Output, shared.Program];

    public IReadOnlyList<string> Examples =>
        ["restore history /mnt/backup /home/ann/notes.txt", "restore history /mnt/backup /home/ann/Documents/ --json"];

    public bool EndsWithReader => true;

    public Task<int> RunAsync(CommandContext context) =>
        context.WithBackupAsync(async backup =>
        {
            if (context.Request.Operands is not [var name])
            {
                throw new UsageException("Name one file or folder, with its full original path");
            }

            var described = EntryLookup.Written(name);
            var states = await StatesAsync(context, backup, described);
            if (
                states.TrueForAll(version => version.State is null)
                && await EntryLookup.ToPathAsync(context, backup, [.. states.Select(version => version.Version)], name)
                    is { } path
            )
            {
                described = path;
                states = await StatesAsync(context, backup, path);
            }

            if (states.TrueForAll(version => version.State is null))
            {
                throw new RestoreException(RestoreErrorCode.NothingSelected, $"No version has {name}");
            }

            var suspect = await SuspectAsync(context, backup, states, described);

            // Versions are sorted from the newest to the oldest, so the next state is the one
            // before.
            for (var i = 0; i < states.Count; i++)
            {
                var older = i + 1 < states.Count ? states[i + 1].State : null;
                Write(context, states[i], older, suspect.Contains(states[i].Version.Index));
            }

            return states.Count < backup.Versions.Count ? ExitCodes.Incomplete : ExitCodes.Complete;
        });

    private static async Task<List<(BackupVersion Version, EntryState? State)>> StatesAsync(
        CommandContext context,
        Backup backup,
        string path
    )
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

    /// <summary>The versions in which a file is suspect; of a folder nothing is said.</summary>
    private static async Task<IReadOnlyCollection<int>> SuspectAsync(
        CommandContext context,
        Backup backup,
        List<(BackupVersion Version, EntryState? State)> states,
        string path
    )
    {
        if (states.TrueForAll(version => version.State?.Kind is null or BackupEntryKind.Folder))
        {
            return [];
        }

        try
        {
            return await backup.FindSuspectVersionsAsync(path, assessment: null, context.Environment.StopToken);
        }
        catch (RestoreException failure)
            when (failure.Kind == RestoreErrorKind.Failed || failure.Code == RestoreErrorCode.VersionNotFound)
        {
            context.Messages.WriteLine($"The versions could not be assessed: {failure.Message}");
            return [];
        }
    }

    private static void Write(
        CommandContext context,
        (BackupVersion Version, EntryState? State) described,
        EntryState? older,
        bool isSuspect
    )
    {
        var (version, state) = described;
        var change =
            state is null ? (older is null ? "absent" : "removed")
            : older is null ? "new"
            : state.HasContentOf(older) ? "same"
            : "changed";
        context.Write(
            () =>
                Json.Of(version)
                    .With(new() { ["change"] = change })
                    .With(isSuspect ? new() { ["suspect"] = true } : [])
                    .With(state is null ? [] : Json.Of(state)),
            output =>
                output.WriteLine(
                    EntryText.State(version, state, change, isSuspect ? "  (suspect)" : "", context.Environment)
                )
        );
    }
}
