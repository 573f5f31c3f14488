using System.Globalization;

namespace Restore.Storage.Rclone;

/// <summary>What rclone has to be told to reach a store: the name and path of a remote, and settings that go by its environment.</summary>
/// <param name="Target">The remote and the folder on it, as rclone writes them.</param>
/// <param name="Environment">Settings of the remote; without those in <paramref name="Secrets"/>.</param>
/// <param name="Secrets">Settings that rclone takes obscured, in the clear.</param>
internal sealed record RcloneRemote(string Target, IReadOnlyDictionary<string, string> Environment, IReadOnlyDictionary<string, string> Secrets)
{
    private const string Name = "RESTORE";
    private const string Setting = $"RCLONE_CONFIG_{Name}_";
    private const string InlineKeyScheme = "sshkey://";

    public static RcloneRemote Of(StoreUrl url) => url.Scheme switch
    {
        "ssh" => Ssh(url),
        "ftp" or "aftp" => Ftp(url),
        _ => new RcloneRemote($"{url.Host}:{url.Path}", new Dictionary<string, string>(), new Dictionary<string, string>()),
    };

    /// <summary>Adds a setting of the remote.</summary>
    public RcloneRemote With(string setting, string value) =>
        this with { Environment = new Dictionary<string, string>(Environment) { [Setting + setting] = value } };

    private static RcloneRemote Ssh(StoreUrl url)
    {
        RefuseCertificateHash(url);
        Dictionary<string, string> settings = Server(url, "sftp");
        settings[Setting + "SHELL_TYPE"] = "none";
        settings[Setting + "DISABLE_HASHCHECK"] = "true";

        var secrets = new Dictionary<string, string>();
        string? key = url.Options.Text("ssh-key");
        string? keyFile = url.Options.Text("ssh-keyfile");
        if (key is null && keyFile?.StartsWith(InlineKeyScheme, StringComparison.OrdinalIgnoreCase) == true)
        {
            (key, keyFile) = (keyFile, null);
        }

        if (key is not null)
        {
            settings[Setting + "KEY_PEM"] = PemOf(key);
        }
        else if (keyFile is not null)
        {
            settings[Setting + "KEY_FILE"] = keyFile;
        }

        // As in Duplicati, with a key the password is the key's.
        if (url.Password is { } password)
        {
            secrets[Setting + (key is null && keyFile is null ? "PASS" : "KEY_FILE_PASS")] = password;
        }

        return new RcloneRemote($"{Name}:/{url.Path.TrimStart('/')}", settings, secrets);
    }

    private static RcloneRemote Ftp(StoreUrl url)
    {
        RefuseCertificateHash(url);
        Dictionary<string, string> settings = Server(url, "ftp");
        string mode = url.Options.Text("ftp-encryption-mode") ?? url.Options.Text("aftp-encryption-mode")
            ?? (url.Options.Flag("use-ssl") ? "explicit" : "none");
        switch (mode.ToLowerInvariant())
        {
            case "none":
                break;
            case "implicit":
                settings[Setting + "TLS"] = "true";
                break;
            case "explicit":
                settings[Setting + "EXPLICIT_TLS"] = "true";
                break;
            default:
                throw StoreOptions.Unusable($"{url.Scheme}-encryption-mode", mode, "None, Implicit or Explicit");
        }

        if (url.Options.Flag("accept-any-ssl-certificate"))
        {
            settings[Setting + "NO_CHECK_CERTIFICATE"] = "true";
        }

        var secrets = new Dictionary<string, string>();
        if (url.Password is { } password)
        {
            secrets[Setting + "PASS"] = password;
        }
        else if (url.Username is null)
        {
            settings[Setting + "USER"] = "anonymous";
            secrets[Setting + "PASS"] = "anonymous";
        }

        // As in Duplicati: the path of ftp:// starts where the login does, that of aftp:// at the server's root.
        bool isAbsolute = url.Options.Flag("ftp-absolute-path", defaultValue: url.Scheme == "aftp");
        return new RcloneRemote($"{Name}:{(isAbsolute ? "/" : "")}{url.Path.TrimStart('/')}", settings, secrets);
    }

    private static Dictionary<string, string> Server(StoreUrl url, string type)
    {
        var settings = new Dictionary<string, string>
        {
            // The user's own configuration has no part in this, and must not be asked for its password.
            ["RCLONE_CONFIG"] = OperatingSystem.IsWindows() ? "NUL" : "/dev/null",
            [Setting + "TYPE"] = type,
            [Setting + "HOST"] = url.Host.Trim('[', ']'),
        };
        if (url.Port is { } port)
        {
            settings[Setting + "PORT"] = port.ToString(CultureInfo.InvariantCulture);
        }

        if (url.Username is { } user)
        {
            settings[Setting + "USER"] = user;
        }

        return settings;
    }

    private static string PemOf(string key)
    {
        string pem = key.StartsWith(InlineKeyScheme, StringComparison.OrdinalIgnoreCase) ? Uri.UnescapeDataString(key[InlineKeyScheme.Length..]) : key;

        // rclone takes a key in one line, with its line ends written as \n.
        return pem.ReplaceLineEndings("\\n");
    }

    private static void RefuseCertificateHash(StoreUrl url)
    {
        if (url.Options.IsGiven("accept-specified-ssl-hash"))
        {
            throw new RestoreException(
                RestoreErrorKind.Usage, $"--accept-specified-ssl-hash cannot be used with {url.Scheme}://", url.DisplayName,
                "Add the server's certificate to those that the system trusts, or use webdavs:// or s3://");
        }
    }
}
