using System.Reflection;
using Xunit.Sdk;
using Xunit.v3;

namespace Restore.Tests.Support.Machine;

/// <summary>A row of data for each of these fixtures.</summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class FixtureDataAttribute(params string[] fixtures) : DataAttribute
{
    public override ValueTask<IReadOnlyCollection<ITheoryDataRow>> GetData(
        MethodInfo testMethod,
        DisposalTracker disposalTracker
    ) => new([.. fixtures.Select(fixture => new TheoryDataRow(fixture))]);

    public override bool SupportsDiscoveryEnumeration() => true;
}
