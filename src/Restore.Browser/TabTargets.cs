using Restore.Browse.Restoring;

namespace Restore.Browser;

/// <summary>Where a tab can restore to: a zip that the browser saves, or a folder that the user has chosen.</summary>
internal sealed partial class TabTargets(Backup backup) : IRestoreTargets
{
    public string? Root => "a zip file";

    /// <summary>What a zip or a file of a browser has so far is gone when it is not finished.</summary>
    public bool CanPause => false;

    /// <summary>The folder is one that the page has set, by its name; none is a zip.</summary>
    public string Resolve(string? relative) =>
        relative is { Length: > 0 } path && HasFolder(path.Split('/')[0]) ? path : Root!;

    public void LookAgain(string target)
    {
    }

    public RestoreOptions At(string target, RestoreOptions options) => options with { VerifyOnly = true };

    public async Task<RestoreReport> RestoreAsync(RestorePart part, RestorePlan plan, ExecuteOptions options, CancellationToken cancellationToken)
    {
        ExportOptions export = new() { Filter = part.Options.Filter, Progress = options.Progress };
        JSObject output = CreateDownload($"restored-{Backup.FolderNameOf(plan.Version)}.zip");
        await using TabOutput zip = new(output);
        ExportReport report = await backup.ExportArchiveAsync(plan.Version, zip, ArchiveFormat.Zip, export, cancellationToken).ConfigureAwait(false);
        await zip.FlushAsync(cancellationToken).ConfigureAwait(false);
        Save(output);
        return new RestoreReport
        {
            Version = plan.Version,
            Target = part.Target,
            FilesRestored = report.Files,
            FoldersRestored = report.Folders,
            SymlinksRestored = report.Symlinks,
            BytesRestored = report.Bytes,
            BytesWritten = report.Bytes,
            BytesFetched = report.BytesFetched,
            Elapsed = report.Elapsed,
            Issues = report.Issues,
        };
    }

    [JSImport("createDownload", "restore-output")]
    private static partial JSObject CreateDownload(string name);

    [JSImport("save", "restore-output")]
    private static partial void Save(JSObject output);

    [JSImport("hasFolder", "restore-output")]
    private static partial bool HasFolder(string name);
}
