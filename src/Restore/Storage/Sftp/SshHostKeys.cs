using System.Diagnostics;
using System.Globalization;
using System.Security.Cryptography;
using Restore.Interop;

namespace Restore.Storage.Sftp;

/// <summary>Gets the keys of an SSH server with OpenSSH's ssh-keyscan.</summary>
internal static class SshHostKeys
{
    // An RSA key of 16,384 bits has 3 KB; a server that sends many times that is hostile.
    private const int MaxScanChars = 64 * 1024;

    /// <summary>The keys that the server offers. Only the later connection proves that the server owns them.</summary>
    public static async Task<IReadOnlyList<SshHostKey>> ScanAsync(StoreUrl url, TimeSpan timeout, CancellationToken cancellationToken)
    {
        string program = SystemPrograms.Find("ssh-keyscan") ?? throw new RestoreException(
            RestoreErrorCode.SshKeyscanMissing, "The program ssh-keyscan is needed to check the server's key and is not installed", url.DisplayName);
        string seconds = Math.Clamp((int)timeout.TotalSeconds, 1, 60).ToString(CultureInfo.InvariantCulture);
        string port = (url.Port ?? 22).ToString(CultureInfo.InvariantCulture);
        ProcessStartInfo start = SystemPrograms.StartInfo(program, ["-T", seconds, "-p", port, "--", url.Host.Trim('[', ']')]);
        var scan = new ChildProcess(start, new SecretScrubber().Clean);
        await using (scan.ConfigureAwait(false))
        {
            char[] text = new char[MaxScanChars];
            int length = await scan.Output.ReadBlockAsync(text, cancellationToken).ConfigureAwait(false);
            SshHostKey[] keys = new string(text, 0, length).Split('\n').Select(SshHostKey.Parse).OfType<SshHostKey>().ToArray();
            return keys.Length > 0
                ? keys
                : throw new TransientStoreException($"The SSH server shows no key ({scan.LastError()})") { StoreUnreachable = true };
        }
    }

    public static SshHostKey Choose(IReadOnlyList<SshHostKey> keys, string? fingerprint, StoreUrl url)
    {
        string offered = string.Join(", ", keys.Select(key => $"{key.Type} {key.Sha256}"));
        if (fingerprint is null)
        {
            throw new RestoreException(RestoreErrorCode.SshServerUnknown, $"The SSH server is not known; it offers the keys {offered}", url.DisplayName);
        }

        return keys.FirstOrDefault(key => key.Matches(fingerprint)) ?? throw new RestoreException(
            RestoreErrorCode.SshServerChanged,
            $"The SSH server is not the one that the given fingerprint names; it offers the keys {offered}",
            url.DisplayName);
    }
}

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
