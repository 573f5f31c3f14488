using System.CommandLine;
using Restore.Cli.Commands;
using Restore.Cli.Parsing;

namespace Restore.Cli.Options;

/// <summary>
/// Converts a command line in Duplicati's form into an unambiguous form for the parser. Duplicati's form has parts that System.CommandLine
/// cannot distinguish: switches as words (<c>--overwrite=no</c>), options given twice (the last one counts), hundreds of options of stores,
/// options that a restore here does not need, and filters that look like response files (<c>@name</c>) or commands (<c>ls</c>). An option of another
/// command is read with its value and has no effect, so that a command line can be reused with another command.
/// </summary>
internal sealed class ArgumentNormalizer
{
    private readonly Dictionary<string, Option> known = new(StringComparer.OrdinalIgnoreCase);
    private readonly IReadOnlyList<ICliCommand> commands;
    private readonly List<(Option Option, string Value)> options = [];
    private readonly List<string> operands = [];
    private readonly Dictionary<string, string> storeOptions = new(StringComparer.Ordinal);
    private readonly List<string> withoutEffect = [];
    private readonly List<string> errors = [];
    private ICliCommand? command;

    private ArgumentNormalizer(IReadOnlyList<ICliCommand> commands)
    {
        this.commands = commands;
        foreach (var option in commands.SelectMany(command => command.Options).SelectMany(group => group.Options).Distinct())
        {
            known.Add(option.Name, option);
            foreach (var alias in option.Aliases)
            {
                known.Add(alias, option);
            }
        }
    }

    public static NormalizedArguments Normalize(IReadOnlyList<string> arguments, IReadOnlyList<ICliCommand> commands)
    {
        var normalizer = new ArgumentNormalizer(commands);
        normalizer.Read(arguments);
        var command = normalizer.command ?? commands[0];
        var written = normalizer.Write(command);
        return new NormalizedArguments(command, written, normalizer.storeOptions, normalizer.withoutEffect, normalizer.errors);
    }

    private void Read(IReadOnlyList<string> arguments)
    {
        for (var i = 0; i < arguments.Count; i++)
        {
            var argument = arguments[i];
            if (argument == "--")
            {
                operands.AddRange(arguments.Skip(i + 1));
                return;
            }

            if (argument.Length > 1 && argument[0] == '-')
            {
                i += ReadOption(argument, i + 1 < arguments.Count ? arguments[i + 1] : null);
            }
            else if (command is null && operands.Count == 0 && commands.Skip(1).FirstOrDefault(named => named.Name == argument) is { } named)
            {
                command = named;
            }
            else
            {
                operands.Add(argument);
            }
        }
    }

    /// <returns>How many of the following arguments belong to the option.</returns>
    private int ReadOption(string argument, string? next)
    {
        var equals = argument.IndexOf('=', StringComparison.Ordinal);
        var name = equals < 0 ? argument : argument[..equals];
        var value = equals < 0 ? null : argument[(equals + 1)..];
        if (known.TryGetValue(name, out var option))
        {
            return option.ValueType == typeof(bool) ? ReadFlag(option, value) : ReadValue(name, value, next, text => options.Add((option, text)));
        }

        var bare = name.TrimStart('-').ToLowerInvariant();
        if (ForeignOptions.IsStoreOption(bare))
        {
            return ReadValue(name, ForeignOptions.IsStoreFlag(bare) ? value ?? "true" : value, next, text => storeOptions[bare] = text);
        }

        if (ForeignOptions.IsNotNeeded(bare))
        {
            withoutEffect.Add("--" + bare);
        }
        else
        {
            var near = Suggestion.Nearest(name, known.Keys.Concat(HostStores.Registry.Options.Select(option => "--" + option.Name)));
            errors.Add($"{name} is not an option" + (near is null ? "" : $". Did you mean {near}?"));
        }

        return 0;
    }

    private int ReadFlag(Option option, string? value)
    {
        if (BooleanExpression.TryParse(value, out var isOn))
        {
            options.Add((option, isOn ? "true" : "false"));
        }
        else
        {
            errors.Add($"{option.Name}: '{value}' cannot be used; give true or false");
        }

        return 0;
    }

    private int ReadValue(string name, string? value, string? next, Action<string> add)
    {
        if ((value ?? next) is { } text)
        {
            add(text);
        }
        else
        {
            errors.Add($"{name} needs a value: {name}=<value>");
        }

        return value is null ? 1 : 0;
    }

    private List<string> Write(ICliCommand command)
    {
        var taken = command.Options.SelectMany(group => group.Options).ToHashSet();
        List<string> arguments = [];
        for (var i = 0; i < options.Count; i++)
        {
            var (option, value) = options[i];
            if (!taken.Contains(option))
            {
                withoutEffect.Add(option.Name);
            }
            else if (option.Arity.MaximumNumberOfValues > 1 || options.FindLastIndex(later => later.Option == option) == i)
            {
                // Joined with its option, a value that looks like an option stays a value, and an empty value is not lost.
                arguments.AddRange(value.Length > 0 ? [$"{option.Name}={value}"] : [option.Name, value]);
            }
        }

        return [.. arguments, "--", .. operands];
    }
}
