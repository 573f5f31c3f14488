namespace Restore.Cli;

/// <summary>
/// Removes known secrets from a text: the last guard before a line leaves the program.
/// </summary>
internal sealed class KnownSecrets
{
    // Shorter values are hardly secrets, and replacing them would garble every line and so reveal
    // where they occur.
    private const int ShortestSecretLength = 4;

    private volatile string[] secrets = [];

    /// <summary>Adds a secret, as given and in its escaped form in a URL.</summary>
    public void Add(string? secret)
    {
        if (secret is null || secret.Length < ShortestSecretLength)
        {
            return;
        }

        // Longest first, so that no secret leaves the tail of a longer one with the same start.
        secrets =
        [
            .. secrets
                .Append(secret)
                .Append(Uri.EscapeDataString(secret))
                .Distinct()
                .OrderByDescending(known => known.Length),
        ];
    }

    public void Add(HostRequest request)
    {
        Add(request.Backup.Passphrase);
        foreach (var former in request.Backup.FormerPassphrases)
        {
            Add(former);
        }

        foreach (var secret in StorageLocation.SecretsIn(request.Storage, request.Backup.StoreOptions))
        {
            Add(secret);
        }
    }

    public string Scrub(string text)
    {
        foreach (var secret in secrets)
        {
            text = text.Replace(secret, "***", StringComparison.Ordinal);
        }

        return text;
    }
}
