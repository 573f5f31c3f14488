namespace Restore.Browse.Restoring;

/// <summary>An entry of a version; a folder with all that is in it.</summary>
internal sealed record Pick(int Version, int Id);
