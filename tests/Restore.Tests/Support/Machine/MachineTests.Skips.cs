using System.Text.RegularExpressions;

namespace Restore.Tests.Support.Machine;

public sealed partial class MachineTests
{
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
            .. File.ReadLines(Path.Combine(Fixtures.RepositoryRoot(), "tests", "expected-skips.txt"))
                .Where(line => line.Length > 0 && line[0] != '#'),
        ];
        HashSet<string> tests =
        [
            .. typeof(MachineTests)
                .Assembly.GetTypes()
                .SelectMany(type => type.GetMethods())
                .Select(method => method.Name),
        ];
        Assert.NotEmpty(patterns);
        Assert.Empty(patterns.Select(pattern => LastName().Match(pattern).Groups[1].Value).Except(tests));
    }

    [GeneratedRegex(@"\\\.(\w+)(?:\$|\\\()")]
    private static partial Regex LastName();
}
