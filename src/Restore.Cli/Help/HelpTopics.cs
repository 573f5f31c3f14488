namespace Restore.Cli.Help;

/// <summary>The pages of <c>restore help</c> that belong to no single command.</summary>
internal static class HelpTopics
{
    private const string Forms = """
        Options are written --name=value or --name value; switches --name, --name=true or --name=false.
        Sizes are 1024-based: 50mb. Options of stores, such as --auth-username or --s3-server-name, are taken
        by all commands: 'restore stores' lists them. Options of Duplicati that are not needed here, such as
        --tempdir, are accepted.
        """;

    private static readonly (string Name, Action<TextWriter, IReadOnlyList<ICliCommand>> Write)[] Topics =
    [
        ("options", WriteOptions),
        (
            "filters",
            (output, _) =>
                HelpLines.WriteSection(
                    output,
                    Operand.Filters.Title!,
                    ExampleText.Of(Operand.Filters.Details.Split('\n'))
                )
        ),
        (
            "exit-codes",
            (output, _) =>
                HelpLines.WriteSection(
                    output,
                    "Exit codes",
                    ExitCodes.Meanings.Select(code => $"{code.Code, -4} {code.Meaning}")
                )
        ),
        ("stores", (output, _) => StoresCommand.Write(output, HostStores.Registry.Providers)),
    ];

    public static IEnumerable<string> Names => Topics.Select(topic => topic.Name);

    /// <summary>Writes a page; false if no page has that name.</summary>
    public static bool TryWrite(TextWriter output, string name, IReadOnlyList<ICliCommand> commands)
    {
        var topic = Array.Find(Topics, topic => topic.Name == name);
        topic.Write?.Invoke(output, commands);
        return topic.Write is not null;
    }

    private static void WriteOptions(TextWriter output, IReadOnlyList<ICliCommand> commands)
    {
        output.WriteLine("The options of 'restore'; other commands take some of them, and have options of their own");
        HelpText.WriteOptions(output, commands[0].Options);
        output.WriteLine();
        output.WriteLine(Forms);
    }
}
