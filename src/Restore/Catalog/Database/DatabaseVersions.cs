namespace Restore.Catalog.Database;

/// <summary>Lists the versions that the database or the folder has, newest first.</summary>
internal static class DatabaseVersions
{
    // A version every hour for eleven years.
    private const int MaxVersions = 100_000;

    // A list that could not be written gets a name some seconds later; the database keeps the time
    // of the version.
    private static readonly TimeSpan MostRenamed = TimeSpan.FromMinutes(1);

    public static List<VersionSource> Read(
        DatabaseFile file,
        DatabaseConnection connection,
        VolumeSet volumes,
        Differences differences
    )
    {
        ILookup<DateTimeOffset, Volume> byTime = volumes.FileLists.ToLookup(volume => volume.Name.Time);
        HashSet<Volume> matched = [];
        List<(DateTimeOffset Time, string FileListName, long? FilesetId)> found = [];
        using DatabaseQuery query = connection.Query(
            """
            SELECT f."ID", f."Timestamp", substr(r."Name", 1, 300), substr(r."State", 1, 30)
            FROM "Fileset" f LEFT JOIN "Remotevolume" r ON r."ID" = f."VolumeID"
            ORDER BY f."Timestamp" DESC, f."ID" DESC
            """
        );
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
            differences.Add(
                fileList.FileName,
                "The database does not know this version; its file list is read instead"
            );
            found.Add((fileList.Name.Time, fileList.FileName, null));
        }

        return
        [
            .. found
                .OrderByDescending(version => version.Time)
                .Select(
                    (version, index) =>
                        new VersionSource(
                            new BackupVersion(index, version.Time, version.FileListName),
                            version.FilesetId
                        )
                ),
        ];

        Volume? FindFileList(string name) =>
            volumes.Find(name) is { Name.Kind: VolumeKind.FileList } volume ? volume : null;

        // The time in the name counts: a file list defines its version, whatever the database says.
        void TakeFileList(Volume fileList, DateTimeOffset time, long? filesetId)
        {
            bool isSame = (fileList.Name.Time - time).Duration() < MostRenamed;
            if (!isSame)
            {
                differences.Add(
                    fileList.FileName,
                    $"The database gives this version the time {time:yyyy-MM-dd HH:mm:ss}Z; that of the file list's name counts"
                );
            }

            found.Add((fileList.Name.Time, fileList.FileName, isSame ? filesetId : null));
        }

        void TakeWithoutFileList(DateTimeOffset time, string name, string state, long filesetId)
        {
            if (VolumeStates.IsUnfinished(state))
            {
                differences.Add(
                    name,
                    $"The backup of {time:yyyy-MM-dd HH:mm:ss}Z never ended (its file list is {state} in the database); it cannot be restored"
                );
                return;
            }

            differences.Add(
                name,
                "The file list is not in the folder; the entries of its version come from the database"
            );
            found.Add((time, name, filesetId));
        }
    }

    private static bool TryTime(long unixSeconds, out DateTimeOffset time)
    {
        bool isPossible =
            unixSeconds >= DateTimeOffset.MinValue.ToUnixTimeSeconds()
            && unixSeconds <= DateTimeOffset.MaxValue.ToUnixTimeSeconds();
        time = isPossible ? DateTimeOffset.FromUnixTimeSeconds(unixSeconds) : default;
        return isPossible;
    }
}
