using System.Runtime.InteropServices;
using Restore.Cli.Interop;
using Restore.Cli.Mount;

namespace Restore.Cli.Commands;

internal sealed class MountCommand(SharedOptions shared) : ICliCommand
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(3);

    private readonly Option<bool> allowOther = Declare.Flag(
        "--allow-other", "Let other users see the mount too, as far as owner and mode of each entry in the backup let them");

    private readonly Option<long?> blockCache = Declare.Size(
        "--block-cache", "mb", "1mb", "64tb", "128mb", "Bytes of blocks kept in memory for all open files, at most an eighth of the memory");

    public string Name => "mount";

    public string Summary => "show the backup as a read-only folder, until Ctrl-C";

    public IReadOnlyList<Operand> Operands => [Operand.Storage, new Operand("<folder>", "an empty folder, where the backup appears")];

    public IReadOnlyList<OptionGroup> Options => [new("Mount", [allowOther, blockCache]), shared.Access, shared.Output, shared.Program];

    public IReadOnlyList<string> Examples =>
        ["restore mount /mnt/backup /mnt/versions", "restore mount s3://bucket/folder /mnt/versions --cache-dir=/home/ann/.cache/restore"];

    public Task<int> RunAsync(CommandContext context)
    {
        if (context.Request.Operands is not [var folder])
        {
            throw new UsageException("Name the backup and one folder to mount on");
        }

        var path = MountPoint.Check(folder);
        return context.WithOpenerAsync(async open =>
        {
            var warnings = new MountWarnings(context.Messages.WriteLine);
            var memory = new BlockMemory(context.Line.Value(blockCache));
            var settings = new MountSettings(open, memory, warnings.Add, context.Environment.Clock) { UserId = Libc.GetEUid(), GroupId = Libc.GetEGid() };
            await using var backup = new MountedBackup(await open(context.Environment.StopToken), settings);
            await ReadNewestAsync(backup, warnings, context.Environment.StopToken);
            using var mount = MountPoint.Mount(path, context.Line.Value(allowOther));
            using var server = new FuseServer(mount.Device, new MountedFiles(backup, settings), warnings.Add);
            var unmounted = server.Start();
            var stopped = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            if (!context.Request.Quiet)
            {
                context.Messages.WriteLine($"Mounted on {path}; Ctrl-C unmounts");
            }

            using var hangUp = PosixSignalRegistration.Create(PosixSignal.SIGHUP, signal =>
            {
                signal.Cancel = true;
                Unmount();
            });
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

    /// <summary>Waits for the end. A program with an open file keeps a file system alive that fusermount3 has unmounted; then the end of
    /// this process ends it.</summary>
    private static async Task EndAsync(MountPoint mount, Task unmounted, Task stopped, CliEnvironment environment)
    {
        if (await Task.WhenAny(unmounted, stopped).WaitAsync(environment.CancellationToken) == unmounted && !stopped.IsCompleted)
        {
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

    /// <summary>Reads the list of the newest version, so that a wrong passphrase is noticed while the user can still answer.</summary>
    private static async Task ReadNewestAsync(MountedBackup backup, MountWarnings warnings, CancellationToken cancellationToken)
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
