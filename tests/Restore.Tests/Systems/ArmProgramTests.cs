namespace Restore.Tests.Systems;

/// <summary>The program for Arm, under qemu.</summary>
[NeedsOtherProgram(NeedsOtherProgramAttribute.Arm)]
public sealed class ArmProgramTests() : OtherSystemTests(OtherProgram.Arm);
