namespace Restore.Assessment;

/// <summary>A file that is gone, and the new file that took its name with something added.</summary>
/// <param name="IsAppended">Whether the new name begins with the whole old one.</param>
internal readonly record struct NamePair(int Old, int New, bool IsAppended);
