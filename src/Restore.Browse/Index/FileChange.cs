namespace Restore.Browse.Index;

/// <summary>What happened to a file since the version before.</summary>
internal enum FileChange
{
    Added,
    Changed,
    Removed,
}
