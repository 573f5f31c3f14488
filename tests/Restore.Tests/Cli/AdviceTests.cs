using System.Reflection;
using System.Text.RegularExpressions;
using Restore.Cli;

namespace Restore.Tests.Cli;

/// <summary>
/// The library names no option and no command: what a user can do is in one table of the host.
/// </summary>
public sealed partial class AdviceTests
{
    private static readonly string Documented = string.Concat(
        from page in new[] { "cli.md", "stores.md", "selection-and-paths.md" }
        select File.ReadAllText(Path.Combine(Fixtures.RepositoryRoot(), "docs", page))
    );

    private static FieldInfo[] Codes =>
        [.. typeof(RestoreErrorCode).GetFields(BindingFlags.Public | BindingFlags.Static).Where(one => one.IsLiteral)];

    public static TheoryData<string> ErrorCodes => [.. Codes.Select(one => (string)one.GetRawConstantValue()!)];

    public static TheoryData<IssueCode> IssueCodes => [.. Enum.GetValues<IssueCode>()];

    [Theory]
    [MemberData(nameof(ErrorCodes))]
    public void Every_code_of_an_error_has_a_row(string code) => AssertUsable(Advice.For(code));

    [Theory]
    [MemberData(nameof(IssueCodes))]
    public void Every_code_of_an_issue_has_a_row(IssueCode code) => AssertUsable(Advice.For(code));

    [Theory]
    [MemberData(nameof(ErrorCodes))]
    public void Every_code_of_an_error_has_a_kind(string code) =>
        Assert.True(Enum.IsDefined(new RestoreException(code, "It failed").Kind));

    [Fact]
    public void The_text_of_a_code_is_its_name_and_a_code_of_somebody_else_is_a_failure()
    {
        Assert.NotEmpty(Codes);
        Assert.All(Codes, one => Assert.Equal(one.Name, one.GetRawConstantValue()));
        Assert.Equal(RestoreErrorKind.Failed, new RestoreException("MyStoreFailed", "It failed").Kind);
    }

    [Fact]
    public void A_code_that_does_not_exist_has_no_row()
    {
        Assert.Throws<ArgumentOutOfRangeException>(() => Advice.For("Nothing"));
        Assert.Throws<ArgumentOutOfRangeException>(() => Advice.For((IssueCode)99));
    }

    /// <summary>No full stop at the end, and only options that a page describes.</summary>
    private static void AssertUsable(string? advice)
    {
        if (advice is null)
        {
            return;
        }

        Assert.False(advice.EndsWith('.'), advice);
        foreach (Match option in LongOption().Matches(advice))
        {
            Assert.True(
                Documented.Contains(option.Value[2..], StringComparison.Ordinal),
                $"No page describes {option.Value}: {advice}"
            );
        }
    }

    [GeneratedRegex("--[a-z][a-z0-9-]*")]
    private static partial Regex LongOption();
}
