using System.Globalization;

namespace Restore.Storage.Rclone;

/// <summary>What rclone needs to reach a store: name and path of a remote, and settings for its environment.</summary>
/// <param name="Target">The remote and the folder on it, in rclone's notation.</param>
internal sealed record RcloneRemote(string Target)
{
    private const string Name = "RESTORE";
    private const string Setting = $"RCLONE_CONFIG_{Name}_";

    /// <summary>Environment variables for rclone, without <see cref="Secrets"/>.</summary>
    public IReadOnlyDictionary<string, string> Environment { get; private init; } = new Dictionary<string, string>();

    /// <summary>Variables that rclone takes obscured; here in the clear.</summary>
    public IReadOnlyDictionary<string, string> Secrets { get; private init; } = new Dictionary<string, string>();

    /// <summary>
    /// Runs before rclone starts and may add settings. Receives the remote and a folder for files that rclone reads; the folder is deleted with the
    /// store. Null for nothing.
    /// </summary>
    public Func<RcloneRemote, DirectoryInfo, CancellationToken, Task<RcloneRemote>>? PrepareAsync { get; init; }

    /// <summary>A remote on the server of a URL, which exists only in the environment.</summary>
    /// <param name="type">rclone's name of the protocol.</param>
    /// <param name="path">The folder.</param>
    /// <param name="url">Names server, port and user.</param>
    public static RcloneRemote OnServer(string type, string path, StoreUrl url)
    {
        var remote = new RcloneRemote($"{Name}:{path}")
        {
            // The user's own configuration is not needed, and rclone must not ask for its password.
            Environment = new Dictionary<string, string> { ["RCLONE_CONFIG"] = OperatingSystem.IsWindows() ? "NUL" : "/dev/null" },
        };
        remote = remote.With("TYPE", type).With("HOST", url.Host.Trim('[', ']'));
        remote = url.Port is { } port ? remote.With("PORT", port.ToString(CultureInfo.InvariantCulture)) : remote;
        return url.Username is { } user ? remote.With("USER", user) : remote;
    }

    /// <summary>Adds a setting of the remote.</summary>
    public RcloneRemote With(string setting, string value) =>
        this with { Environment = new Dictionary<string, string>(Environment) { [Setting + setting] = value } };

    /// <summary>Adds a setting that is a secret.</summary>
    public RcloneRemote WithSecret(string setting, string value) =>
        this with { Secrets = new Dictionary<string, string>(Secrets) { [Setting + setting] = value } };
}
