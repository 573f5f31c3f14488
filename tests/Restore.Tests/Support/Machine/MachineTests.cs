using System.Reflection;
using System.Text.RegularExpressions;

namespace Restore.Tests.Support.Machine;

/// <summary>What this machine lacks, each said once, with the tests that are not in the run because of it.</summary>
public sealed partial class MachineTests
{
    private static readonly ILookup<string, (NeedsAttribute Need, string Test)> All = Everything().ToLookup(row => row.Need.Need);

    public static TheoryData<string> Needs() => [.. All.Select(need => need.Key)];

    [Theory]
    [MemberData(nameof(Needs))]
    public void The_machine_has(string need)
    {
        string? missing = All[need].Select(row => row.Need.Missing).FirstOrDefault(text => text is not null);
        Assert.SkipWhen(missing is not null, $"{missing}. Not in this run: {string.Join(", ", All[need].Select(row => row.Test).Distinct().Order())}.");
    }

    [Fact]
    public void A_need_that_is_not_met_leaves_its_tests_out()
    {
        NeedsProgramsAttribute need = new("nothing", "no-such-program");
        Assert.Equal("no-such-program is not installed; nothing installs it", need.Missing);
        Assert.Null(new NeedsProgramsAttribute("nothing", "tests/expected-skips.txt").Missing);
        Assert.False(NeedsAttribute.AreMetFor(typeof(MachineTests).GetMethod(nameof(Never))!));
        Assert.True(NeedsAttribute.AreMetFor(typeof(MachineTests)));
    }

    [Fact]
    [NeedsPrograms("nothing", "no-such-program")]
    public void Never() => Assert.Fail("The machine does not have what this test needs.");

    [Fact]
    public void Every_expected_skip_names_a_test()
    {
        string[] patterns =
        [
            .. File.ReadLines(Path.Combine(Fixtures.RepositoryRoot(), "tests", "expected-skips.txt")).Where(line => line.Length > 0 && line[0] != '#'),
        ];
        HashSet<string> tests = [.. typeof(MachineTests).Assembly.GetTypes().SelectMany(type => type.GetMethods()).Select(method => method.Name)];
        Assert.NotEmpty(patterns);
        Assert.Empty(patterns.Select(pattern => LastName().Match(pattern).Groups[1].Value).Except(tests));
    }

    [GeneratedRegex(@"\\\.(\w+)(?:\$|\\\()")]
    private static partial Regex LastName();

    private static IEnumerable<(NeedsAttribute Need, string Test)> Everything()
    {
        foreach (Type type in typeof(MachineTests).Assembly.GetTypes().Where(type => type is { IsAbstract: false } && type != typeof(MachineTests)))
        {
            foreach (NeedsAttribute need in NeedsAttribute.Of(type).Where(_ => !typeof(IAsyncLifetime).IsAssignableFrom(type)))
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
