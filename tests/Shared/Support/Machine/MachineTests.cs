using System.Reflection;

namespace Restore.Tests.Support.Machine;

/// <summary>
/// What this machine lacks, each said once, with the tests that are not in the run because of it.
/// </summary>
public sealed partial class MachineTests
{
    private static readonly ILookup<string, (NeedsAttribute Need, string Test)> All = Everything()
        .ToLookup(row => row.Need.Need);

    public static TheoryData<string> Needs() => [.. All.Select(need => need.Key)];

    [Theory]
    [MemberData(nameof(Needs))]
    public void The_machine_has(string need)
    {
        string? missing = All[need].Select(row => row.Need.Missing).FirstOrDefault(text => text is not null);
        Assert.SkipWhen(
            missing is not null,
            $"{missing}. Not in this run: {string.Join(", ", All[need].Select(row => row.Test).Distinct().Order())}."
        );
    }

    private static IEnumerable<(NeedsAttribute Need, string Test)> Everything()
    {
        foreach (
            Type type in typeof(MachineTests)
                .Assembly.GetTypes()
                .Where(type => type is { IsAbstract: false } && type != typeof(MachineTests))
        )
        {
            foreach (
                NeedsAttribute need in NeedsAttribute
                    .Of(type)
                    .Where(_ => !typeof(IAsyncLifetime).IsAssignableFrom(type))
            )
            {
                yield return (need, type.Name);
            }

            foreach (MethodInfo test in type.GetMethods())
            {
                foreach (NeedsAttribute need in NeedsAttribute.Of(test))
                {
                    yield return (need, $"{type.Name}.{test.Name}");
                }
            }
        }
    }
}
