namespace Restore.Catalog.Database;

internal static class DatabaseVolumes
{
    /// <exception cref="RestoreException">The database belongs to another backup.</exception>
    public static Dictionary<long, VolumeId> Read(
        DatabaseFile file,
        DatabaseConnection connection,
        VolumeSet volumes,
        Differences differences
    )
    {
        long finished = 0;
        HashSet<Volume> known = [];
        bool hasSuccessor = false;
        Dictionary<long, VolumeId> blockVolumes = [];
        using DatabaseQuery query = connection.Query(
            "SELECT \"ID\", substr(\"Name\", 1, 300), \"Size\", substr(\"State\", 1, 30) FROM \"Remotevolume\" ORDER BY \"ID\""
        );
        while (query.Read())
        {
            string name = query.Text(1);
            Volume? volume = volumes.Find(name) ?? volumes.FindBlocks(name);
            finished += VolumeStates.IsFinished(query.Text(3)) ? 1 : 0;
            Compare(name, volume, query.IsNull(2) ? -1 : query.Number(2), query.Text(3), differences);
            if (volume is null)
            {
                hasSuccessor = hasSuccessor || (SuccessorName.Of(name) is { } next && volumes.Find(next) is not null);
                continue;
            }

            known.Add(volume);
            if (volume.Name.Kind == VolumeKind.Block)
            {
                blockVolumes[query.Number(0)] = volume.Id;
            }
        }

        // Each volume has another name after the passphrase was changed, and the database is still
        // of this backup.
        if (known.Count == 0 && !hasSuccessor && finished > 0)
        {
            throw new RestoreException(
                RestoreErrorCode.DatabaseMismatch,
                $"The database belongs to another backup: none of the {finished:N0} volumes it lists is in the folder",
                file.DisplayPath
            );
        }

        // File lists that the database does not know are versions that it does not know, and are
        // reported as such.
        foreach (
            Volume volume in volumes.All.Where(volume =>
                volume.Name.Kind != VolumeKind.FileList && !known.Contains(volume)
            )
        )
        {
            differences.Add(volume.FileName, "The database does not know this volume");
        }

        return blockVolumes;
    }

    private static void Compare(string name, Volume? volume, long sizeBytes, string state, Differences differences)
    {
        bool isFinished = VolumeStates.IsFinished(state);
        if (volume is null)
        {
            // A version without its file list is reported as such.
            if (isFinished && !(VolumeName.TryParse(name, out VolumeName parsed) && parsed.Kind == VolumeKind.FileList))
            {
                differences.Add(name, $"The volume is {state} in the database, and not in the folder");
            }
        }
        else if (!isFinished)
        {
            differences.Add(
                name,
                $"The volume is in the folder, and {(state.Length == 0 ? "of no state" : state)} in the database"
            );
        }
        else if (sizeBytes >= 0 && sizeBytes != volume.SizeBytes)
        {
            differences.Add(
                name,
                $"The volume is {volume.SizeBytes:N0} bytes long, and {sizeBytes:N0} in the database"
            );
        }
    }
}
