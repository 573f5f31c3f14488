namespace Restore.Planning;

/// <summary>The parts of an entry that a pass brings.</summary>
[Flags]
internal enum EntryParts : byte
{
    /// <summary>The pass does not touch the entry.</summary>
    None = 0,

    /// <summary>The blocks of its content.</summary>
    Content = 1,

    /// <summary>The blocks of its metadata.</summary>
    Metadata = 2,

    /// <summary>The entry is finished in this pass, even if it has no blocks.</summary>
    Finish = 4,
}
