namespace Restore.Tests.Support.Machine;

/// <summary>Needs GnuPG.</summary>
[AttributeUsage(AttributeTargets.Class | AttributeTargets.Method)]
public sealed class NeedsGpgAttribute : NeedsAttribute
{
    public static bool HasGpg =>
        NeedsProgramsAttribute.Find("gpg") is not null || NeedsProgramsAttribute.Find("gpg2") is not null;

    public override string Need => "GnuPG";

    public override string? Missing => HasGpg ? null : "GnuPG is not installed; .ci/install-packages installs it";
}
