namespace Restore.Format;

/// <summary>The properties an entry of a file list can have; a set of them when combined.</summary>
[Flags]
internal enum FileListProperty : ushort
{
    /// <summary>None, or an unknown property that is skipped.</summary>
    None = 0,
    Type = 1 << 0,
    Path = 1 << 1,
    Hash = 1 << 2,
    Size = 1 << 3,
    Time = 1 << 4,
    MetaHash = 1 << 5,
    MetaSize = 1 << 6,
    MetaBlocklists = 1 << 7,
    MetaBlockHash = 1 << 8,
    Blocklists = 1 << 9,
    BlockHash = 1 << 10,
    BlockSize = 1 << 11,
}
