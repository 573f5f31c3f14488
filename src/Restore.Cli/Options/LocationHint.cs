using System.Text.RegularExpressions;

namespace Restore.Cli.Options;

/// <summary>
/// Recognizes locations in the form of another program and names the right form, before a store is
/// asked or a folder looked for.
/// </summary>
internal static partial class LocationHint
{
    private const string Mounted =
        "Mount the share, and give its folder, such as /mnt/share/backup; rclone reaches it too (rclone://remote/folder)";

    // Schemes of other programs, with the scheme to use here.
    private static readonly (string Words, string Here)[] Schemes =
    [
        ("dav http", "webdav"),
        ("davs https webdavss", "webdavs"),
        ("scp rsync", "ssh"),
        ("gs googlecloudstorage", "gcs"),
        ("azblob az", "azure"),
        ("backblaze", "b2"),
        ("local", "file"),
    ];

    private static readonly string[] Shares = ["smb", "cifs", "nfs", "afp"];

    /// <summary>
    /// Throws an error that names the right form; does nothing if the location can be what it says.
    /// </summary>
    public static void Check(string location)
    {
        if (InsteadOf(location) is { } instead)
        {
            throw new UsageException($"{StorageLocation.Shown(location)} cannot be used: {instead}");
        }
    }

    /// <returns>What to write; null if nothing is known to be wrong.</returns>
    public static string? InsteadOf(string location)
    {
        var end = location.IndexOf("://", StringComparison.Ordinal);
        if (end > 0)
        {
            return OfScheme(location[..end].ToLowerInvariant(), StorageLocation.Shown(location)[end..], location);
        }

        // A folder may have any name. It is looked for only if its name is like the form of another
        // program: a look at a store that hangs has no time limit here.
        return OfPath(location) is { } instead && !Path.Exists(location) ? instead : null;
    }

    private static string? OfPath(string location) =>
        OtherProgram().Match(location) is { Success: true } other
            ? OfOther(other.Groups["program"].Value, other.Groups["rest"].Value)
        : !OperatingSystem.IsWindows() && location.StartsWith(@"\\", StringComparison.Ordinal) ? Mounted
        : Remote().Match(location) is { Success: true } remote
            ? $"a folder of an SSH server is {Ssh(remote.Groups["host"].Value, remote.Groups["path"].Value)}"
        : null;

    private static string? OfScheme(string scheme, string rest, string location)
    {
        if (Shares.Contains(scheme))
        {
            return Mounted;
        }

        if (Schemes.FirstOrDefault(other => other.Words.Split(' ').Contains(scheme)).Here is { } here)
        {
            return scheme is "http" or "https"
                ? $"a folder of a WebDAV server is {here}{rest}; a bucket is s3://bucket/folder?s3-server-name=HOST"
                : $"here it is {here}{rest}";
        }

        return scheme is "s3" or "minio" or "s3c" && ServerOfBucket().Match(location) is { Success: true } server
            ? $"the server belongs behind the bucket: s3://{server.Groups["path"].Value}?s3-server-name={server.Groups["server"].Value}"
                + (
                    server.Groups["port"].Value == "443"
                        ? ""
                        : "&use-ssl=false, or use-ssl=true if the server has a certificate"
                )
            : null;
    }

    /// <summary>The forms that restic has, and names of rclone's remotes.</summary>
    private static string? OfOther(string program, string rest) =>
        program switch
        {
            "sftp" when Remote().Match(rest) is { Success: true } remote =>
                $"here it is {Ssh(remote.Groups["host"].Value, remote.Groups["path"].Value)}",
            "rclone" => $"here it is rclone://{rest.Replace(":", "/", StringComparison.Ordinal)}",
            "gs" => $"here it is gcs://{Bucket(rest)}",
            "b2" => $"here it is b2://{Bucket(rest)}",
            "s3" => "here it is s3://bucket/folder, with ?s3-server-name=HOST if the server is not Amazon's",
            "azure" => $"here it is azure://{Bucket(rest)}",
            _ => null,
        };

    private static string Bucket(string rest) =>
        string.Join('/', rest.Split([':', '/'], StringSplitOptions.RemoveEmptyEntries));

    /// <summary>
    /// A path without a leading slash is relative to the user's home folder. Only the server knows
    /// where that is.
    /// </summary>
    private static string Ssh(string host, string path) =>
        path.StartsWith('/')
            ? $"ssh://{host}{path}"
            : $"ssh://{host}/home/NAME/{path} (the path starts at the root of the server)";

    // A host of one letter is a drive.
    [GeneratedRegex(
        @"^(?<host>([^@/\\:\s]+@)?[A-Za-z0-9][A-Za-z0-9._-]+):(?<path>[^\\:]*)$",
        RegexOptions.CultureInvariant
    )]
    private static partial Regex Remote();

    [GeneratedRegex(@"^(?<program>sftp|rclone|gs|b2|s3|azure):(?<rest>.+)$", RegexOptions.CultureInvariant)]
    private static partial Regex OtherProgram();

    [GeneratedRegex(
        @"^\w+://([^/@]*@)?(?<server>[^/:@?]+:(?<port>[0-9]+))/(?<path>[^?]*)",
        RegexOptions.CultureInvariant
    )]
    private static partial Regex ServerOfBucket();
}
