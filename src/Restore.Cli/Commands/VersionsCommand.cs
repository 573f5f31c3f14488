using System.IO.Hashing;

namespace Restore.Cli.Commands;

internal sealed class VersionsCommand(SharedOptions shared) : ICliCommand
{
    // What a disk reads and a core decodes while nobody gets impatient.
    private const long CheapListBytes = 16 << 20;

    public string Name => "versions";

    public IReadOnlyList<string> DuplicatiNames => ["list-filesets"];

    public string Summary => "list the versions, newest first";

    public IReadOnlyList<Operand> Operands => [Operand.Storage];

    public IReadOnlyList<OptionGroup> Options => [new("List", [shared.Long]), shared.Access, shared.Output, shared.Program];

    public IReadOnlyList<string> Examples => ["restore versions /mnt/backup", "restore versions ssh://ann@host/backup -l"];

    public Task<int> RunAsync(CommandContext context) => context.WithBackupAsync(async backup =>
    {
        await TryPassphraseAsync(context, backup);
        var isAsked = context.Line.Value(shared.Long);
        var changes = isAsked || IsCheap(context, backup) ? await VersionChanges.ReadAsync(backup, context.Environment.StopToken) : null;
        HashSet<BackupVersion> partial = !isAsked && !IsOpen(context, backup) ? [] : await PartialOfAsync(backup, context.Environment.StopToken);
        context.Write(
            () => new()
            {
                ["versions"] = Json.Array(
                    backup.Versions,
                    version => Json.Of(version).With(Known(backup, version)).With(partial.Contains(version) ? new() { ["partial"] = true } : [])
                        .With(changes?[version.Index].Json ?? [])),
            },
            output =>
            {
                foreach (var version in backup.Versions)
                {
                    var isInTheFuture = version.Time - context.Environment.Clock.GetUtcNow() > TimeSpan.FromDays(1);
                    var name = context.Environment.OutputIsTerminal ? "" : SafeText.Escape(version.FileListName);
                    var what = changes is null ? name : changes[version.Index].Text;
                    var time = Units.Time(version.Time, context.Environment.Clock);
                    var onlyInDatabase = backup.HasFileList(version) ? "" : "  (only in the database)";
                    var marks = $"{(partial.Contains(version) ? "  (partial)" : "")}{onlyInDatabase}{(isInTheFuture ? "  (in the future)" : "")}";
                    output.WriteLine($"{version.Index,4}  {time}  {what}{marks}");
                }
            });
        return changes?.Any(change => change.Problem is not null) == true ? ExitCodes.Incomplete : ExitCodes.Complete;
    });

    /// <summary>The versions of which only a part was backed up: a backup was stopped, or took no file.</summary>
    private static async Task<HashSet<BackupVersion>> PartialOfAsync(Backup backup, CancellationToken cancellationToken)
    {
        HashSet<BackupVersion> partial = [];
        foreach (var version in backup.Versions)
        {
            if (await backup.IsPartialAsync(version, cancellationToken) == true)
            {
                partial.Add(version);
            }
        }

        return partial;
    }

    private static JsonObject Known(Backup backup, BackupVersion version) => backup.HasFileList(version) ? [] : new() { ["onlyInDatabase"] = true };

    /// <summary>Names and times need no passphrase, but who gives a wrong one wants to know. The smallest list tells, if it is no long
    /// fetch.</summary>
    private static async Task TryPassphraseAsync(CommandContext context, Backup backup)
    {
        if (context.Request.Backup.Passphrase is null || !Directory.Exists(backup.Location))
        {
            return;
        }

        try
        {
            var smallest = backup.Versions.Where(backup.HasFileList).MinBy(version => LengthOf(backup, version));
            if (smallest is null || LengthOf(backup, smallest) > CheapListBytes)
            {
                return;
            }

            await foreach (var unused in backup.ListAsync(smallest, cancellationToken: context.Environment.StopToken))
            {
                break;
            }
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException
            or RestoreException { Code: not RestoreErrorCode.WrongPassphrase })
        {
            // What is wrong with a list is said by what needs it.
        }
    }

    private static long LengthOf(Backup backup, BackupVersion version) => new FileInfo(Path.Join(backup.Location, version.FileListName)).Length;

    /// <summary>Whether the lists are on this machine, and open without a question.</summary>
    private static bool IsOpen(CommandContext context, Backup backup) => Directory.Exists(backup.Location)
        && (context.Request.Backup.Passphrase is not null
            || backup.Versions.All(version => version.FileListName.EndsWith(".zip", StringComparison.Ordinal)));

    /// <summary>Whether the lists are open, and small.</summary>
    private static bool IsCheap(CommandContext context, Backup backup)
    {
        try
        {
            return IsOpen(context, backup) && backup.Versions.Where(backup.HasFileList).Sum(version => LengthOf(backup, version)) <= CheapListBytes;
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            return false;
        }
    }
}

/// <summary>The files of a version, and how it differs from the one before it; that is null where the list of either cannot be read.</summary>
internal sealed record VersionChanges(long Files, long Bytes, long? Added, long? Changed, long? Removed)
{
    /// <summary>Why the list cannot be read, or is incomplete; null if it was read whole.</summary>
    public string? Problem { get; init; }

    /// <summary>Whether a part of the list was read all the same.</summary>
    public bool IsPart { get; init; }

    public string Text
    {
        get
        {
            if (Problem is not null && !IsPart)
            {
                return $"its list cannot be read: {SafeText.Escape(Problem)}";
            }

            var size = $"{Units.Count(Files, "file"),14} {Units.Bytes(Bytes),12}";
            size += IsPart ? $"  (incomplete: {SafeText.Escape(Problem!)})" : "";
            return Added is not { } added || Changed is not { } changed || Removed is not { } removed
                ? size
                : $"{size}  {Units.Number(added)} added, {Units.Number(changed)} changed, {Units.Number(removed)} removed";
        }
    }

    public JsonObject Json
    {
        get
        {
            JsonObject json = Problem is null ? [] : new() { ["problem"] = Problem };
            return Problem is not null && !IsPart ? json : json.With(new()
            {
                ["files"] = Files,
                ["bytes"] = Bytes,
                ["filesAdded"] = Added,
                ["filesChanged"] = Changed,
                ["filesRemoved"] = Removed,
            });
        }
    }

    /// <summary>Reads all lists. What is wrong with one is said in its place: the others may be sound.</summary>
    /// <exception cref="RestoreException">The passphrase is wrong or missing, or the store is lost.</exception>
    public static async Task<IReadOnlyList<VersionChanges>> ReadAsync(Backup backup, CancellationToken cancellationToken)
    {
        var changes = new VersionChanges[backup.Versions.Count];
        Dictionary<UInt128, UInt128>? before = null;
        foreach (var version in backup.Versions.Reverse())
        {
            Dictionary<UInt128, UInt128> files = [];
            long bytes = 0;
            string? problem = null;
            try
            {
                await backup.ReadListAsync(
                    version,
                    entry =>
                    {
                        if (entry.Kind == BackupEntryKind.File && files.TryAdd(Digest(entry.Path), Digest(entry.Hash)))
                        {
                            bytes += entry.SizeBytes;
                        }
                    },
                    cancellationToken);
            }
            catch (RestoreException failure) when (failure.Code == RestoreErrorCode.FileListIncomplete)
            {
                problem = failure.What;
                before = null;
            }
            catch (RestoreException failure) when (IsOfOneList(failure))
            {
                changes[version.Index] = new VersionChanges(0, 0, null, null, null) { Problem = failure.InnerException?.Message ?? failure.Message };
                before = null;
                continue;
            }

            var known = before is null ? 0 : files.Keys.Count(before.ContainsKey);
            changes[version.Index] = before is null
                ? new VersionChanges(files.Count, bytes, null, null, null) { Problem = problem, IsPart = problem is not null } : new VersionChanges(
                files.Count,
                bytes,
                files.Count - known,
                files.Count(file => before.TryGetValue(file.Key, out var hash) && hash != file.Value),
                before.Count - known);
            before = problem is null ? files : null;
        }

        return changes;
    }

    private static bool IsOfOneList(RestoreException failure) =>
        failure.Kind == RestoreErrorKind.Failed && failure.Code is not (RestoreErrorCode.StoreLost or RestoreErrorCode.StoreUnreachable);

    private static UInt128 Digest(ReadOnlySpan<byte> bytes) => XxHash128.HashToUInt128(bytes);
}
