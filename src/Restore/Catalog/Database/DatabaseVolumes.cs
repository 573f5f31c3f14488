using Restore.Format;

namespace Restore.Catalog.Database;

/// <summary>Matches the volumes that a database knows with those that are in the folder.</summary>
internal static class DatabaseVolumes
{
    /// <returns>The block volumes that are in the folder, by their number in the database.</returns>
    public static Dictionary<long, int> Read(DatabaseConnection connection, VolumeSet volumes, Differences differences)
    {
        Dictionary<string, Volume> byName = volumes.All.ToDictionary(volume => volume.FileName);
        HashSet<Volume> known = [];
        Dictionary<long, int> blockVolumes = [];
        using DatabaseQuery query = connection.Query("SELECT \"ID\", substr(\"Name\", 1, 300), \"Size\", substr(\"State\", 1, 30) FROM \"Remotevolume\" ORDER BY \"ID\"");
        while (query.Read())
        {
            string name = query.Text(1);
            Volume? volume = byName.GetValueOrDefault(name) ?? volumes.FindBlocks(name);
            Compare(name, volume, query.IsNull(2) ? -1 : query.Number(2), query.Text(3), differences);
            if (volume is null)
            {
                continue;
            }

            known.Add(volume);
            if (volume.Name.Kind == VolumeKind.Block)
            {
                blockVolumes[query.Number(0)] = volume.Id;
            }
        }

        // File lists that it does not know are versions that it does not know, and told as such.
        foreach (Volume volume in volumes.All.Where(volume => volume.Name.Kind != VolumeKind.FileList && !known.Contains(volume)))
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
            // A version whose file list is missing is told as such.
            if (isFinished && !(VolumeName.TryParse(name, out VolumeName parsed) && parsed.Kind == VolumeKind.FileList))
            {
                differences.Add(name, $"The volume is {state} in the database, and not in the folder");
            }
        }
        else if (!isFinished)
        {
            differences.Add(name, $"The volume is in the folder, and {(state.Length == 0 ? "of no state" : state)} in the database");
        }
        else if (sizeBytes >= 0 && sizeBytes != volume.SizeBytes)
        {
            differences.Add(name, $"The volume is {volume.SizeBytes:N0} bytes long, and {sizeBytes:N0} in the database");
        }
    }
}
