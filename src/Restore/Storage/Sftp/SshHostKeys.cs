using System.Diagnostics;
using System.Globalization;
using Restore.Interop;

namespace Restore.Storage.Sftp;

/// <summary>Gets the keys of an SSH server with OpenSSH's ssh-keyscan.</summary>
internal static class SshHostKeys
{
    // An RSA key of 16,384 bits has 3 KB; a server that sends many times that is hostile.
    private const int MaxScanChars = 64 * 1024;

    /// <summary>The keys that the server offers. Only the later connection proves that the server owns them.</summary>
    /// <exception cref="TransientStoreException">The server does not answer.</exception>
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

    /// <summary>The key that a fingerprint names.</summary>
    /// <exception cref="RestoreException">No fingerprint is given, or no key has it.</exception>
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
