namespace Restore.Tests.Architecture;

/// <summary>
/// Fails with every violation in full; a collection's own assertion would cut the sentences short.
/// </summary>
internal static class Violations
{
    public static void AssertNone(IEnumerable<string> violations)
    {
        string all = string.Join(Environment.NewLine, violations.Distinct());
        Assert.True(all.Length == 0, all);
    }
}
