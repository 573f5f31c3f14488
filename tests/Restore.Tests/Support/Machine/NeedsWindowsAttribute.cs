namespace Restore.Tests.Support.Machine;

/// <summary>Needs Windows, or Wine: <c>.ci/try-windows</c> runs these tests there.</summary>
[AttributeUsage(AttributeTargets.Class | AttributeTargets.Method)]
public sealed class NeedsWindowsAttribute : NeedsAttribute
{
    public override string Need => "Windows";

    public override string? Missing =>
        OperatingSystem.IsWindows() ? null : "This is another system; .ci/try-windows runs them under Wine";
}
