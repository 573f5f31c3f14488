namespace Restore.Storage.Rclone;

/// <summary>
/// Name and path of a remote, in rclone's notation, and settings for its environment.
/// </summary>
internal sealed record RcloneRemote(string Target)
{
    private const string Name = "RESTORE";
    private const string Setting = $"RCLONE_CONFIG_{Name}_";

    /// <summary>Environment variables for rclone, without <see cref="Secrets"/>.</summary>
    public IReadOnlyDictionary<string, string> Environment { get; private init; } = new Dictionary<string, string>();

    /// <summary>Variables that rclone takes obscured; here in the clear.</summary>
    public IReadOnlyDictionary<string, string> Secrets { get; private init; } = new Dictionary<string, string>();

    /// <summary>A remote on the server of a URL, which exists only in the environment.</summary>
    public static RcloneRemote OnServer(string type, string path, StoreUrl url)
    {
        var remote = new RcloneRemote($"{Name}:{path}")
        {
            // The user's own configuration is not needed, and rclone must not ask for its password.
            Environment = new Dictionary<string, string>
            {
                ["RCLONE_CONFIG"] = OperatingSystem.IsWindows() ? "NUL" : "/dev/null",
            },
        };
        remote = remote.With("TYPE", type).With("HOST", url.Host.Trim('[', ']'));
        remote = url.Port is { } port ? remote.With("PORT", port.ToString(CultureInfo.InvariantCulture)) : remote;
        return url.Username is { } user ? remote.With("USER", user) : remote;
    }

    public RcloneRemote With(string setting, string value) =>
        this with
        {
            Environment = new Dictionary<string, string>(Environment) { [Setting + setting] = value },
        };

    public RcloneRemote WithSecret(string setting, string value) =>
        this with
        {
            Secrets = new Dictionary<string, string>(Secrets) { [Setting + setting] = value },
        };
}
