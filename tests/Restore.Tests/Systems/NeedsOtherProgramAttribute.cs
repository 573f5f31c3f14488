using Restore.Tests.Support.Machine;

namespace Restore.Tests.Systems;

/// <summary>Needs the program for another system, and what runs it here.</summary>
/// <param name="variable">The variable that names it.</param>
[AttributeUsage(AttributeTargets.Class)]
public sealed class NeedsOtherProgramAttribute(string variable) : NeedsAttribute
{
    public const string Windows = "RESTORE_WINDOWS_PROGRAM";
    public const string Arm = "RESTORE_ARM_PROGRAM";

    public override string Need => variable;

    public override string? Missing =>
        string.IsNullOrEmpty(Environment.GetEnvironmentVariable(variable))
            ? $"{variable} names no program; .ci/try-windows and .ci/try-arm do"
            : null;
}
