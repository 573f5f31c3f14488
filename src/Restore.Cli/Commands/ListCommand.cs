using Restore.Cli.Options;
using Restore.Cli.Rendering;

namespace Restore.Cli.Commands;

internal sealed class ListCommand(SharedOptions shared) : ICliCommand
{
    public string Name => "ls";

    public string Summary => "list the entries of a version";

    public IReadOnlyList<Operand> Operands =>
    [
        Operand.Storage,
        Operand.Filters with { Form = "[path ...]", Meaning = "files, folders with all that is in them, or filters; without one, everything" },
    ];

    public IReadOnlyList<OptionGroup> Options => [shared.Version, shared.Filters, shared.Access, shared.Output, shared.Program];

    public IReadOnlyList<string> Examples =>
        ["restore ls /mnt/backup", "restore ls /mnt/backup /home/ann/photos --version=2", "restore ls /mnt/backup '*.odt' --json"];

    public bool EndsWithReader => true;

    public Task<int> RunAsync(CommandContext context) => context.WithBackupAsync(async backup =>
    {
        var request = context.Request;
        var version = context.ChooseVersion(backup);
        var filter = FilterOf(request.Operands, request.Rules);
        long entries = 0;
        await foreach (var entry in backup.ListAsync(version, filter, context.Environment.StopToken))
        {
            entries++;
            if (request.Json)
            {
                Json.Write(context.Output, entry);
            }
            else
            {
                context.Output.WriteLine(EntryText.Line(entry, context.Environment.Clock));
            }
        }

        return entries > 0 ? ExitCodes.Complete : throw new RestoreException(
            RestoreErrorCode.NothingSelected,
            request.Operands.Count + request.Rules.Count == 0
                ? $"The file list of version {version.Index} has no entries"
                : $"Nothing in version {version.Index} matches {filter.Describe()}");
    });

    /// <summary>Selects paths, with all that is in them, and what rules take.</summary>
    public static EntryFilter FilterOf(IReadOnlyList<string> paths, IReadOnlyList<FilterRule> rules) =>
        EntryFilter.Parse(paths.SelectMany(FilterOptions.WithContent), rules);
}

internal sealed class VersionsCommand(SharedOptions shared) : ICliCommand
{
    public string Name => "versions";

    public string Summary => "list the versions, newest first";

    public IReadOnlyList<Operand> Operands => [Operand.Storage];

    public IReadOnlyList<OptionGroup> Options => [shared.Access, shared.Output, shared.Program];

    public IReadOnlyList<string> Examples => ["restore versions /mnt/backup"];

    public Task<int> RunAsync(CommandContext context) => context.WithBackupAsync(backup =>
    {
        context.Write(() => new() { ["versions"] = Json.Array(backup.Versions, Json.Of) }, output =>
        {
            foreach (var version in backup.Versions)
            {
                var isInTheFuture = version.Time - context.Environment.Clock.GetUtcNow() > TimeSpan.FromDays(1);
                output.WriteLine($"{version.Index,4}  {Units.Time(version.Time, context.Environment.Clock)}  {SafeText.Escape(version.FileListName)}"
                    + (isInTheFuture ? "  (in the future)" : ""));
            }
        });
        return Task.FromResult(ExitCodes.Complete);
    });
}
