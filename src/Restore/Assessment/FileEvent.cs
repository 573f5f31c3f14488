namespace Restore.Assessment;

/// <summary>What happened to a path between two versions, and what it is a sign of.</summary>
/// <param name="Row">The number of the path.</param>
/// <param name="IsDoubtful">Whether the file looks encrypted or replaced, for itself.</param>
/// <param name="Content">The content that it has then; 0 for a file without one.</param>
[StructLayout(LayoutKind.Sequential, Pack = 4)]
internal record struct FileEvent(int Row, EventKind Kind, bool IsDoubtful, Signs Signs, ulong Content = 0);
