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
internal sealed class RcloneConnection
{
    private RcloneConnection(RcloneProgram program, RcloneRemote remote, IReadOnlyDictionary<string, string> secrets)
    {
        (Program, Target) = (program, remote.Target);
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
            secrets[name] = await program.ObscureAsync(
                secret, context.Url.DisplayName, context.Transfers.ProgressTimeout, cancellationToken).ConfigureAwait(false);
        }

        return new RcloneConnection(program, remote, secrets);
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
        new("list-operation-timeout", "how long rclone may take to print a listing, if neither this nor `read-write-timeout` is given")
        {
            Kind = StoreOptionKind.Duration, Default = "10m",
        };

    public static readonly IReadOnlyList<StoreOption> All = [Executable, Variables, ListTimeout];
}
