namespace Restore.Browse;

/// <summary>
/// Versions as names of folders: <see cref="Backup.FolderNameOf"/>, with a number where two have
/// the same time.
/// </summary>
internal static class VersionName
{
    public static IReadOnlyList<string> Of(IReadOnlyList<BackupVersion> versions)
    {
        string[] names = [.. versions.Select(Backup.FolderNameOf)];
        HashSet<string> taken = [];
        for (int i = 0; i < names.Length; i++)
        {
            if (!taken.Add(names[i]))
            {
                names[i] += $"-{versions[i].Index}";
                taken.Add(names[i]);
            }
        }

        return names;
    }
}
