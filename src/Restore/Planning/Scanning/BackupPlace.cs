namespace Restore.Planning.Scanning;

/// <summary>
/// Where the folder of the backup is in the target. A restore there could replace a volume by an
/// earlier one of the same name.
/// </summary>
internal sealed class BackupPlace
{
    // The limit of Linux; links in a circle would be followed without end.
    private const int MaxLinks = 40;

    private const string DevicePrefix = @"\\?\";

    private readonly string location;
    private readonly bool ignoresCase;

    // Target paths; the empty path is the whole target.
    private readonly byte[][] places;

    private BackupPlace(string location, string[] places, bool ignoresCase)
    {
        this.location = location;
        this.ignoresCase = ignoresCase;
        this.places = [.. places.Select(Encoding.UTF8.GetBytes)];
    }

    /// <summary>Finds the backup in the target; null if it is elsewhere.</summary>
    /// <param name="location">The folder of the backup. Other stores have no place in common with a
    /// target.</param>
    /// <param name="target">The folder of the target; null for the original places.</param>
    public static BackupPlace? Find(string location, string? target, bool ignoresCase)
    {
        if (!Directory.Exists(location))
        {
            return null;
        }

        // No restore follows a link below the target, so the folders on the way need no look.
        string full = Path.GetFullPath(location);
        string[] places =
        [
            .. new[]
            {
                PlaceIn(target is null ? null : Path.GetFullPath(target), full),
                PlaceIn(target is null ? null : Real(Path.GetFullPath(target)), Real(full)),
            }
                .OfType<string>()
                .Distinct(),
        ];
        return places.Length == 0 ? null : new BackupPlace(location, places, ignoresCase);
    }

    /// <summary>
    /// Says why nothing is restored to a target path; null if the backup is not there.
    /// </summary>
    public string? Refuse(ReadOnlySpan<byte> path)
    {
        foreach (byte[] place in places)
        {
            if (IsIn(path, place))
            {
                return $"Its place is in the folder of the backup ({location}), where it could replace a volume: choose another target for it";
            }
        }

        return null;
    }

    private bool IsIn(ReadOnlySpan<byte> path, ReadOnlySpan<byte> place)
    {
        if (place.IsEmpty || path.StartsWith(place))
        {
            return place.IsEmpty || path.Length == place.Length || path[place.Length] == '/';
        }

        // A name can have another length in the other case, or with its accents taken apart.
        return ignoresCase && (Folded(path) + "/").StartsWith(Folded(place) + "/", StringComparison.OrdinalIgnoreCase);
    }

    private static string Folded(ReadOnlySpan<byte> path) => Encoding.UTF8.GetString(path).Normalize();

    /// <summary>The target path of a folder; null if it is not in the target.</summary>
    private static string? PlaceIn(string? target, string folder)
    {
        if (target is null)
        {
            folder = folder.StartsWith(DevicePrefix, StringComparison.Ordinal) ? folder[DevicePrefix.Length..] : folder;
            string place = OperatingSystem.IsWindows() ? folder.Replace('\\', '/') : folder;
            return (place.StartsWith("//", StringComparison.Ordinal) ? "UNC" + place[1..] : place).Trim('/');
        }

        string relative = Path.GetRelativePath(target, folder);
        return relative == "." ? ""
            : relative == ".."
            || relative.StartsWith(".." + Path.DirectorySeparatorChar, StringComparison.Ordinal)
            || Path.IsPathRooted(relative)
                ? null
            : relative.Replace(Path.DirectorySeparatorChar, '/').Trim('/');
    }

    /// <summary>
    /// The path without links; what does not exist or cannot be looked at counts as no link.
    /// </summary>
    private static string Real(string path, int links = 0)
    {
        string real = Path.GetPathRoot(path)!;
        foreach (
            string name in path[real.Length..].Split(Path.DirectorySeparatorChar, StringSplitOptions.RemoveEmptyEntries)
        )
        {
            real = Path.Join(real, name);
            if (links < MaxLinks && LinkAt(real) is string target)
            {
                real = Real(Path.GetFullPath(target), links + 1);
            }
        }

        return real;
    }

    private static string? LinkAt(string path)
    {
        try
        {
            return new DirectoryInfo(path).ResolveLinkTarget(returnFinalTarget: false)?.FullName;
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            return null;
        }
    }
}
