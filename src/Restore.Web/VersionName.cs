using System.Globalization;

namespace Restore.Web;

/// <summary>Versions as names of folders: their times, in UTC, with characters that every system allows.</summary>
internal static class VersionName
{
    public static IReadOnlyList<string> Of(IReadOnlyList<BackupVersion> versions)
    {
        string[] names = [.. versions.Select(version => version.Time.UtcDateTime.ToString("yyyy-MM-dd'T'HHmmss'Z'", CultureInfo.InvariantCulture))];
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
