namespace Restore.Planning.Paths;

/// <summary>What became of an entry's claim to a target path.</summary>
internal enum ClaimResult : byte
{
    /// <summary>The path is the entry's.</summary>
    Granted,

    /// <summary>Another entry for a folder has the path already: what is below both goes there, the attributes are those of the first.</summary>
    SharedFolder,

    /// <summary>Another entry has the path already, or entries lie below it that need a folder there.</summary>
    Taken,

    /// <summary>A file or a link of the backup is where a folder above the path would have to be.</summary>
    BelowNoFolder,
}

/// <summary>The answer to a claim.</summary>
/// <param name="Result">What became of it.</param>
/// <param name="Reason">Why it was not simply granted, as a sentence; null when it was.</param>
internal readonly record struct TargetClaim(ClaimResult Result, string? Reason = null);
