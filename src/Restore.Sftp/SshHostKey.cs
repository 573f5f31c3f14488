using System.Buffers.Binary;
using System.Security.Cryptography;
using System.Text;

namespace Restore.Sftp;

/// <summary>The public key of a server.</summary>
/// <param name="Type">Its kind: <c>ssh-ed25519</c>.</param>
/// <param name="Blob">The key in the form of the protocol, which begins with its kind.</param>
internal sealed record SshHostKey(string Type, byte[] Blob)
{
    /// <summary>The kinds of keys, as OpenSSH prefers them.</summary>
    public static readonly IReadOnlyList<string> Kinds =
    [
        "ssh-ed25519",
        "ecdsa-sha2-nistp256",
        "ecdsa-sha2-nistp384",
        "ecdsa-sha2-nistp521",
        "ssh-rsa",
    ];

    /// <summary>The fingerprint in OpenSSH's form.</summary>
    public string Sha256 => "SHA256:" + Convert.ToBase64String(SHA256.HashData(Blob)).TrimEnd('=');

    /// <summary>
    /// The fingerprint in Duplicati's form, without the type and the length before it.
    /// </summary>
    public string Md5 => Convert.ToHexStringLower(MD5.HashData(Blob));

    /// <summary>The algorithms that a client asks for to see a key of this kind.</summary>
    public static IEnumerable<string> AlgorithmsOf(string kind) =>
        kind == "ssh-rsa" ? ["rsa-sha2-512", "rsa-sha2-256", "ssh-rsa"] : [kind];

    public static SshHostKey Of(byte[] blob)
    {
        int length = blob.Length >= 4 ? BinaryPrimitives.ReadInt32BigEndian(blob) : 0;
        return new SshHostKey(
            length > 0 && length <= blob.Length - 4 ? Encoding.ASCII.GetString(blob, 4, length) : "",
            blob
        );
    }

    public bool IsSameAs(SshHostKey other) => Blob.AsSpan().SequenceEqual(other.Blob);

    /// <param name="fingerprint">As Duplicati writes it (<c>ssh-rsa 2048 aa:bb:...</c>) or as
    /// OpenSSH does (<c>SHA256:...</c>).</param>
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
}
