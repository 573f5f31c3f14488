namespace Restore.Browse;

/// <summary>
/// Versions as names of files and folders, with a number where two have the same name.
/// </summary>
internal static class VersionName
{
    /// <summary>By <see cref="Backup.FolderNameOf"/>, which is the same in every time zone.</summary>
    public static IReadOnlyList<string> Of(IReadOnlyList<BackupVersion> versions) => Of(versions, Backup.FolderNameOf);

    /// <summary>
    /// By the time that a clock on the wall showed, such as <c>2026-01-31 12-00</c>: a colon cannot
    /// be in a name everywhere.
    /// </summary>
    public static IReadOnlyList<string> Of(IReadOnlyList<BackupVersion> versions, TimeZoneInfo zone) =>
        Of(
            versions,
            version =>
                TimeZoneInfo.ConvertTime(version.Time, zone).ToString("yyyy-MM-dd HH-mm", CultureInfo.InvariantCulture)
        );

    private static string[] Of(IReadOnlyList<BackupVersion> versions, Func<BackupVersion, string> nameOf)
    {
        string[] names = [.. versions.Select(nameOf)];
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
