namespace Restore.Cli.Help;

/// <summary>
/// Converts examples to the form of the system that the program runs on. They are declared in the
/// form of a Unix shell.
/// </summary>
internal static class ExampleText
{
    private static readonly (string Unix, string Windows)[] Folders =
    [
        // The first that occurs in a word is replaced, so a longer path comes before its beginning.
        ("/mnt/backup", @"D:\Backup"),
        ("/media/ann/usb-disk", @"E:\Backup"),
        ("/mnt/", @"D:\"),
        ("/home/ann", @"C:\Users\ann"),
        ("/root/", @"C:\Users\ann\"),
        ("/tmp/", @"C:\Temp\"),
    ];

    public static IEnumerable<string> Of(IEnumerable<string> examples) =>
        OperatingSystem.IsWindows() ? examples.Select(ForWindows) : examples;

    /// <summary>
    /// Neither shell of Windows takes single quotes for a filter in the same way, and paths have
    /// drives.
    /// </summary>
    internal static string ForWindows(string example) => Paths(WithDoubleQuotes(example));

    /// <summary>A sentence, with its paths in the form of this system.</summary>
    public static string Sentence(string text) => OperatingSystem.IsWindows() ? Paths(text) : text;

    internal static string Paths(string text) => string.Join(' ', text.Split(' ').Select(Word));

    /// <summary>An apostrophe within a word stays.</summary>
    private static string WithDoubleQuotes(string text) =>
        string.Create(
            text.Length,
            text,
            (result, from) =>
            {
                for (var i = 0; i < from.Length; i++)
                {
                    var isApostrophe =
                        i > 0 && i + 1 < from.Length && char.IsLetter(from[i - 1]) && char.IsLetter(from[i + 1]);
                    result[i] = from[i] == '\'' && !isApostrophe ? '"' : from[i];
                }
            }
        );

    private static string Word(string word)
    {
        foreach (var (unix, windows) in Folders)
        {
            var at = word.IndexOf(unix, StringComparison.Ordinal);
            if (at >= 0 && !word.Contains("://", StringComparison.Ordinal))
            {
                return word[..at] + windows + word[(at + unix.Length)..].Replace('/', '\\');
            }
        }

        return word;
    }
}
