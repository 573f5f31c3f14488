using Restore.Interop;

namespace Restore.Storage.Rclone;

/// <summary>Remotes that the user configured in rclone, and with them all services that rclone knows.</summary>
internal sealed class RcloneStoreProvider : IStoreProvider
{
    public const string Scheme = "rclone";

    public string Name => "rclone";

    public string Summary => "a remote that `rclone config` made, of any service that rclone knows";

    public IReadOnlyList<string> Schemes => [Scheme];

    public IReadOnlyList<string> Locations => ["rclone://remote/folder"];

    public IReadOnlyList<StoreOption> Options => RcloneOptions.All;

    public IReadOnlyList<string> IgnoredOptions => ["rclone-local-repository", "rclone-option"];

    public IVolumeStore Open(StoreContext context) => new RcloneStore(context, new RcloneRemote($"{context.Url.Host}:{context.Url.Path}"));

    public IVolumeSink OpenSink(StoreContext context) => new RcloneSink(context, new RcloneRemote($"{context.Url.Host}:{context.Url.Path}"));
}

/// <summary>What is needed to run rclone for a store: the program, the remote, and its settings with obscured secrets.</summary>
internal sealed class RcloneConnection : IDisposable
{
    private const string FolderPrefix = "restore-";
    private const string MemoryFolder = "/dev/shm";

    private readonly DirectoryInfo? files;

    private RcloneConnection(RcloneProgram program, RcloneRemote remote, IReadOnlyDictionary<string, string> secrets, DirectoryInfo? files)
    {
        (Program, Target, this.files) = (program, remote.Target, files);
        Environment = remote.Environment.Concat(secrets).ToDictionary();
    }

    public RcloneProgram Program { get; }

    public string Target { get; }

    public IReadOnlyDictionary<string, string> Environment { get; }

    public static async Task<RcloneConnection> OpenAsync(StoreContext context, RcloneRemote remote, CancellationToken cancellationToken)
    {
        RcloneProgram program = RcloneProgram.Find(context);
        var secrets = new Dictionary<string, string>();
        foreach ((string name, string secret) in remote.Secrets)
        {
            secrets[name] = await program.ObscureAsync(secret, context.Url.DisplayName, cancellationToken).ConfigureAwait(false);
        }

        if (remote.PrepareAsync is null)
        {
            return new RcloneConnection(program, remote, secrets, null);
        }

        DirectoryInfo files = CreateFolder(context.Url.DisplayName);
        try
        {
            RcloneRemote prepared = await remote.PrepareAsync(remote, files, cancellationToken).ConfigureAwait(false);
            return new RcloneConnection(program, prepared, secrets, files);
        }
        catch
        {
            Delete(files);
            throw;
        }
    }

    public void Dispose() => Delete(files);

    /// <summary>A folder for a file of some hundred bytes that the program needs. Without a place for temporary files, Linux has one in memory.</summary>
    private static DirectoryInfo CreateFolder(string location)
    {
        try
        {
            return PrivateFolder.Create(FolderPrefix);
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            if (!OperatingSystem.IsLinux() || !Directory.Exists(MemoryFolder))
            {
                throw new RestoreException(
                    RestoreErrorCode.ProgramUnusable, $"The store needs a temporary file, and {Path.GetTempPath()} cannot be written", location, failure);
            }

            return PrivateFolder.Create(FolderPrefix, MemoryFolder);
        }
    }

    private static void Delete(DirectoryInfo? files)
    {
        try
        {
            files?.Delete(recursive: true);
        }
        catch (IOException)
        {
            // A leftover public key in the temporary folder does no harm.
        }
    }
}

internal static class RcloneOptions
{
    public static readonly StoreOption Executable = new("rclone-executable", "the rclone program") { Default = "`rclone` on the search path" };

    // Remotes can take credentials from the environment (AWS_ACCESS_KEY_ID); a program gets no variable that it does not need.
    public static readonly StoreOption Variables =
        new("rclone-variables", "environment variables that rclone gets, separated by commas") { Default = "those that begin with `RCLONE_`" };

    // rclone prints nothing until it has the whole folder, which takes minutes on a slow server. Default and option are Duplicati's.
    public static readonly StoreOption ListTimeout =
        new("list-operation-timeout", "how long a listing may take") { Kind = StoreOptionKind.Duration, Default = "10m" };

    public static readonly IReadOnlyList<StoreOption> All = [Executable, Variables, ListTimeout];
}
