namespace Restore.Cli.Help;

internal static class HelpText
{
    private const int OperandWidth = 21;

    /// <summary>
    /// The help of a command: what is its own. What most commands take is on a page of its own.
    /// </summary>
    public static void Write(TextWriter output, ICliCommand command, IReadOnlyList<ICliCommand> commands)
    {
        if (command == commands[0])
        {
            FirstScreen.Write(output, commands);
            return;
        }

        output.WriteLine($"restore {command.Name}: {command.Summary}.");
        HelpLines.WriteSection(output, "Usage", [$"{Usage(command, isMain: false)} [options]"]);
        output.WriteLine();
        foreach (var operand in command.Operands)
        {
            output.WriteLine(
                $"  {operand.Form.Trim('<', '>', '[', ']'), -OperandWidth}  {ExampleText.Sentence(operand.Meaning)}"
            );
        }

        foreach (
            var operand in command.Operands.Where(operand =>
                operand.Title is not null && operand.Title != Operand.Filters.Title
            )
        )
        {
            HelpLines.WriteSection(output, operand.Title!, ExampleText.Of(operand.Details.Split('\n')));
        }

        WriteOptions(output, command.Options.Where(group => !group.IsGeneral));
        HelpLines.WriteSection(output, HelpLines.Examples, ExampleText.Of(command.Examples));
        output.WriteLine();
        if (command.Operands.Any(operand => operand.Title == Operand.Filters.Title))
        {
            output.WriteLine("Filters: restore help filters");
        }

        var general = command.Options.Where(group => group.IsGeneral).Select(group => group.Title.ToLowerInvariant());
        output.WriteLine($"More options ({string.Join(", ", general)}): restore help options");
    }

    public static void WriteOptions(TextWriter output, IEnumerable<OptionGroup> groups)
    {
        foreach (var (title, options) in OptionGroup.Sections(groups))
        {
            HelpLines.WriteSection(output, title, options.SelectMany(Lines));
        }
    }

    public static string Usage(ICliCommand command, bool isMain) =>
        string.Join(
            ' ',
            command.Operands.Select(operand => operand.Form).Prepend(isMain ? "restore" : $"restore {command.Name}")
        );

    private static IEnumerable<string> Lines(Option option) =>
        HelpLines.Entry(
            string.Join(", ", option.Names) + (option.ValueName is null ? "" : $" {option.ValueName}"),
            Describe(option)
        );

    public static string Describe(Option option)
    {
        var defaultText = option.DefaultText is { } text ? $"default: {text}" : null;
        var remarks = string.Join("; ", new[] { option.Range, defaultText }.OfType<string>());
        return remarks.Length > 0 ? $"{option.Description} ({remarks})" : option.Description ?? "";
    }
}
