namespace Restore.Web.Restoring;

/// <summary>Where the page may restore to: the folder of the start and those below it, never through a link. It lists folders and makes none.</summary>
internal sealed class TargetFolders(BrowseOptions options)
{
    private const int MaxShown = 1000;
    private const int MaxDepth = 100;

    private static readonly char[] Refused = [.. Path.GetInvalidFileNameChars(), '/', '\\'];

    public IEnumerable<Route> Routes() => [new("GET", "api/targets", context => ListAsync(context))];

    /// <summary>The folder below that of the start; it need not exist.</summary>
    /// <param name="relative">Names with a slash between them; empty for the folder of the start.</param>
    public string Resolve(string? relative)
    {
        string folder = options.RestoreFolder
            ?? throw Refuse("The page may write nothing: start it again with --restore-path=FOLDER");
        string[] names = (relative ?? "").Split('/', StringSplitOptions.RemoveEmptyEntries);
        foreach (string name in names.Length > MaxDepth ? throw Refuse("The folder is too deep") : names)
        {
            if (name is "." or ".." || name.IndexOfAny(Refused) >= 0)
            {
                throw Refuse($"'{name}' cannot be the name of a folder");
            }

            folder = Path.Join(folder, name);
            FileInfo there = new(folder);
            if (IsLink(there))
            {
                throw Refuse($"{folder} is a link, which may lead out of {options.RestoreFolder}");
            }

            if (there.Exists)
            {
                throw Refuse($"{folder} is a file");
            }
        }

        return options.RefuseTarget?.Invoke(folder) is string reason ? throw Refuse(reason) : folder;
    }

    private Task ListAsync(HttpContext context)
    {
        string relative = Query.Text(context, "path", MaxDepth * 256);
        string folder = Resolve(relative);
        IEnumerable<DirectoryInfo> below = Directory.Exists(folder) ? new DirectoryInfo(folder).EnumerateDirectories() : [];
        string[] names = [.. below.Where(one => !IsLink(one)).Select(one => one.Name).Order(StringComparer.Ordinal)];
        return Answer.WriteAsync(
            context, new TargetAnswer(folder, [.. names.Take(MaxShown)], names.Length, FreeBytesAt(folder)), WebJson.Default.TargetAnswer);
    }

    private static bool IsLink(FileSystemInfo there) => there.Attributes != (FileAttributes)(-1) && there.Attributes.HasFlag(FileAttributes.ReparsePoint);

    private static long? FreeBytesAt(string folder)
    {
        try
        {
            string? there = folder;
            while (there is not null && !Directory.Exists(there))
            {
                there = Path.GetDirectoryName(there);
            }

            return there is null ? null : new DriveInfo(there).AvailableFreeSpace;
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException or ArgumentException)
        {
            return null;
        }
    }

    private static RequestException Refuse(string reason) => new(StatusCodes.Status409Conflict, reason);
}

/// <summary>A folder that can be restored to, the first names of the folders in it, how many there are, and the room on its device if that is known.</summary>
internal sealed record TargetAnswer(string Folder, IReadOnlyList<string> Folders, int Total, long? FreeBytes);
