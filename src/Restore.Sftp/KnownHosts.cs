using System.IO.Enumeration;
using System.Security.Cryptography;
using System.Text;

namespace Restore.Sftp;

/// <summary>What a known_hosts file of OpenSSH has for one server.</summary>
internal sealed class KnownHosts
{
    // Ten thousands of servers; a file that is larger is another one.
    private const long MaxFileBytes = 16 << 20;
    private const string Revoked = "@revoked";

    private readonly List<SshHostKey> revoked = [];
    private readonly List<SshHostKey> keys = [];

    private KnownHosts() { }

    /// <summary>The keys of the server.</summary>
    public IReadOnlyList<SshHostKey> Keys => keys;

    public bool Includes(SshHostKey key) => keys.Any(key.IsSameAs) && !revoked.Any(key.IsSameAs);

    /// <summary>Reads the user's file, or the one that is given.</summary>
    public static KnownHosts Read(string? path, string host, int port)
    {
        path ??= Path.Combine(Environment.GetFolderPath(Environment.SpecialFolder.UserProfile), ".ssh", "known_hosts");
        try
        {
            return new FileInfo(path) is { Exists: true, Length: <= MaxFileBytes }
                ? Parse(File.ReadLines(path), host, port)
                : new KnownHosts();
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            // A server that cannot be looked up is not known.
            return new KnownHosts();
        }
    }

    public static KnownHosts Parse(IEnumerable<string> lines, string host, int port)
    {
        string name = port == 22 ? host.ToLowerInvariant() : $"[{host.ToLowerInvariant()}]:{port}";
        var known = new KnownHosts();
        foreach (string line in lines)
        {
            string[] words = line.Split([' ', '\t'], StringSplitOptions.RemoveEmptyEntries);
            string mark = words is [['@', ..], ..] ? words[0] : "";
            if (
                // Lines with another mark (@cert-authority) are left out, because certificates of
                // servers are not checked here.
                words[(mark.Length > 0 ? 1 : 0)..] is [var hosts, var type, var key, ..]
                && mark is "" or Revoked
                && Names(hosts, name)
                && KeyOf(type, key) is { } found
            )
            {
                (mark == Revoked ? known.revoked : known.keys).Add(found);
            }
        }

        return known;
    }

    /// <summary>
    /// Whether a list of hosts names this one: plain names, patterns, exceptions with an
    /// exclamation mark, or the hash of one name.
    /// </summary>
    private static bool Names(string hosts, string name)
    {
        if (hosts.Split('|') is ["", "1", var salt, var hash])
        {
            return FromBase64(salt) is { } key
                && FromBase64(hash) is { } expected
                && CryptographicOperations.FixedTimeEquals(
                    HMACSHA1.HashData(key, Encoding.UTF8.GetBytes(name)),
                    expected
                );
        }

        string[] patterns = hosts.ToLowerInvariant().Split(',');

        // As in OpenSSH, an exception counts wherever it stands in the list.
        return patterns.Any(pattern => Fits(pattern, name))
            && !patterns.Any(pattern => pattern.StartsWith('!') && Fits(pattern[1..], name));
    }

    private static bool Fits(string pattern, string name) =>
        FileSystemName.MatchesSimpleExpression(pattern, name, ignoreCase: false);

    private static SshHostKey? KeyOf(string type, string base64) =>
        FromBase64(base64) is { } blob && SshHostKey.Of(blob) is { } key && key.Type == type ? key : null;

    private static byte[]? FromBase64(string text)
    {
        byte[] bytes = new byte[text.Length];
        return Convert.TryFromBase64String(text, bytes, out int length) ? bytes[..length] : null;
    }
}
