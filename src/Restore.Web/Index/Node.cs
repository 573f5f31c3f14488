namespace Restore.Web.Index;

/// <summary>A path in any version: a name in a folder. Numbers are -1 for none.</summary>
/// <param name="Parent">The folder, whose number is lower; -1 for a root.</param>
/// <param name="NextSibling">The next node of the same folder.</param>
/// <param name="NameAt">Where its name is.</param>
/// <param name="NameLength">The length of its name in bytes.</param>
/// <param name="Hash">The hash code of folder and name.</param>
internal record struct Node(int Parent, int NextSibling, long NameAt, int NameLength, int Hash)
{
    public int FirstChild { get; set; } = -1;

    public int FirstState { get; set; } = -1;
}

/// <summary>What a path is in consecutive versions.</summary>
/// <param name="Kind">What it is.</param>
/// <param name="SizeBytes">The length of its content.</param>
/// <param name="TimeTicks">Its last-modified time in UTC ticks; 0 if the list has none.</param>
/// <param name="Content">The first 8 bytes of the hash of its content; 0 if the list has none.</param>
internal readonly record struct EntryContent(BackupEntryKind Kind, long SizeBytes, long TimeTicks, ulong Content)
{
    /// <summary>Whether only times differ, if anything.</summary>
    public bool HasContentOf(EntryContent other) => Kind == other.Kind && SizeBytes == other.SizeBytes && Content == other.Content;
}

/// <summary>A content of a path, with the versions that have it.</summary>
/// <param name="Next">The next state of the same path; -1 for none.</param>
/// <param name="Newest">The lowest index of the versions.</param>
/// <param name="Oldest">The highest index of the versions.</param>
/// <param name="Entry">What it is there.</param>
internal record struct NodeState(int Next, int Newest, int Oldest, EntryContent Entry);
