namespace Restore.Assessment;

/// <summary>How a version differs from the one before it.</summary>
/// <param name="Version">The number of the newer version; the oldest is 0.</param>
/// <param name="FilesBefore">The files of the older version.</param>
internal sealed record Transition(int Version, long FilesBefore)
{
    private readonly int[] counts = new int[16];

    public long Files { get; init; }

    /// <summary>
    /// Files of the older version that rarely change and that no program makes again: only these
    /// are counted by signs.
    /// </summary>
    public int Steady { get; init; }

    public long Bytes { get; init; }

    public int Changed { get; set; }

    public int Added { get; set; }

    public int Removed { get; set; }

    public int Moved { get; set; }

    /// <summary>Where its events begin and end in the log.</summary>
    public int EventsFrom { get; set; }

    public int EventsTo { get; set; }

    /// <summary>Groups of types of which many files changed, of those that people keep.</summary>
    public int KeptGroupsHit { get; set; }

    /// <summary>
    /// The signs that nearly only files of one type show, one that programs edit all at once.
    /// </summary>
    public Signs OneKind { get; set; }

    /// <summary>
    /// The number of bytes that most of the changed files grew by, or a few less.
    /// </summary>
    public long GrowthFrom { get; set; }

    /// <summary>Whether nearly all of them have exactly the length that they had.</summary>
    public bool GrowthIsExact { get; set; }

    /// <summary>
    /// Whether the folders that got the same new file are those in which something happened: so few
    /// of the others were hit that it is no chance.
    /// </summary>
    public bool NoteFollowsHarm { get; set; }

    /// <summary>
    /// By how many bytes files that rarely change became longer, at most <see
    /// cref="Growth.MostSmall"/>, with the numbers of their types and rows.
    /// </summary>
    public List<(int Bytes, int Type, int Row)> Growths { get; } = [];

    /// <summary>
    /// Whether small growth does not depend on the length of the files, as with a header.
    /// </summary>
    public bool GrowthIsConstant { get; set; }

    /// <summary>
    /// What is known about a sign besides the number of files: an extension, a name, a time.
    /// </summary>
    public Dictionary<Signs, string> Details { get; } = [];

    /// <summary>Number of files with a sign.</summary>
    public int this[Signs sign]
    {
        get => counts[System.Numerics.BitOperations.TrailingZeroCount((ushort)sign)];
        set => counts[System.Numerics.BitOperations.TrailingZeroCount((ushort)sign)] = value;
    }

    /// <summary>Counts a file with its signs.</summary>
    public void Count(Signs signs)
    {
        for (int bits = (ushort)signs; bits != 0; bits &= bits - 1)
        {
            counts[System.Numerics.BitOperations.TrailingZeroCount(bits)]++;
        }
    }
}
