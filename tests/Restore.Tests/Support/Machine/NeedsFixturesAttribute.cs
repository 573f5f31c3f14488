namespace Restore.Tests.Support.Machine;

/// <summary>Needs one of the fixtures that are too large for the repository.</summary>
[AttributeUsage(AttributeTargets.Class | AttributeTargets.Method)]
public sealed class NeedsFixturesAttribute(params string[] fixtures) : NeedsAttribute
{
    public override string Need => "../shared/fixtures";

    public override string? Missing => fixtures.All(name => Fixtures.Find(name) is not null)
        ? null
        : $"The fixtures {string.Join(", ", Fixtures.Large)} are too large for the repository; they belong into ../shared/fixtures beside the clone";
}
