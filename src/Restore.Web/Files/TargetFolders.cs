using Restore.Browse.Restoring;

namespace Restore.Web.Files;

/// <summary>
/// Where the page may restore to: the folder of the start and those below it, never through a link.
/// It lists folders and makes none.
/// </summary>
internal sealed class TargetFolders(Backup backup, BrowseOptions options) : IRestoreTargets
{
    private const int MaxShown = 1000;
    private const int MaxDepth = 100;

    private static readonly char[] Refused = [.. Path.GetInvalidFileNameChars(), '/', '\\'];

    public string? Root => options.RestoreFolder;

    public bool HasOriginalPlaces => options.AllowOriginalPlaces;

    public bool CanTakeLastGood => Root is not null || HasOriginalPlaces;

    public bool IsFolder(string target) => true;

    public IEnumerable<Route<BrowseCall>> Routes() => [new("GET", "api/targets", ListAsync)];

    /// <summary>The start folder, or a folder below it. It need not exist.</summary>
    /// <param name="relative">Names with a slash between them; empty for the start
    /// folder.</param>
    public string Resolve(string? relative)
    {
        string folder =
            options.RestoreFolder
            ?? throw Refuse("The page may write to no folder: start it again with --restore-path=FOLDER");
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

    /// <summary>A link may be there since the plan was made.</summary>
    public void LookAgain(string target)
    {
        string relative = Path.GetRelativePath(options.RestoreFolder!, target);
        Resolve(relative == "." ? "" : relative.Replace(Path.DirectorySeparatorChar, '/'));
    }

    public async Task<RestorePlan> PlanAsync(RestorePart part, CancellationToken cancellationToken)
    {
        RestoreOptions chosen = part.Options with { Target = part.Target };
        RestorePlan plan = await (
            part.IsLastGood
                ? backup.PlanLastGoodAsync(chosen, cancellationToken: cancellationToken)
                : backup.PlanAsync(part.Version, chosen, null, cancellationToken)
        ).ConfigureAwait(false);
        return part.IsOriginal && options.RefuseTarget?.Invoke(plan.CommonFolder) is string reason
            ? throw Refuse(reason)
            : plan;
    }

    public Task<RestoreReport> RestoreAsync(
        RestorePart part,
        RestorePlan plan,
        ExecuteOptions execution,
        CancellationToken cancellationToken
    ) => backup.ExecuteAsync(plan, execution, cancellationToken);

    private Task ListAsync(BrowseCall call)
    {
        string relative = call.Text("path", MaxDepth * 256);
        string folder = Resolve(relative);
        IEnumerable<DirectoryInfo> below = Directory.Exists(folder)
            ? new DirectoryInfo(folder).EnumerateDirectories()
            : [];
        string[] names = [.. below.Where(one => !IsLink(one)).Select(one => one.Name).Order(StringComparer.Ordinal)];
        return call.WriteAsync(
            new TargetAnswer(folder, [.. names.Take(MaxShown)], names.Length, options.FreeBytesAt?.Invoke(folder)),
            WebJson.Default.TargetAnswer
        );
    }

    /// <summary>
    /// Folders of a cloud's client (OneDrive) are reparse points of Windows too, and lead nowhere
    /// else.
    /// </summary>
    private static bool IsLink(FileSystemInfo there) => there.LinkTarget is not null;

    private static CallException Refuse(string reason) => new(CallStatus.Conflict, reason);
}
