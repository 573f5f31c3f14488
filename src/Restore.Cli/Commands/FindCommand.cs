using Restore.Cli.Options;
using Restore.Cli.Rendering;

namespace Restore.Cli.Commands;

/// <summary><c>restore find</c>: which versions have which files.</summary>
internal sealed class FindCommand(SharedOptions shared) : ICliCommand
{
    public string Name => "find";

    public string Summary => "list which versions have a file";

    public IReadOnlyList<Operand> Operands => [Operand.Storage, Operand.Filters with { Meaning = "what to find, by its path" }];

    public IReadOnlyList<OptionGroup> Options => [shared.Filters, shared.Query, shared.Access, shared.Output, shared.Program];

    public IReadOnlyList<string> Examples =>
    [
        "restore find /mnt/backup taxes-2025.ods",
        "restore find /mnt/backup '*/thesis*.odt' --passphrase-file=/root/secret",
        "restore find /mnt/backup --similar=tesis",
    ];

    public bool EndsWithReader => true;

    public Task<int> RunAsync(CommandContext context) => context.WithBackupAsync(async backup =>
    {
        var query = shared.Query.Of(context.Line);
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
                await LookThroughAsync(context, backup, version, query, found);
            }
            catch (RestoreException failure) when (failure.Kind == RestoreErrorKind.Failed && backup.Versions.Count > 1)
            {
                unreadable++;
                context.Messages.WriteLine($"Version {version.Index} is left out: {failure.Message}");
            }
        }

        Print(context, found);
        return unreadable > 0 ? ExitCodes.Incomplete : found.Count > 0 ? ExitCodes.Complete : throw new RestoreException(
            RestoreErrorCode.NothingSelected,
            $"No version has anything that matches {(query.IsAny ? "these conditions" : context.Request.Restore.Filter.Describe())}");
    });

    private static async Task LookThroughAsync(
        CommandContext context,
        Backup backup,
        BackupVersion version,
        EntryQuery query,
        SortedDictionary<string, List<(BackupVersion Version, BackupEntry Entry)>> found)
    {
        await foreach (var entry in backup.ListAsync(version, context.Request.Restore.Filter, context.Environment.StopToken))
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
                Json.Write(context.Output, json => Json.Found(json, path, versions));
                continue;
            }

            context.Output.WriteLine(SafeText.Escape(path));
            foreach (var line in EntryText.Versions(versions, context.Environment.Clock))
            {
                context.Output.WriteLine("    " + line);
            }
        }
    }
}
