namespace Restore.Storage.Rclone;

/// <summary>
/// What is needed to run rclone for a store: the program, the remote, and its settings with
/// obscured secrets.
/// </summary>
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

    public static async Task<RcloneConnection> OpenAsync(
        StoreContext context,
        RcloneRemote remote,
        CancellationToken cancellationToken
    )
    {
        RcloneProgram program = RcloneProgram.Find(context);
        var secrets = new Dictionary<string, string>();
        foreach ((string name, string secret) in remote.Secrets)
        {
            // rclone takes passwords in its settings only in a form of its own, and makes that form
            // itself.
            secrets[name] = await program
                .ObscureAsync(secret, context.Url.DisplayName, context.Transfers.ProgressTimeout, cancellationToken)
                .ConfigureAwait(false);
        }

        return new RcloneConnection(program, remote, secrets);
    }
}
