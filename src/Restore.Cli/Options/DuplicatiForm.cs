using Restore.Cli.Help;

namespace Restore.Cli.Options;

/// <summary>
/// Reads a command line in Duplicati's form and writes it in the form that System.CommandLine reads
/// without doubt: the command, each option as <c>--name=value</c> by its own name, and everything
/// else after <c>--</c>. Duplicati's form has switches as words (<c>--overwrite=no</c>), names in
/// any case, options of stores, options without effect, and filters that look like response files
/// (<c>@name</c>) or commands (<c>ls</c>). An option of another command is read and has no effect,
/// so that a command line can be used again. The <see cref="OptionTable"/> says what a name means;
/// a command says what its names mean beyond it.
/// </summary>
internal sealed class DuplicatiForm(
    OptionTable table,
    IReadOnlyList<ICliCommand> commands,
    Func<string, string> fromHome
)
{
    private const string HelpWord = "help";

    /// <summary>The command; the one that runs if none is named, as long as none is.</summary>
    public ICliCommand Command { get; private set; } = commands[0];

    /// <summary>
    /// The first argument if it names the command, which can be Duplicati's name for it; else null.
    /// </summary>
    public string? Word { get; private set; }

    public bool AsksForHelp { get; private set; }

    /// <summary>
    /// True if the first operand comes after <c>--</c>, and so is no misspelled command.
    /// </summary>
    public bool IsExplicit { get; private set; }

    /// <summary>
    /// The options of this program with their values, in order, whatever command takes them.
    /// </summary>
    public List<(Option Option, string Text)> Options { get; } = [];

    /// <summary>Everything that belongs to no option.</summary>
    public List<string> Operands { get; } = [];

    /// <summary>Options of the store, by name without dashes.</summary>
    public Dictionary<string, string> StoreOptions { get; } = new(StringComparer.Ordinal);

    /// <summary>
    /// The options that only Duplicati has, with their values; the command decides what they mean.
    /// </summary>
    public List<(string Name, string? Value)> Foreign { get; } = [];

    /// <summary>Options of other commands and of Duplicati that have no effect here.</summary>
    public List<string> WithoutEffect { get; } = [];

    public List<string> Errors { get; } = [];

    public static bool IsCommand(string word, IReadOnlyList<ICliCommand> commands) =>
        word == HelpWord || Find(word, commands) is not null;

    public void Read(IReadOnlyList<string> arguments)
    {
        for (var i = 0; i < arguments.Count; i++)
        {
            var argument = arguments[i];
            if (argument.Contains('\0', StringComparison.Ordinal))
            {
                Errors.Add($"{argument.Split('=', '\0')[0]}: the value has a NUL character in it");
            }
            else if (SwallowedQuote.ErrorIn(argument) is { } swallowed)
            {
                Errors.Add(swallowed);
            }
            else if (argument == "--")
            {
                IsExplicit = Operands.Count == 0;
                Operands.AddRange(arguments.Skip(i + 1));
                return;
            }
            else if (argument.Length > 1 && argument[0] == '-')
            {
                i += ReadOption(argument, i + 1 < arguments.Count ? arguments[i + 1] : null);
            }
            else if (Operands.Count > 0 || Word is not null)
            {
                Operands.Add(argument);
            }
            else if (argument == HelpWord && !AsksForHelp)
            {
                AsksForHelp = true;
            }
            else if (!(AsksForHelp && HelpTopics.Names.Contains(argument)) && Find(argument, commands) is { } named)
            {
                (Word, Command) = (argument, named);
            }
            else
            {
                Operands.Add(argument);
            }
        }
    }

    /// <summary>Runs another command instead, or the same one if the name is unknown.</summary>
    public void Become(string name) => Command = Find(name, commands) ?? Command;

    /// <summary>
    /// The command line for the parser. Options that the command does not take are left out, or
    /// refused.
    /// </summary>
    public IReadOnlyList<string> ToArguments()
    {
        List<string> arguments = Command == commands[0] ? [] : [Command.Name];
        foreach (var (option, text) in Options)
        {
            if (!Command.Takes(option))
            {
                var isAsked = option is Option<bool> ? text == "true" : text.Length > 0;
                var refusal = isAsked ? option.Details.RefusalBy(Command) : null;
                (refusal is null ? WithoutEffect : Errors).Add(refusal ?? option.Name);
            }
            else if (option.Action is null || text == "true")
            {
                // The parser takes an empty value for none after '=', and a value of its own that
                // begins with '-' for an option.
                arguments.AddRange(text.Length > 0 ? [$"{option.Name}={text}"] : [option.Name, text]);
            }
        }

        return [.. arguments, "--", .. Operands];
    }

    private static ICliCommand? Find(string word, IReadOnlyList<ICliCommand> commands) =>
        commands.FirstOrDefault(command => command.Name == word || command.DuplicatiNames.Contains(word))
        ?? commands.FirstOrDefault(command => command.NamesElsewhere.Contains(word) && !Path.Exists(word));

    /// <returns>How many of the following arguments belong to the option.</returns>
    private int ReadOption(string argument, string? next)
    {
        var equals = argument.IndexOf('=', StringComparison.Ordinal);
        var (name, given) = equals < 0 ? (argument, null) : (argument[..equals], argument[(equals + 1)..]);
        switch (table.Find(name))
        {
            case { Option: { } option }:
                var (text, error) = option.Spell(given);
                Errors.AddRange(error is null ? [] : [error]);
                return error is not null
                    ? 0
                    : ReadValue(
                        name,
                        text,
                        next,
                        value => Options.Add((option, option.NamesFile ? fromHome(value) : value))
                    );

            case { IsOfStore: true } form:
                return ReadValue(
                    name,
                    form.TakesValue ? given : given ?? "true",
                    next,
                    value => StoreOptions[form.Name] = FileOrText(value)
                );

            case { } form:
                var takesNext = form.TakesValue && given is null && IsValue(next);
                Foreign.Add((form.Name, takesNext ? next : given));
                return takesNext ? 1 : 0;

            default:
                Errors.Add(
                    $"{name} is not an option" + (table.Nearest(name) is { } near ? $". Did you mean {near}?" : "")
                );
                return 0;
        }
    }

    private int ReadValue(string name, string? value, string? next, Action<string> add)
    {
        if (value is null && next is not null && table.IsOwn(next.Split('=')[0]))
        {
            Errors.Add($"{name} needs a value, and {next} is an option; if it is meant as the value: {name}={next}");
            return 0;
        }

        if ((value ?? next) is { } text)
        {
            add(text);
        }
        else
        {
            Errors.Add($"{name} needs a value: {name}=<value>");
        }

        return value is null ? 1 : 0;
    }

    /// <summary>
    /// Nothing says which options of stores name a file, as an option with a key does; a password
    /// can begin in the same way.
    /// </summary>
    private string FileOrText(string text) => fromHome(text) is var path && File.Exists(path) ? path : text;

    private static bool IsValue(string? next) => next is not null && !next.StartsWith('-');
}
