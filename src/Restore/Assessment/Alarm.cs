namespace Restore.Assessment;

/// <summary>What is wrong with a version compared with the one before it.</summary>
/// <param name="Transition">How the version differs.</param>
/// <param name="Hits">The signs of the files that are suspect.</param>
/// <param name="Reasons">In words and numbers.</param>
internal sealed record Alarm(Transition Transition, Signs Hits, IReadOnlyList<string> Reasons)
{
    /// <summary>
    /// The signs that caused it: a file that only changed on the same day is suspect too, but does
    /// not make later versions suspect.
    /// </summary>
    public Signs Core { get; init; }

    /// <summary>
    /// By how many bytes the files became longer, or a few more; 0 if that is not what they have in
    /// common.
    /// </summary>
    public long GrowthFrom { get; init; }

    /// <summary>Number of suspect files.</summary>
    public int Files { get; set; }

    /// <summary>
    /// How many of them are still as the alarm left them, in the version looked at.
    /// </summary>
    public int FilesLeft { get; set; }

    /// <summary>Number of suspect files with a sign that caused it.</summary>
    public int CoreFiles { get; set; }

    public int CoreLeft { get; set; }

    /// <summary>The alarm with what another one found in the same version.</summary>
    public Alarm With(Alarm other) =>
        new(Transition, Hits | other.Hits, [.. Reasons, .. other.Reasons])
        {
            Core = Core | other.Core,
            GrowthFrom = Math.Max(GrowthFrom, other.GrowthFrom),
        };

    public bool IsHit(in FileEvent happened) => (happened.Signs & Hits) != 0 && happened.Kind != EventKind.MovedHere;
}
