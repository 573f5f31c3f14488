using System.Reflection;
using Xunit.Sdk;
using Xunit.v3;

namespace Restore.Tests.Support.Machine;

/// <summary>A row of data for a fixture that is too large for the repository. A machine without the fixture has no such row.</summary>
[AttributeUsage(AttributeTargets.Method, AllowMultiple = true)]
public sealed class FixtureDataAttribute(string fixture, params object[] others) : DataAttribute
{
    public override ValueTask<IReadOnlyCollection<ITheoryDataRow>> GetData(MethodInfo testMethod, DisposalTracker disposalTracker) =>
        new(Fixtures.Find(fixture) is null ? [] : [new TheoryDataRow([fixture, .. others])]);

    public override bool SupportsDiscoveryEnumeration() => true;
}
