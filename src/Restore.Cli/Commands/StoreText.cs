using Restore.Cli.Help;

namespace Restore.Cli.Commands;

internal static class StoreText
{
    public static void Write(TextWriter output, IStoreProvider store)
    {
        output.WriteLine($"{store.Name}: {Plain(store.Summary)}");
        output.WriteLine(
            store.Options.Any(option => option.Name == "rclone-executable")
                ? "  reached by the program rclone"
                : "  built in"
        );
        foreach (var location in store.Locations)
        {
            output.WriteLine($"  {location}");
        }

        if (store.Options.Count > 0)
        {
            HelpLines.WriteSection(output, $"Options of {store.Name}", Lines(store.Options));
        }

        output.WriteLine();
    }

    public static void WriteCommon(TextWriter output, IReadOnlyList<StoreOption> options)
    {
        output.WriteLine(
            "All stores have these; local folders have --immutable, and for reading --read-write-timeout,"
        );
        output.WriteLine("--throttle-download and --bwlimit:");
        foreach (var line in Lines(options))
        {
            output.WriteLine("  " + line);
        }
    }

    private static IEnumerable<string> Lines(IEnumerable<StoreOption> options) =>
        options.SelectMany(option =>
            HelpLines.Entry(
                string.Join(", ", option.Aliases.Prepend(option.Name).Select(name => "--" + name)) + Value(option.Kind),
                Plain(option.Meaning) + (option.Default is null ? "" : $" (default: {Plain(option.Default)})")
            )
        );

    private static string Value(StoreOptionKind kind) =>
        kind switch
        {
            StoreOptionKind.Switch => "",
            StoreOptionKind.Number => " N",
            StoreOptionKind.Duration => " TIME",
            StoreOptionKind.Size => " SIZE",
            _ => " TEXT",
        };

    /// <summary>The text without the markup of the manual.</summary>
    private static string Plain(string text) => text.Replace('`', '\'');
}
