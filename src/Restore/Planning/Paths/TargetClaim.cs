namespace Restore.Planning.Paths;

/// <summary>The result of an entry's claim to a target path.</summary>
internal enum ClaimResult : byte
{
    /// <summary>The path belongs to the entry.</summary>
    Granted,

    /// <summary>Another folder entry has the path already: the content of both goes there, with the attributes of the first.</summary>
    SharedFolder,

    /// <summary>Another entry has the path already, or entries lie below it that need a folder there.</summary>
    Taken,

    /// <summary>A file or a link of the backup is at the path of a folder above.</summary>
    BelowNoFolder,
}

/// <summary>The answer to a claim.</summary>
/// <param name="Result">The result.</param>
/// <param name="Reason">Why the claim was not simply granted; null if it was.</param>
internal readonly record struct TargetClaim(ClaimResult Result, string? Reason = null);
