namespace Restore.Catalog.Database;

/// <summary>What a database says about the backup as a whole, matched with the existing volumes.</summary>
internal sealed record DatabaseOverview(
    long SchemaVersion,
    BlockLayout Layout,
    IReadOnlyList<VersionSource> Versions,
    IReadOnlyDictionary<long, VolumeId> BlockVolumes,
    IReadOnlyList<RestoreIssue> Issues)
{
    public static DatabaseOverview Read(DatabaseFile file, DatabaseConnection connection, VolumeSet volumes)
    {
        long version = DatabaseSchema.Require(file, connection);
        Dictionary<string, string> settings = ReadSettings(connection);
        if (settings.TryGetValue("prefix", out string? prefix) && prefix != volumes.Prefix)
        {
            throw new RestoreException(
                RestoreErrorCode.DatabaseMismatch,
                $"The database belongs to the backup with the prefix {prefix}, the volumes to the one with the prefix {volumes.Prefix}",
                file.DisplayPath);
        }

        Differences differences = new(file.DisplayPath);
        if (settings.GetValueOrDefault("repair-in-progress") == "true")
        {
            differences.Add(file.DisplayPath, "Duplicati was interrupted while it repaired the database; parts of it may be missing");
        }

        BlockLayout layout = ReadLayout(file, settings);
        Dictionary<long, VolumeId> blockVolumes = DatabaseVolumes.Read(file, connection, volumes, differences);
        List<VersionSource> versions = DatabaseVersions.Read(file, connection, volumes, differences);
        return new DatabaseOverview(version, layout, versions, blockVolumes, differences.ToIssues());
    }

    private static Dictionary<string, string> ReadSettings(DatabaseConnection connection)
    {
        Dictionary<string, string> settings = new(StringComparer.Ordinal);
        using DatabaseQuery query = connection.Query(
            """
            SELECT "Key", substr("Value", 1, 100) FROM "Configuration"
            WHERE "Key" IN ('prefix', 'blocksize', 'blockhash', 'filehash', 'repair-in-progress')
            """);
        while (query.Read())
        {
            settings[query.Text(0)] = query.Text(1);
        }

        return settings;
    }

    private static BlockLayout ReadLayout(DatabaseFile file, Dictionary<string, string> settings)
    {
        string size = settings.GetValueOrDefault("blocksize", "");
        string blockHash = settings.GetValueOrDefault("blockhash", "");
        string fileHash = settings.GetValueOrDefault("filehash", "");
        return int.TryParse(size, NumberStyles.None, CultureInfo.InvariantCulture, out int blockSizeBytes)
            && blockSizeBytes >= Manifest.MinBlockSizeBytes
            && HashKinds.TryParse(blockHash, out HashKind blockHashKind)
            && HashKinds.TryParse(fileHash, out HashKind fileHashKind)
            ? new BlockLayout(blockSizeBytes, blockHashKind, fileHashKind)
            : throw file.Unusable(
                $"The database gives the block size \"{size}\", the block hash \"{blockHash}\" and the file hash \"{fileHash}\", which cannot be");
    }
}

/// <summary>A version and the place of its entries: a fileset of the database, or null for a file list in the folder.</summary>
internal sealed record VersionSource(BackupVersion Version, long? FilesetId);

/// <summary>Lists the versions that the database or the folder has, newest first.</summary>
internal static class DatabaseVersions
{
    // A version every hour for eleven years.
    private const int MaxVersions = 100_000;

    // A list that could not be written gets a name some seconds later; the database keeps the time of the version.
    private static readonly TimeSpan MostRenamed = TimeSpan.FromMinutes(1);

    public static List<VersionSource> Read(DatabaseFile file, DatabaseConnection connection, VolumeSet volumes, Differences differences)
    {
        ILookup<DateTimeOffset, Volume> byTime = volumes.FileLists.ToLookup(volume => volume.Name.Time);
        HashSet<Volume> matched = [];
        List<(DateTimeOffset Time, string FileListName, long? FilesetId)> found = [];
        using DatabaseQuery query = connection.Query(
            """
            SELECT f."ID", f."Timestamp", substr(r."Name", 1, 300), substr(r."State", 1, 30)
            FROM "Fileset" f LEFT JOIN "Remotevolume" r ON r."ID" = f."VolumeID"
            ORDER BY f."Timestamp" DESC, f."ID" DESC
            """);
        while (query.Read())
        {
            if (found.Count == MaxVersions)
            {
                throw file.Unusable($"The database lists more than {MaxVersions:N0} versions");
            }

            string name = query.IsNull(2) ? $"fileset {query.Number(0)}" : query.Text(2);
            if (!TryTime(query.Number(1), out DateTimeOffset time))
            {
                differences.Add(name, "The database gives an impossible time for this version; it is left out");
                continue;
            }

            Volume? named = FindFileList(name);
            Volume? fileList = named?.Name.Time == time ? named : byTime[time].FirstOrDefault() ?? named;
            if (fileList is null)
            {
                TakeWithoutFileList(time, name, query.Text(3), query.Number(0));
            }
            else if (!matched.Add(fileList))
            {
                differences.Add(fileList.FileName, "The database lists this version more than once; it is one version");
            }
            else
            {
                TakeFileList(fileList, time, VolumeStates.IsFinished(query.Text(3)) ? query.Number(0) : null);
            }
        }

        foreach (Volume fileList in volumes.FileLists.Where(fileList => !matched.Contains(fileList)))
        {
            differences.Add(fileList.FileName, "The database does not know this version; its file list is read instead");
            found.Add((fileList.Name.Time, fileList.FileName, null));
        }

        return [.. found.OrderByDescending(version => version.Time).Select((version, index) =>
            new VersionSource(new BackupVersion(index, version.Time, version.FileListName), version.FilesetId))];

        Volume? FindFileList(string name) => volumes.Find(name) is { Name.Kind: VolumeKind.FileList } volume ? volume : null;

        // The name says when it was: a list is what its version is, whatever the database says.
        void TakeFileList(Volume fileList, DateTimeOffset time, long? filesetId)
        {
            bool isSame = (fileList.Name.Time - time).Duration() < MostRenamed;
            if (!isSame)
            {
                differences.Add(
                    fileList.FileName, $"The database gives this version the time {time:yyyy-MM-dd HH:mm:ss}Z; that of the file list's name counts");
            }

            found.Add((fileList.Name.Time, fileList.FileName, isSame ? filesetId : null));
        }

        void TakeWithoutFileList(DateTimeOffset time, string name, string state, long filesetId)
        {
            if (VolumeStates.IsUnfinished(state))
            {
                differences.Add(
                    name, $"The backup of {time:yyyy-MM-dd HH:mm:ss}Z never ended (its file list is {state} in the database); it cannot be restored");
                return;
            }

            differences.Add(name, "The file list is not in the folder; the entries of its version come from the database");
            found.Add((time, name, filesetId));
        }
    }

    private static bool TryTime(long unixSeconds, out DateTimeOffset time)
    {
        bool isPossible = unixSeconds >= DateTimeOffset.MinValue.ToUnixTimeSeconds() && unixSeconds <= DateTimeOffset.MaxValue.ToUnixTimeSeconds();
        time = isPossible ? DateTimeOffset.FromUnixTimeSeconds(unixSeconds) : default;
        return isPossible;
    }
}

/// <summary>The differences between a database and the folder of its backup: the first few, and the number of the others.</summary>
internal sealed class Differences(string databasePath)
{
    // Enough to recognize the problem; an unrelated database would produce a line for every volume.
    private const int MaxLines = 10;

    private readonly List<RestoreIssue> lines = [];
    private int more;

    public void Add(string path, string reason)
    {
        if (lines.Count < MaxLines)
        {
            lines.Add(new RestoreIssue(IssueKind.Warning, path, reason));
        }
        else
        {
            more++;
        }
    }

    public IReadOnlyList<RestoreIssue> ToIssues() =>
        more == 0 ? lines : [.. lines, new RestoreIssue(IssueKind.Warning, databasePath, $"The database and the folder differ in {more:N0} more ways")];
}
