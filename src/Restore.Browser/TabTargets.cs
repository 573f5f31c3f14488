using Restore.Browse.Restoring;

namespace Restore.Browser;

/// <summary>A tab restores to a zip, one for each version, which the browser saves like a download.</summary>
internal sealed partial class TabTargets(Backup backup) : IRestoreTargets
{
    public string? Root => "a zip file";

    /// <summary>A zip that is not finished is gone.</summary>
    public bool CanPause => false;

    public string Resolve(string? relative) => Root!;

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
}
