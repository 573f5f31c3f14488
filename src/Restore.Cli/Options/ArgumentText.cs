namespace Restore.Cli.Options;

/// <summary>
/// A program and its arguments in one text: separated by spaces, in single or double quotes if they
/// have some.
/// </summary>
internal static class ArgumentText
{
    public static IReadOnlyList<string> Split(string option, string text)
    {
        List<string> parts = [];
        for (var at = 0; at < text.Length; )
        {
            if (char.IsWhiteSpace(text[at]))
            {
                at++;
                continue;
            }

            var isQuoted = text[at] is '"' or '\'';
            var start = isQuoted ? at + 1 : at;
            var length = isQuoted
                ? text[start..].IndexOf(text[at], StringComparison.Ordinal)
                : text[start..].TakeWhile(letter => !char.IsWhiteSpace(letter)).Count();
            if (length < 0)
            {
                throw new UsageException($"{option}: a quote at the start of an argument has no end");
            }

            parts.Add(text.Substring(start, length));
            at = start + length + (isQuoted ? 1 : 0);
        }

        return parts;
    }
}
