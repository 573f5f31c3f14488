namespace Restore.Encryption;

/// <summary>Reads gpg's status lines (GnuPG's doc/DETAILS) out of its error stream.</summary>
internal static class GpgStatus
{
    private const string Mark = "[GNUPG:] ";

    /// <summary>
    /// GPG_ERR_BAD_PASSPHRASE; the bits above the lower 16 name the part of gpg that reports it.
    /// </summary>
    private const int BadPassphrase = 11;

    /// <summary>
    /// The exit code does not help: gpg also ends with 2 when its key ring is missing.
    /// </summary>
    public static GpgResult ResultOf(string errorStream, bool allowsKeys = false)
    {
        bool isOpened = false;
        bool isInside = false;
        bool isAuthentic = false;
        bool hasFailed = false;
        bool isWrong = false;
        bool isTouched = false;
        bool isSymmetric = false;
        bool isToKey = false;
        int textsInside = 0;
        int textsOutside = 0;
        foreach (ReadOnlySpan<char> line in errorStream.AsSpan().EnumerateLines())
        {
            if (!line.StartsWith(Mark))
            {
                continue;
            }

            ReadOnlySpan<char> status = line[Mark.Length..];
            isInside = Is(status, "DECRYPTION_INFO") || (isInside && !Is(status, "END_DECRYPTION"));
            isOpened |= isInside;
            isAuthentic |= Is(status, "DECRYPTION_OKAY");
            hasFailed |= Is(status, "DECRYPTION_FAILED");
            isWrong |= Is(status, "ERROR") && CodeOf(status) == BadPassphrase;
            isTouched |= Is(status, "BADMDC");
            isSymmetric |= Is(status, "NEED_PASSPHRASE_SYM");
            isToKey |= Is(status, "ENC_TO") || Is(status, "DECRYPTION_KEY");
            textsInside += isInside && Is(status, "PLAINTEXT") ? 1 : 0;
            textsOutside += !isInside && Is(status, "PLAINTEXT") ? 1 : 0;
        }

        if (!isOpened)
        {
            // gpg also outputs a text that was never encrypted, without any status line about
            // decryption.
            return GpgResult.NotOpened;
        }

        if (!allowsKeys && (isToKey || !isSymmetric))
        {
            return GpgResult.ToKey;
        }

        // Anyone can add text outside the encrypted part, and gpg outputs it with the rest. So
        // exactly one text must be there, and it must be inside.
        if (isAuthentic && !hasFailed && !isTouched && textsInside == 1 && textsOutside == 0)
        {
            return GpgResult.Authentic;
        }

        // A failure before any text came out is what most wrong passphrases cause: the key that
        // they give decrypts to noise.
        bool cameToNothing = hasFailed && !isTouched && textsInside + textsOutside == 0;
        return isWrong || cameToNothing ? GpgResult.WrongPassphrase : GpgResult.Damaged;
    }

    /// <summary>What gpg wrote for people, as one short line without control characters.</summary>
    public static string SentencesOf(string errorStream)
    {
        const int MaxChars = 300;
        const string Prefix = "gpg: ";
        IEnumerable<string> sentences = errorStream
            .Split('\n', StringSplitOptions.TrimEntries | StringSplitOptions.RemoveEmptyEntries)
            .Where(line => !line.StartsWith(Mark.TrimEnd(), StringComparison.Ordinal))
            .Select(line => line.StartsWith(Prefix, StringComparison.Ordinal) ? line[Prefix.Length..] : line);
        string joined = string.Concat(string.Join("; ", sentences).Where(c => !char.IsControl(c)).Take(MaxChars));
        return joined.Length > 0 ? $"gpg says: {joined}" : "gpg gives no reason";
    }

    private static bool Is(ReadOnlySpan<char> status, string keyword) =>
        status.StartsWith(keyword, StringComparison.Ordinal)
        && (status.Length == keyword.Length || status[keyword.Length] == ' ');

    /// <summary>The code of "ERROR where code[text]", or 0.</summary>
    private static int CodeOf(ReadOnlySpan<char> status)
    {
        ReadOnlySpan<char> code = status["ERROR".Length..].TrimStart();
        code = code[(code.IndexOf(' ') + 1)..];
        int digits = code.IndexOfAnyExceptInRange('0', '9');
        _ = uint.TryParse(
            digits < 0 ? code : code[..digits],
            NumberStyles.None,
            CultureInfo.InvariantCulture,
            out uint value
        );
        return (int)(value & 0xFFFF);
    }
}
