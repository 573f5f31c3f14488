using System.Diagnostics.CodeAnalysis;

namespace Restore.Maintenance;

/// <summary>
/// A retention policy in Duplicati's grammar: time frames and the least interval between the full
/// versions in them, as in <c>7D:1D,4W:1W,12M:1M</c>. A frame of <c>U</c> has no end, and an
/// interval of <c>U</c> keeps all versions.
/// </summary>
/// <param name="Frames">The time frames. Each frame begins where the next shorter one ends.</param>
public sealed record RetentionPolicy(IReadOnlyList<RetentionFrame> Frames)
{
    private const string Unlimited = "U";

    /// <summary>Parses a policy.</summary>
    /// <param name="text">The text.</param>
    /// <param name="policy">The policy; null if the text is not a policy.</param>
    /// <param name="error">Why the text cannot be used, without a full stop; null if it
    /// can.</param>
    public static bool TryParse(
        string text,
        [NotNullWhen(true)] out RetentionPolicy? policy,
        [NotNullWhen(false)] out string? error
    )
    {
        ArgumentNullException.ThrowIfNull(text);
        List<RetentionFrame> frames = [];
        policy = null;
        foreach (string pair in text.Split(',', StringSplitOptions.TrimEntries | StringSplitOptions.RemoveEmptyEntries))
        {
            string[] parts = pair.Split(':', StringSplitOptions.TrimEntries);
            if (
                parts.Length != 2
                || !TryParseSpan(parts[0], out TimeSpan? length)
                || !TryParseSpan(parts[1], out TimeSpan? interval)
            )
            {
                error = $"'{pair}' is not a time frame with an interval, such as 7D:1D";
                return false;
            }

            if (length <= TimeSpan.Zero)
            {
                error = $"'{pair}' has a time frame without length";
                return false;
            }

            if (interval > TimeSpan.Zero && interval >= length)
            {
                error = $"'{pair}' has an interval that is not shorter than its time frame";
                return false;
            }

            frames.Add(new RetentionFrame(length, interval ?? TimeSpan.Zero, pair));
        }

        error = frames.Count == 0 ? "it has no time frame; one is 7D:1D" : null;
        policy = frames.Count == 0 ? null : new RetentionPolicy(frames);
        return error is null;
    }

    private static bool TryParseSpan(string text, out TimeSpan? span)
    {
        bool isUnlimited = text.Equals(Unlimited, StringComparison.OrdinalIgnoreCase);
        bool isSpan = TimeExpression.TryParseSpan(text, out TimeSpan limited);
        span = isUnlimited ? null : limited;
        return isUnlimited || isSpan;
    }
}

/// <summary>A time frame of a retention policy.</summary>
/// <param name="Length">How far the frame goes back from now; null for no end.</param>
/// <param name="Interval">The least interval between the full versions in the frame; zero keeps
/// all.</param>
/// <param name="Text">The frame as it was written.</param>
public sealed record RetentionFrame(TimeSpan? Length, TimeSpan Interval, string Text);
