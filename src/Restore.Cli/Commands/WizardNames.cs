namespace Restore.Cli.Commands;

/// <summary>
/// The names like one that the guide did not find, with numbers that can be given as an answer.
/// </summary>
internal static class WizardNames
{
    private const int MostNames = 10;

    /// <summary>The paths that the command <c>find</c> prints; its versions are indented.</summary>
    public static IReadOnlyList<string> PathsIn(string found) =>
        [.. found.Split('\n').Where(line => line.Length > 0 && line[0] != ' ').Take(MostNames)];

    public static IEnumerable<string> Lines(IReadOnlyList<string> paths) =>
        paths.Select((path, at) => string.Create(CultureInfo.InvariantCulture, $"{at + 1, 4}  {path}"));

    /// <summary>
    /// The path with the number that is the answer, otherwise the answer itself. An @ keeps what
    /// looks like a wildcard as it is.
    /// </summary>
    public static string Chosen(string answer, IReadOnlyList<string> paths) =>
        !int.TryParse(answer, NumberStyles.None, CultureInfo.InvariantCulture, out var number)
        || number < 1
        || number > paths.Count
            ? answer
        : paths[number - 1].AsSpan().IndexOfAny("*?[") >= 0 ? "@" + paths[number - 1]
        : paths[number - 1];
}
