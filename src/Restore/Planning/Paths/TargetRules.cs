namespace Restore.Planning.Paths;

/// <summary>Which names a target accepts, and which of them are equal there.</summary>
/// <param name="IsWindows">Whether names must be valid on Windows; if not, all but '/' and NUL are
/// valid.</param>
/// <param name="CaseSensitive">Whether names that differ only in case are two.</param>
internal sealed record TargetRules(bool IsWindows, bool CaseSensitive)
{
    public static TargetRules Unix { get; } = new(IsWindows: false, CaseSensitive: true);

    public static TargetRules MacOS { get; } = new(IsWindows: false, CaseSensitive: false);

    public static TargetRules Windows { get; } = new(IsWindows: true, CaseSensitive: false);

    public static TargetRules ForThisSystem { get; } =
        OperatingSystem.IsWindows() ? Windows
        : OperatingSystem.IsMacOS() ? MacOS
        : Unix;
}
