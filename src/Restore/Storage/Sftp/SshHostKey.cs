using System.Security.Cryptography;

namespace Restore.Storage.Sftp;

/// <summary>A public key of an SSH server.</summary>
/// <param name="Type">Its type, such as ssh-ed25519.</param>
/// <param name="Line">Its line in a known_hosts file.</param>
/// <param name="Blob">The key itself, as SSH writes it.</param>
internal sealed record SshHostKey(string Type, string Line, byte[] Blob)
{
    /// <summary>The fingerprint in OpenSSH's form.</summary>
    public string Sha256 => "SHA256:" + Convert.ToBase64String(SHA256.HashData(Blob)).TrimEnd('=');

    /// <summary>The fingerprint in Duplicati's form, without the type and the length before it.</summary>
    public string Md5 => Convert.ToHexStringLower(MD5.HashData(Blob));

    /// <summary>The algorithms that a client requests to get this key.</summary>
    public string Algorithms => Type == "ssh-rsa" ? "rsa-sha2-512 rsa-sha2-256 ssh-rsa" : Type;

    /// <param name="fingerprint">As Duplicati writes it (<c>ssh-rsa 2048 aa:bb:...</c>) or as OpenSSH does (<c>SHA256:...</c>).</param>
    public bool Matches(string fingerprint)
    {
        string hash = fingerprint.Trim().Split(' ')[^1];
        if (hash.StartsWith("SHA256:", StringComparison.OrdinalIgnoreCase))
        {
            return hash[7..].TrimEnd('=') == Sha256[7..];
        }

        string hex = hash.StartsWith("MD5:", StringComparison.OrdinalIgnoreCase) ? hash[4..] : hash;
        return hex.Replace(":", "", StringComparison.Ordinal).Equals(Md5, StringComparison.OrdinalIgnoreCase);
    }

    /// <summary>Reads a line of a known_hosts file; null for a comment or anything else.</summary>
    public static SshHostKey? Parse(string line)
    {
        string[] words = line.Split(' ', StringSplitOptions.RemoveEmptyEntries);
        if (words.Length < 3 || words[0].StartsWith('#'))
        {
            return null;
        }

        byte[] blob = new byte[words[2].Length];
        return Convert.TryFromBase64String(words[2], blob, out int length) ? new SshHostKey(words[1], line, blob[..length]) : null;
    }
}
