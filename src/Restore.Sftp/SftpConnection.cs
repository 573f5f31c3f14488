using System.Security.Cryptography;
using Renci.SshNet;
using Renci.SshNet.Common;
using Renci.SshNet.Messages.Transport;

namespace Restore.Sftp;

/// <summary>
/// The server of a URL and how to reach it: its key, the user, and the user's keys.
/// </summary>
internal sealed class SftpConnection(StoreContext context)
{
    private const string InlineKeyScheme = "sshkey://";
    private const int DefaultPort = 22;

    // For the connection and each step of the login: a firewall that throws packets away never
    // answers, a slow server computes keys for some seconds.
    private static readonly TimeSpan FirstAnswer = TimeSpan.FromSeconds(15);

    // SSH.NET prefers ciphers that most processors compute at half the speed of these.
    private static readonly string[] FastCiphers = ["aes128-gcm@openssh.com", "aes256-gcm@openssh.com"];

    private readonly StoreUrl url = context.Url;

    // The key of the first connection: all others go to the same server.
    private SshHostKey? proven;

    /// <summary>
    /// Connects. A server has keys of several kinds and shows one of the kind that the client asks
    /// for: all kinds are tried until one is trusted.
    /// </summary>
    public async Task<SftpClient> OpenAsync(CancellationToken cancellationToken)
    {
        HostKeyTrust trust = proven is { } key
            ? HostKeyTrust.In(key, url)
            : HostKeyTrust.By(url, url.Port ?? DefaultPort);
        List<SshHostKey> refused = [];
        while (true)
        {
            SshHostKey? shown = null;
            bool isTrusted = false;
            SftpClient client = Client(trust.Kinds.Except(refused.Select(key => key.Type)));

            // SSH.NET raises this during the key exchange, before it sends the user's name.
            client.HostKeyReceived += (_, offer) =>
            {
                shown = SshHostKey.Of(offer.HostKey);
                offer.CanTrust = isTrusted = trust.Includes(shown);
            };
            try
            {
                // It blocks while the two sides agree on keys, and does not see the token then.
                await Task.Run(() => client.ConnectAsync(cancellationToken), cancellationToken)
                    .WaitAsync(cancellationToken)
                    .ConfigureAwait(false);
                proven = shown;
                return client;
            }
            catch (SshConnectionException)
                when (shown is not null && !isTrusted && refused.Count < SshHostKey.Kinds.Count)
            {
                client.Dispose();
                refused.Add(shown);
            }
            catch (SshConnectionException failure)
                when (failure.DisconnectReason == DisconnectReason.KeyExchangeFailed && refused.Count > 0)
            {
                client.Dispose();
                throw trust.Refusal(refused, failure);
            }
            catch
            {
                client.Dispose();
                throw;
            }
        }
    }

    private SftpClient Client(IEnumerable<string> kinds)
    {
        string user = url.Username ?? Environment.UserName;
        var info = new ConnectionInfo(url.Host.Trim('[', ']'), url.Port ?? DefaultPort, user, Methods(user))
        {
            Timeout = FirstAnswer,
        };

        // Each goes to the first place, so the last one that is moved is preferred.
        foreach (string cipher in FastCiphers.Reverse())
        {
            info.Encryptions.SetPosition(cipher, 0);
        }

        string[] algorithms = [.. kinds.SelectMany(SshHostKey.AlgorithmsOf)];
        foreach (string other in info.HostKeyAlgorithms.Keys.Except(algorithms).ToArray())
        {
            info.HostKeyAlgorithms.Remove(other);
        }

        foreach (string algorithm in algorithms.Reverse())
        {
            info.HostKeyAlgorithms.SetPosition(algorithm, 0);
        }

        return new SftpClient(info) { OperationTimeout = context.Transfers.ProgressTimeout };
    }

    /// <summary>
    /// As in Duplicati: with a key, the password decrypts the key. The agent is asked if there is
    /// neither a key nor a password.
    /// </summary>
    private AuthenticationMethod[] Methods(string user)
    {
        if (OwnKey() is { } key)
        {
            return [new PrivateKeyAuthenticationMethod(user, key)];
        }

        if (url.Password is { } password)
        {
            var asked = new KeyboardInteractiveAuthenticationMethod(user);
            asked.AuthenticationPrompt += (_, prompts) =>
            {
                foreach (AuthenticationPrompt prompt in prompts.Prompts)
                {
                    prompt.Response = password;
                }
            };

            // Some servers take a password only as the answer to a question.
            return [new PasswordAuthenticationMethod(user, password), asked];
        }

        IPrivateKeySource[] keys = url.Options.Flag(SftpOptions.DisableAgent) ? [] : SshAgent.Find()?.Keys() ?? [];
        return keys.Length > 0
            ? [new PrivateKeyAuthenticationMethod(user, keys)]
            : throw new RestoreException(
                RestoreErrorCode.CredentialsMissing,
                "There is no password, no key and no SSH agent with a key for the server",
                url.DisplayName
            );
    }

    private PrivateKeyFile? OwnKey()
    {
        string? key = url.Options.Text(SftpOptions.Key);
        string? file = url.Options.Text(SftpOptions.KeyFile);
        if (key is null && file?.StartsWith(InlineKeyScheme, StringComparison.OrdinalIgnoreCase) == true)
        {
            (key, file) = (file, null);
        }

        try
        {
            return key is not null ? KeyOf(new MemoryStream(System.Text.Encoding.UTF8.GetBytes(TextOf(key))))
                : file is not null ? KeyOf(File.OpenRead(file))
                : null;
        }
        catch (Exception failure)
            when (failure
                    is SshException
                        or CryptographicException
                        or FormatException
                        or InvalidOperationException
                        or ArgumentException
                        or NotSupportedException
                        or IOException
                        or UnauthorizedAccessException
            )
        {
            throw new RestoreException(
                RestoreErrorCode.SshKeyUnusable,
                $"The SSH key cannot be used ({SftpFailures.Said(context, failure)})",
                url.DisplayName,
                failure
            );
        }
    }

    private PrivateKeyFile KeyOf(Stream stream)
    {
        using (stream)
        {
            return url.Password is { } passphrase ? new PrivateKeyFile(stream, passphrase) : new PrivateKeyFile(stream);
        }
    }

    private static string TextOf(string key) =>
        key.StartsWith(InlineKeyScheme, StringComparison.OrdinalIgnoreCase)
            ? Uri.UnescapeDataString(key[InlineKeyScheme.Length..])
            : key;
}
