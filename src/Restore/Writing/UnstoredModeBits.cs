namespace Restore.Writing;

/// <summary>
/// Entries that have setuid, setgid or sticky. As Duplicati does, a backup stores the low nine bits
/// of a mode, so a restore does not give them back.
/// </summary>
/// <param name="Files">Files that have one of them.</param>
/// <param name="Folders">Folders that have one of them.</param>
/// <param name="First">The first of their paths, in order, a few.</param>
public sealed record UnstoredModeBits(long Files, long Folders, IReadOnlyList<string> First);
