namespace Restore.Planning;

[Flags]
internal enum EntryParts : byte
{
    None = 0,

    Content = 1,

    Metadata = 2,

    /// <summary>The entry is finished in this pass, even if it has no blocks.</summary>
    Finish = 4,
}
