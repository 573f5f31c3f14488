namespace Restore.Storage.Rclone;

/// <summary>
/// All that running rclone for a store takes: the program, the remote, and its settings with secrets made ready and the server's key checked.
/// </summary>
internal sealed class RcloneAccess : IDisposable
{
    private readonly DirectoryInfo? knownHostsFolder;

    private RcloneAccess(RcloneProgram program, RcloneRemote remote, DirectoryInfo? knownHostsFolder)
    {
        (Program, Target, Environment, this.knownHostsFolder) = (program, remote.Target, remote.Environment, knownHostsFolder);
    }

    public RcloneProgram Program { get; }

    public string Target { get; }

    public IReadOnlyDictionary<string, string> Environment { get; }

    public static async Task<RcloneAccess> OpenAsync(
        StoreUrl url, RcloneRemote remote, SecretScrubber scrubber, TransferSettings settings, CancellationToken cancellationToken)
    {
        RcloneProgram program = RcloneProgram.Find(url, scrubber);
        var environment = new Dictionary<string, string>(remote.Environment);
        foreach ((string name, string secret) in remote.Secrets)
        {
            environment[name] = await program.ObscureAsync(secret, url.DisplayName, cancellationToken).ConfigureAwait(false);
        }

        RcloneRemote ready = remote with { Environment = environment };
        if (url.Scheme != "ssh" || url.Options.Flag("ssh-accept-any-fingerprints"))
        {
            return new RcloneAccess(program, ready, null);
        }

        IReadOnlyList<SshHostKey> keys = await SshHostKeys.ScanAsync(url, settings.ProgressTimeout, cancellationToken).ConfigureAwait(false);
        SshHostKey key = SshHostKeys.Choose(keys, url.Options.Text("ssh-fingerprint"), url);

        // rclone takes the key that it shall insist on from a file only; there is nothing secret in it.
        DirectoryInfo folder = Directory.CreateTempSubdirectory("restore-");
        string knownHosts = Path.Combine(folder.FullName, "known_hosts");
        await File.WriteAllTextAsync(knownHosts, key.Line + "\n", cancellationToken).ConfigureAwait(false);
        return new RcloneAccess(program, ready.With("KNOWN_HOSTS_FILE", knownHosts).With("HOST_KEY_ALGORITHMS", key.Algorithms), folder);
    }

    public void Dispose()
    {
        try
        {
            knownHostsFolder?.Delete(recursive: true);
        }
        catch (IOException)
        {
            // A leftover of one public key in the temporary folder harms nobody.
        }
    }
}
