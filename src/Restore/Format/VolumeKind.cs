namespace Restore.Format;

/// <summary>The three kinds of volume; on disk they are called dlist, dindex and dblock.</summary>
internal enum VolumeKind : byte
{
    FileList,
    Index,
    Block,
}
