namespace Restore.Planning.Paths;

/// <summary>The settings of a <see cref="PathMap"/>.</summary>
/// <param name="Style">How the backup spells its paths.</param>
/// <param name="Rules">Which names the target accepts.</param>
/// <param name="PrefixLength">Bytes to cut off the start of each path.</param>
/// <param name="ToOriginalPlaces">Whether entries go to their original places.</param>
internal sealed record PathMapSettings(PathStyle Style, TargetRules Rules, int PrefixLength, bool ToOriginalPlaces);
