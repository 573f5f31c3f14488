namespace Restore.Cli.Help;

/// <summary>
/// Converts examples to the form of the system that the program runs on. They are declared in the
/// form of a Unix shell.
/// </summary>
internal static class ExampleText
{
    private static readonly (string Unix, string Windows)[] Folders =
    [
        ("/mnt/backup", @"D:\Backup"),
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
    internal static string ForWindows(string example) =>
        string.Join(' ', example.Replace('\'', '"').Split(' ').Select(Word));

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
