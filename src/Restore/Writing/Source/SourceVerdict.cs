namespace Restore.Writing.Source;

/// <summary>What happens to an entry of the sources.</summary>
/// <param name="IsTaken">Whether it is in the backup.</param>
/// <param name="LooksInto">Whether what is in it is looked at.</param>
/// <param name="Reason">What decided. Null if nothing did, or if a filter did and the caller did
/// not ask for reasons.</param>
internal readonly record struct SourceVerdict(bool IsTaken, bool LooksInto, string? Reason);
