namespace Restore.Browse.Restoring;

/// <summary>
/// A folder that can be restored to, the first names of the folders in it, how many there are, and
/// the room on its device if that is known.
/// </summary>
internal sealed record TargetAnswer(string Folder, IReadOnlyList<string> Folders, int Total, long? FreeBytes);
