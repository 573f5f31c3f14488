namespace Restore.Catalog.Database;

/// <summary>
/// What a database says about the backup as a whole, matched with the existing volumes.
/// </summary>
internal sealed record DatabaseOverview(
    long SchemaVersion,
    BlockLayout Layout,
    IReadOnlyList<VersionSource> Versions,
    IReadOnlyDictionary<long, VolumeId> BlockVolumes,
    IReadOnlyList<RestoreIssue> Issues
)
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
                file.DisplayPath
            );
        }

        Differences differences = new(file.DisplayPath);
        if (settings.GetValueOrDefault("repair-in-progress") == "true")
        {
            differences.Add(
                file.DisplayPath,
                "Duplicati was interrupted while it repaired the database; parts of it may be missing"
            );
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
            """
        );
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
        return
            int.TryParse(size, NumberStyles.None, CultureInfo.InvariantCulture, out int blockSizeBytes)
            && blockSizeBytes >= Manifest.MinBlockSizeBytes
            && HashKinds.TryParse(blockHash, out HashKind blockHashKind)
            && HashKinds.TryParse(fileHash, out HashKind fileHashKind)
            ? new BlockLayout(blockSizeBytes, blockHashKind, fileHashKind)
            : throw file.Unusable(
                $"The database gives the block size \"{size}\", the block hash \"{blockHash}\" and the file hash \"{fileHash}\", which cannot be"
            );
    }
}

/// <summary>
/// A version and the place of its entries: a fileset of the database, or null for a file list in
/// the folder.
/// </summary>
internal sealed record VersionSource(BackupVersion Version, long? FilesetId);
