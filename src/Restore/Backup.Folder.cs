using Restore.Planning.Paths;
using Restore.Streams;

namespace Restore;

/// <content>Exports entries to a folder that is not a folder of this system.</content>
public partial class Backup
{
    /// <summary>
    /// Writes entries of a version into a folder of your own. A file that already exists with the
    /// same content stays as it is. A file with other content is replaced if it is empty or if the
    /// options say so; otherwise the new file gets a name with the date and is written next to it.
    /// Lost bytes of a file are zeros in it. A file with lost bytes never replaces an existing
    /// file, and a file that lost all its bytes is not written. The folder keeps no times,
    /// permissions or links.
    /// </summary>
    /// <param name="version">One of <see cref="Versions"/>.</param>
    /// <param name="folder">Receives the entries.</param>
    /// <param name="options">Which entries to select, and how.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    /// <returns>What is in the folder, and what is lost.</returns>
    /// <exception cref="RestoreException">Nothing is selected, the file list cannot be read, the
    /// passphrase is wrong, or the store is lost.</exception>
    public virtual async Task<ExportReport> ExportFolderAsync(
        BackupVersion version,
        IExportFolder folder,
        FolderExportOptions? options = null,
        CancellationToken cancellationToken = default
    )
    {
        ArgumentNullException.ThrowIfNull(version);
        ArgumentNullException.ThrowIfNull(folder);
        options ??= new FolderExportOptions();
        (TargetRules rules, RenameRule renaming) = RulesOf(version, options);
        PathMapper mapper = new(
            new RestoreOptions
            {
                Target = "",
                Filter = options.Filter,
                DontCompressRestorePaths = options.FullPaths,
            },
            rules
        );
        FolderSink? sink = null;
        ExportReport report = await RestoreTelemetry
            .WatchAsync(
                "Export",
                _ =>
                    ExportEntriesAsync(
                        version,
                        () =>
                            sink = new FolderSink(
                                folder,
                                mapper.Complete(),
                                new TargetNames(rules),
                                renaming,
                                options.Overwrite
                            ),
                        new ExportOptions
                        {
                            Filter = options.Filter,
                            Progress = options.Progress,
                            Pause = options.Pause,
                        },
                        mapper.Observe,
                        cancellationToken
                    )
            )
            .ConfigureAwait(false);
        ExportReport complete = sink?.Complete(report) ?? report;
        return complete with
        {
            FilesUnchanged = sink?.Unchanged.Files ?? 0,
            BytesUnchanged = sink?.Unchanged.Bytes ?? 0,

            // The folder keeps no metadata, so lost metadata of a sound file is not a loss here.
            Issues = [.. complete.Issues.Where(issue => issue.Kind != IssueKind.Metadata)],
        };
    }

    /// <summary>
    /// Makes a plan of what <see cref="ExportFolderAsync"/> will do to a folder: the files that
    /// stay (<see cref="RestorePlan.FilesUnchanged"/>) and the files that are replaced
    /// (<see cref="RestorePlan.FilesReplaced"/>); the issues name the files that get another name.
    /// Reads the existing files that have the right length, but no contents of the backup, so a
    /// loss that only the contents show can change the result. Writes nothing;
    /// <see cref="ExecuteAsync"/> makes it a drill.
    /// </summary>
    /// <param name="version">One of <see cref="Versions"/>.</param>
    /// <param name="folder">The folder to look at.</param>
    /// <param name="options">The options of the export.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    /// <returns>The plan.</returns>
    /// <exception cref="RestoreException">Nothing is selected, the file list cannot be read, or the
    /// passphrase is wrong.</exception>
    public virtual Task<RestorePlan> PlanFolderAsync(
        BackupVersion version,
        IExportFolder folder,
        FolderExportOptions? options = null,
        CancellationToken cancellationToken = default
    )
    {
        ArgumentNullException.ThrowIfNull(version);
        ArgumentNullException.ThrowIfNull(folder);
        options ??= new FolderExportOptions();
        (TargetRules rules, RenameRule renaming) = RulesOf(version, options);
        RestoreOptions selected = new()
        {
            VerifyOnly = true,
            Filter = options.Filter,
            DontCompressRestorePaths = options.FullPaths,
        };
        ExecuteOptions execution = new() { Progress = options.Progress };
        return RestoreTelemetry.WatchAsync(
            "Plan",
            _ => MakePlanAsync(selected, execution, LookAsync, cancellationToken, rules)
        );

        async Task<RestorePlan> LookAsync(PlanBuilder builder)
        {
            RestorePlan drill = await builder.BuildAsync(version, cancellationToken).ConfigureAwait(false);
            FolderLook look = new(folder, rules, renaming, options.Overwrite, Pool);
            PassPlan pass = await look.LookAsync(drill.Pass, cancellationToken).ConfigureAwait(false);
            return drill.With(
                pass,
                [.. drill.PlanningIssues.Where(issue => issue.Kind != IssueKind.Metadata), .. look.Issues]
            );
        }
    }

    private (TargetRules Rules, RenameRule Renaming) RulesOf(BackupVersion version, FolderExportOptions options) =>
        (
            new TargetRules(options.WindowsNames, !options.IgnoresCase),
            new RenameRule(version.Time, Session.Options.TimeProvider.LocalTimeZone)
        );
}
