using Microsoft.Extensions.Logging;
using Restore.Interop;
using Restore.Mount;

namespace Restore.Cli.Commands;

internal sealed class MountCommand(SharedOptions shared) : ICliCommand
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(3);

    private readonly Option<bool> allowOther = Declare.Flag(
        "--allow-other",
        "Let other users see the mount too, as far as owner and mode of each entry in the backup let them"
    );

    private readonly Option<long?> blockCache = Declare.Size(
        "--block-cache",
        "mb",
        "1mb",
        "64tb",
        "128mb",
        "Bytes of blocks kept in memory for all open files, at most an eighth of the memory"
    );

    private readonly Option<bool> daemon = Declare.Flag(
        "--daemon",
        "Go to the background when it is mounted, until umount or a SIGTERM; what happens then is in --log-file alone"
    );

    public string Name => "mount";

    public string Summary => "show the backup as a read-only folder, until Ctrl-C";

    public IReadOnlyList<Operand> Operands =>
        [
            Operand.Storage,
            new Operand("<folder>", "an empty folder, where the backup appears"),
            new Operand("[path]", "only this folder, by its original path, of the version"),
        ];

    public IReadOnlyList<OptionGroup> Options =>
        [new("Mount", [allowOther, blockCache, daemon]), shared.Version, shared.Access, shared.Output, shared.Program];

    public IReadOnlyList<string> Examples =>
        [
            "restore mount /mnt/backup /mnt/versions",
            "restore mount /mnt/backup /mnt/photos /home/ann/photos --version=3 --daemon",
            "restore mount s3://bucket/folder /mnt/versions --cache-dir=/home/ann/cache",
        ];

    public bool HasNoDryRun => true;

    public bool LeavesLog(CommandLine line) => line.Value(daemon) && !MountDaemon.IsThis(line.Environment);

    public Task<int> RunAsync(CommandContext context)
    {
        if (context.Request.Operands is not ([_] or [_, _]))
        {
            throw new UsageException(
                "Name the backup and one folder to mount on, and after it at most one folder of the backup"
            );
        }

        // Before the backup is opened: an unusable folder must not cost a question for the
        // passphrase first.
        var path = MountPoint.Check(context.Request.Operands[0]);
        if (LeavesLog(context.Line))
        {
            return MountDaemon.StartAsync(context);
        }

        var isDaemon = context.Line.Value(daemon);
        if (isDaemon)
        {
            MountDaemon.LeaveTerminal();
        }

        return context.WithOpenerAsync(async open =>
        {
            var warnings = new MountWarnings(
                isDaemon ? sentence => context.Logger.LogWarning("{Sentence}", sentence) : context.Messages.WriteLine
            );
            var memory = new BlockMemory(context.Line.Value(blockCache));
            var settings = new MountSettings(open, memory, warnings.Add, context.Environment.Clock)
            {
                UserId = Libc.GetEUid(),
                GroupId = MountLibc.GetEGid(),
            };
            await using var backup = new MountedBackup(await open(context.Environment.StopToken), settings);
            await ReadNewestAsync(backup, warnings, context.Environment.StopToken);
            var files = await FilesAsync(context, backup, new MountedFiles(backup, settings));
            using var mount = MountPoint.Mount(path, context.Line.Value(allowOther));
            using var server = new FuseServer(mount.Device, files, warnings.Add);
            var unmounted = server.Start();

            // Unmount runs in the thread that cancels the token, which must not run the rest of the
            // command too.
            var stopped = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            if (isDaemon)
            {
                MountDaemon.TellReady(context, path);
            }
            else if (!context.Request.Quiet)
            {
                context.Messages.WriteLine($"Mounted on {path}; Ctrl-C unmounts");
            }

            await using var stop = context.Environment.StopToken.Register(Unmount);
            await EndAsync(mount, unmounted, stopped.Task, context.Environment);
            return ExitCodes.Complete;

            void Unmount()
            {
                mount.Dispose();
                stopped.TrySetResult();
            }
        });
    }

    /// <summary>All versions, or the one that was named, or a folder of it.</summary>
    private static async Task<IMountedFiles> FilesAsync(CommandContext context, MountedBackup backup, MountedFiles all)
    {
        var path = context.Request.Operands.ElementAtOrDefault(1);
        if (path is null && context.Request is { Version: null, Time: null })
        {
            return all;
        }

        var chosen = context.ChooseVersion(backup.Newest.Backup.Backup);
        var version = backup.Versions.Single(version => version.Version.FileListName == chosen.FileListName);
        var (stop, root) = (context.Environment.StopToken, MountedFiles.FolderOf(version));
        var found = await RootedFiles.FindAsync(all, root, EntryLookup.Written(path ?? ""), stop);
        if (
            found is null
            && await EntryLookup.ToPathAsync(context, backup.Newest.Backup.Backup, [chosen], path ?? "") is { } other
        )
        {
            found = await RootedFiles.FindAsync(all, root, other, stop);
        }

        return found is { IsFolder: true } folder
            ? new RootedFiles(all, folder.Node)
            : throw new CommandException(
                ExitCodes.NotFound,
                $"There is no folder {path} in the version of {Units.Time(chosen.Time, context.Environment.Clock)}",
                "'restore ls' lists the folders, 'restore cat' prints a file"
            );
    }

    /// <summary>
    /// Waits for the end. A program with an open file keeps a file system alive that fusermount3
    /// has unmounted; then the end of this process ends it.
    /// </summary>
    private static async Task EndAsync(MountPoint mount, Task unmounted, Task stopped, CliEnvironment environment)
    {
        if (
            await Task.WhenAny(unmounted, stopped).WaitAsync(environment.CancellationToken) == unmounted
            && !stopped.IsCompleted
        )
        {
            // Another program has unmounted the folder. What is mounted there now is not ours to
            // unmount.
            mount.Forget();
            return;
        }

        try
        {
            await unmounted.WaitAsync(Patience, environment.Clock, environment.CancellationToken);
        }
        catch (TimeoutException)
        {
            // Programs that use it get errors from now on.
        }
    }

    /// <summary>
    /// Reads the list of the newest version, so that a wrong passphrase is noticed while the user
    /// can still answer.
    /// </summary>
    private static async Task ReadNewestAsync(
        MountedBackup backup,
        MountWarnings warnings,
        CancellationToken cancellationToken
    )
    {
        try
        {
            await (await backup.EnterAsync(backup.Newest.Number, cancellationToken)).LeaveAsync();
        }
        catch (RestoreException failure) when (failure.Kind == RestoreErrorKind.Failed)
        {
            warnings.Add(failure.Message);
        }
    }
}
