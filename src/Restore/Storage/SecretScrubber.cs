namespace Restore.Storage;

/// <summary>Takes credentials out of text that others wrote, such as a server's message, before it is shown.</summary>
internal sealed class SecretScrubber
{
    // A server's message is shown to a person: a sentence or two.
    private const int MaxLength = 400;

    private readonly string[] secrets;

    public SecretScrubber(params IEnumerable<string?> secrets)
    {
        // Longest first, so that a secret that contains another is taken out whole; in URLs a secret stands escaped.
        this.secrets = secrets
            .OfType<string>()
            .Where(secret => secret.Length > 0)
            .SelectMany(secret => new[] { secret, Uri.EscapeDataString(secret) })
            .Distinct(StringComparer.Ordinal)
            .OrderByDescending(secret => secret.Length)
            .ToArray();
    }

    /// <summary>One line of printable text, without the secrets and without what stands before an @ in a URL.</summary>
    public string Clean(string? text)
    {
        string clean = text ?? "";
        foreach (string secret in secrets)
        {
            clean = clean.Replace(secret, "***", StringComparison.Ordinal);
        }

        clean = HideUserInfo(clean);
        clean = string.Create(Math.Min(clean.Length, MaxLength), clean, static (line, source) =>
        {
            for (int i = 0; i < line.Length; i++)
            {
                line[i] = char.IsControl(source[i]) ? ' ' : source[i];
            }
        });
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
