namespace Restore.Planning.Paths;

/// <summary>What a <see cref="PathMap"/> is made from.</summary>
/// <param name="Style">How the backup spells its paths.</param>
/// <param name="Rules">What names the target takes.</param>
/// <param name="PrefixLength">Bytes cut off the start of each path.</param>
/// <param name="ToOriginalPlaces">Whether entries go to where they came from.</param>
internal sealed record PathMapSettings(PathStyle Style, TargetRules Rules, int PrefixLength, bool ToOriginalPlaces);
