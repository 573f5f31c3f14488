namespace Restore.Storage;

/// <summary>
/// Removes credentials from foreign text, such as a server's message, before it is shown.
/// </summary>
internal sealed class SecretScrubber
{
    // Users see a server's message: one or two sentences are enough.
    private const int MaxLength = 400;

    private readonly string[] secrets;

    public SecretScrubber(params IEnumerable<string?> secrets)
    {
        // Longest first, so that a secret that contains another is removed as a whole. In URLs
        // secrets are escaped.
        this.secrets = secrets
            .OfType<string>()
            .Where(secret => secret.Length > 0)
            .SelectMany(secret => new[] { secret, Uri.EscapeDataString(secret) })
            .Distinct(StringComparer.Ordinal)
            .OrderByDescending(secret => secret.Length)
            .ToArray();
    }

    /// <summary>
    /// One line of printable text, without secrets and without user information in URLs.
    /// </summary>
    public string Clean(string? text)
    {
        string clean = text ?? "";
        foreach (string secret in secrets)
        {
            clean = clean.Replace(secret, "***", StringComparison.Ordinal);
        }

        clean = HideUserInfo(clean);
        clean = string.Create(
            Math.Min(clean.Length, MaxLength),
            clean,
            static (line, source) =>
            {
                for (int i = 0; i < line.Length; i++)
                {
                    line[i] = char.IsControl(source[i]) ? ' ' : source[i];
                }
            }
        );
        return clean.Trim();
    }

    private static string HideUserInfo(string text)
    {
        int start = 0;
        while (text.IndexOf("://", start, StringComparison.Ordinal) is >= 0 and int scheme)
        {
            start = scheme + 3;
            int end = text.AsSpan(start).IndexOfAny(" /\"'") is >= 0 and int stop ? start + stop : text.Length;
            int at = text.LastIndexOf('@', end - 1, end - start);
            if (at >= 0)
            {
                text = string.Concat(text.AsSpan(0, start), "***", text.AsSpan(at));
            }
        }

        return text;
    }
}
