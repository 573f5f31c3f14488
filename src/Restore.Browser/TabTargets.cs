using Restore.Browse.Restoring;

namespace Restore.Browser;

/// <summary>
/// A tab restores to a zip, one for each version, which the browser saves like a download; or into
/// a folder that the user gives.
/// </summary>
internal sealed partial class TabTargets(Backup backup) : IRestoreTargets
{
    // Memory that was used before takes less time than fresh memory, and a block that is needed
    // again is read from the disk again.
    private const long CacheBytes = 16 << 20;

    private const string NoTimes = "Times, permissions and links cannot be set from a browser; a zip has them";

    public string? Root => "a zip file";

    /// <summary>A tab does not reach them.</summary>
    public bool HasOriginalPlaces => false;

    /// <summary>An export takes one version.</summary>
    public bool CanTakeLastGood => false;

    /// <summary>
    /// A zip that is not finished is gone. In a folder what is there stays as it is.
    /// </summary>
    public bool IsFolder(string target) => target != Root;

    public string Resolve(string? relative) => string.IsNullOrEmpty(relative) || relative[0] == '/' ? Root! : relative;

    public void LookAgain(string target)
    {
        if (IsFolder(target) && target.Split('/')[0] != TargetName())
        {
            throw new CallException(CallStatus.Conflict, "Another folder was given since: make the plan again");
        }
    }

    public Task<RestorePlan> PlanAsync(RestorePart part, CancellationToken cancellationToken) =>
        IsFolder(part.Target!)
            ? backup.PlanFolderAsync(part.Version, new TabFolder(part.Target!), OptionsOf(part), cancellationToken)
            : backup.PlanAsync(part.Version, part.Options with { VerifyOnly = true }, null, cancellationToken);

    public async Task<RestoreReport> RestoreAsync(
        RestorePart part,
        RestorePlan plan,
        ExecuteOptions options,
        CancellationToken cancellationToken
    )
    {
        ExportReport report = IsFolder(part.Target!)
            ? await FillFolderAsync(part, options, cancellationToken).ConfigureAwait(false)
            : await SaveZipAsync(part, options, cancellationToken).ConfigureAwait(false);
        return new RestoreReport
        {
            Version = plan.Version,
            Target = IsFolder(part.Target!) ? part.Target : part.ZipName,
            FilesRestored = report.Files,
            FilesUnchanged = report.FilesUnchanged,
            FoldersRestored = report.Folders,
            SymlinksRestored = report.Symlinks,
            BytesRestored = report.Bytes,
            BytesReused = report.BytesUnchanged,
            BytesWritten = report.Bytes - report.BytesUnchanged,
            BytesFetched = report.BytesFetched,
            Elapsed = report.Elapsed,
            Issues = report.Issues,
        };
    }

    private async Task<ExportReport> SaveZipAsync(
        RestorePart part,
        ExecuteOptions options,
        CancellationToken cancellationToken
    )
    {
        ExportOptions export = new()
        {
            Filter = part.Options.Filter,
            Progress = options.Progress,
            Pause = options.Pause,
            ArchiveRoot = part.FolderAbove,
            Compresses = false,
            CacheMaxBytes = CacheBytes,
        };
        JSObject output = CreateDownload(part.ZipName);
        await using TabOutput zip = new(output);
        ExportReport report = await backup
            .ExportArchiveAsync(part.Version, zip, ArchiveFormat.Zip, export, cancellationToken)
            .ConfigureAwait(false);
        await zip.FlushAsync(cancellationToken).ConfigureAwait(false);
        await Save(output).ConfigureAwait(false);
        return report;
    }

    private async Task<ExportReport> FillFolderAsync(
        RestorePart part,
        ExecuteOptions options,
        CancellationToken cancellationToken
    )
    {
        FolderExportOptions export = OptionsOf(part) with { Progress = options.Progress, Pause = options.Pause };
        ExportReport report = await backup
            .ExportFolderAsync(part.Version, new TabFolder(part.Target!), export, cancellationToken)
            .ConfigureAwait(false);
        return report with
        {
            Issues = [.. report.Issues, new RestoreIssue(IssueKind.Warning, $"{part.Target}/*", NoTimes)],
        };
    }

    private static FolderExportOptions OptionsOf(RestorePart part) =>
        new()
        {
            Filter = part.Options.Filter,
            Overwrite = part.Options.Overwrite,
            FullPaths = part.Options.DontCompressRestorePaths,

            // On every system a browser takes only names that all systems take.
            WindowsNames = true,
            IgnoresCase = IgnoresCase(),
        };

    [JSImport("createDownload", "restore-output")]
    private static partial JSObject CreateDownload(string name);

    [JSImport("save", "restore-output")]
    private static partial Task Save(JSObject output);

    [JSImport("name", "restore-target")]
    private static partial string TargetName();

    [JSImport("ignoresCase", "restore-target")]
    private static partial bool IgnoresCase();
}
