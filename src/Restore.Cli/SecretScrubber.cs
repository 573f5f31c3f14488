namespace Restore.Cli;

/// <summary>Takes known secrets out of a text: the last guard before a line leaves the program.</summary>
internal sealed class SecretScrubber
{
    // Shorter ones are no secrets worth the name, and replacing them would garble every line and so tell where they occur.
    private const int ShortestSecretLength = 4;

    private volatile string[] secrets = [];

    /// <summary>Adds a secret, in the form it was given and in the form it has inside a URL.</summary>
    public void Add(string? secret)
    {
        if (secret is null || secret.Length < ShortestSecretLength)
        {
            return;
        }

        // Longest first, so that no secret leaves the tail of a longer one that begins with it.
        secrets = [.. secrets.Append(secret).Append(Uri.EscapeDataString(secret)).Distinct().OrderByDescending(known => known.Length)];
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
