using System.Text.RegularExpressions;

namespace Restore.Tests.FixtureTests;

/// <summary>The allowed results of a hostile version, from the text of its fixture.</summary>
/// <param name="MayBeRefused">The version as a whole may end with an error.</param>
/// <param name="MayBeComplete">All entries may come back.</param>
/// <param name="MayBePartial">The sound entries may come back and the odd ones be reported.</param>
/// <param name="IsEmpty">It has no entries.</param>
internal sealed partial record Verdict(bool MayBeRefused, bool MayBeComplete, bool MayBePartial, bool IsEmpty)
{
    public static Verdict Parse(string words)
    {
        Verdict verdict = new(
            Refused().IsMatch(words),
            Complete().IsMatch(words),
            Partial().IsMatch(words),
            words.StartsWith("an empty version", StringComparison.Ordinal)
        );
        Assert.True(verdict != new Verdict(false, false, false, false), $"These words are not understood: {words}");
        return verdict;
    }

    [GeneratedRegex("refused")]
    private static partial Regex Refused();

    [GeneratedRegex("^complete|or complete")]
    private static partial Regex Complete();

    [GeneratedRegex(
        "^partial|the sound entries and|entries before the cut and|the first one and an error|the other entries and an error"
    )]
    private static partial Regex Partial();
}
