namespace Restore.Assessment;

/// <summary>
/// A path as the last version that has it describes it, and how it behaved so far.
/// </summary>
/// <param name="Content">The first 64 bits of the hash of the content.</param>
/// <param name="Type">The number of its extension.</param>
[StructLayout(LayoutKind.Sequential, Pack = 4)]
internal record struct FileRow(ulong Content, long SizeBytes, long TimeTicks, int Type, bool IsLink)
{
    /// <summary>
    /// The number of the last version that has it; versions count from 0, the oldest.
    /// </summary>
    public int Seen { get; set; }

    /// <summary>The number of the first version that has it.</summary>
    public int FirstSeen { get; set; }

    /// <summary>Whether an attack or a conflict may have made it: its removal is no loss.</summary>
    public bool CameWithAttack { get; set; }

    /// <summary>How often its content changed.</summary>
    public int Changes { get; set; }

    /// <summary>The row after it in the list of the last version that has it.</summary>
    public int Next { get; set; }

    /// <summary>
    /// Whether it changed in at most a third of the versions that have it. What changes all the
    /// time says nothing about an accident.
    /// </summary>
    public readonly bool IsCold => Changes * 3 <= Seen - FirstSeen;
}
