using System.Text.RegularExpressions;

namespace Restore.Tests.Architecture;

/// <summary>
/// Tests with a server, a mount or a killed program have a trait, so that a run can leave them out
/// or take them alone.
/// </summary>
public sealed partial class SuiteTests
{
    [Theory]
    [InlineData("server")]
    [InlineData("mount")]
    [InlineData("kill")]
    public void A_test_class_that_needs_it_has_the_trait(string suite)
    {
        var need = suite switch
        {
            "server" => Server(),
            "mount" => Mount(),
            _ => Kill(),
        };
        var files = Directory
            .EnumerateFiles(
                Path.Combine(Fixtures.RepositoryRoot(), "tests", "Restore.Tests"),
                "*Tests.cs",
                SearchOption.AllDirectories
            )
            .Select(file => (Name: Path.GetFileName(file), Text: File.ReadAllText(file)))
            .Where(file => file.Name != nameof(SuiteTests) + ".cs" && need.IsMatch(file.Text))
            .ToList();
        Assert.NotEmpty(files);
        Violations.AssertNone(
            files
                .Where(file => need.Count(file.Text) > file.Text.Split($"[Trait(\"Suite\", \"{suite}\")]").Length - 1)
                .Select(file => $"{file.Name} has a class without the trait '{suite}'")
        );
    }

    [GeneratedRegex(@"class \w+Tests\b.*IClassFixture<\w+Server>")]
    private static partial Regex Server();

    [GeneratedRegex(@"class (?=\w+Tests\b)(?s:(?=.*\b(FaultMount|ProgramMount)\b))\w+")]
    private static partial Regex Mount();

    [GeneratedRegex(@"class Killed\w+Tests\b")]
    private static partial Regex Kill();
}
