namespace Restore.Tests.Support.Machine;

/// <summary>
/// Needs Linux, and with it modes, owners, pipes, mounts, names that Windows does not have, and
/// libraries of the system: these tests are left out where the suite runs as a program of Windows.
/// </summary>
[AttributeUsage(AttributeTargets.Class | AttributeTargets.Method)]
public sealed class NeedsLinuxAttribute : NeedsAttribute
{
    public override string Need => "Linux";

    public override string? Missing => OperatingSystem.IsLinux() ? null : "This is another system";
}
