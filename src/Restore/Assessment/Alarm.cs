namespace Restore.Assessment;

/// <summary>What is wrong with a version compared with the one before it.</summary>
/// <param name="Transition">How the version differs.</param>
/// <param name="Hits">The signs of the files that are suspect.</param>
/// <param name="Reasons">In words and numbers.</param>
internal sealed record Alarm(Transition Transition, Signs Hits, IReadOnlyList<string> Reasons)
{
    /// <summary>Number of suspect files.</summary>
    public int Files { get; set; }

    /// <summary>
    /// How many of them are still as the alarm left them, in the version looked at.
    /// </summary>
    public int FilesLeft { get; set; }

    public bool IsHit(in FileEvent happened) => (happened.Signs & Hits) != 0 && happened.Kind != EventKind.MovedHere;
}
