namespace Restore.Cli.Commands;

/// <summary>
/// Advice for somebody who answers the questions of the guide: options and commands, which cannot
/// be typed there, are left out.
/// </summary>
internal static class GuideAdvice
{
    private const string Sentence = ". ";

    /// <returns>Null if nothing is left.</returns>
    public static string? Of(string advice)
    {
        var left = string.Join(Sentence, advice.Split(Sentence).Where(sentence => !NamesCommand(sentence)));
        return left.Length > 0 ? left : null;
    }

    private static bool NamesCommand(string sentence) =>
        sentence.Contains("'restore ", StringComparison.Ordinal) || sentence.Contains("--", StringComparison.Ordinal);
}
