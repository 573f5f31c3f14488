namespace Restore.Planning.Paths;

/// <summary>What names a target takes, and which of them it takes for the same.</summary>
/// <param name="IsWindows">Whether names must be such as Windows takes; if not, all goes but '/' and NUL.</param>
/// <param name="CaseSensitive">Whether names that differ only in case are two.</param>
internal sealed record TargetRules(bool IsWindows, bool CaseSensitive)
{
    public static TargetRules Unix { get; } = new(IsWindows: false, CaseSensitive: true);

    public static TargetRules MacOS { get; } = new(IsWindows: false, CaseSensitive: false);

    public static TargetRules Windows { get; } = new(IsWindows: true, CaseSensitive: false);

    public static TargetRules ForThisSystem { get; } = OperatingSystem.IsWindows() ? Windows : OperatingSystem.IsMacOS() ? MacOS : Unix;
}
