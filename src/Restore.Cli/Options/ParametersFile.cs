namespace Restore.Cli.Options;

/// <summary>
/// Duplicati's files with options: a line is <c>--name=value</c>, a comment after #, or empty.
/// Options of the file take precedence. <c>--target</c> there is the storage URL, <c>--source</c>
/// what to back up, and three options change the filters of the command line.
/// </summary>
internal static class ParametersFile
{
    public const string Name = "--parameters-file";
    public const string OtherName = "--parameter-file";
    public const string NoPlaceForTarget =
        $"{Name}: --target in such a file cannot be used here, because the first argument is no backup to read";

    // Thousands of filters.
    private const int MostCharacters = 16 << 20;

    private const string Prepend = "--prepend-filter";
    private const string Append = "--append-filter";
    private const string Replace = "--replace-filter";

    /// <summary>
    /// Inserts the options of the named files where they have the right precedence.
    /// </summary>
    /// <param name="arguments">The command line.</param>
    /// <param name="isKnown">Whether an option has this name, with its dashes.</param>
    /// <param name="fromHome">Replaces a tilde before the name of a file.</param>
    /// <param name="errors">Receives what cannot be used.</param>
    public static (
        IReadOnlyList<string> Arguments,
        string? Target,
        IReadOnlyList<string> Sources,
        IReadOnlyList<string> Files
    ) Expand(
        IReadOnlyList<string> arguments,
        Predicate<string> isKnown,
        Func<string, string> fromHome,
        List<string> errors
    )
    {
        List<string> given = [],
            last = [],
            first = [],
            files = [],
            sources = [];
        string? target = null;
        var replaces = false;

        // What follows the two dashes is no option, even if it looks like one.
        var end = arguments.TakeWhile(argument => argument != "--").Count();
        for (var i = 0; i < end; i++)
        {
            if (!IsNamed(arguments[i], out var file))
            {
                given.Add(arguments[i]);
                continue;
            }

            file ??= i + 1 < end ? arguments[++i] : null;
            if (file is null)
            {
                errors.Add($"{Name} needs a value: {Name}=<value>");
                continue;
            }

            file = fromHome(file);
            files.Add(file);
            foreach (var (name, value) in Read(file, isKnown, errors))
            {
                switch (name)
                {
                    case "--target":
                        target = value;
                        break;
                    case "--source":
                        sources.Add(value);
                        break;
                    case Name or OtherName:
                        errors.Add($"{Name}: {file} names another such file");
                        break;
                    case Prepend:
                        first.AddRange(Filters(name, value, errors));
                        break;
                    case Append:
                        last.AddRange(Filters(name, value, errors));
                        break;
                    case Replace:
                        replaces = true;
                        last.AddRange(Filters(name, value, errors));
                        break;
                    case "--include" or "--exclude" when arguments.Take(end).Any(IsFilter):
                        errors.Add(
                            $"{Name}: filters are in {file} and on the command line, so their order is not known; use {Prepend}, {Append} or {Replace}"
                        );
                        break;
                    default:
                        last.Add($"{name}={value}");
                        break;
                }
            }
        }

        return (
            // The first filter that matches decides, so filters to prepend go first. Of other
            // options the last use counts, so what the file has goes last and wins.
            [.. first, .. replaces ? WithoutFilters(given) : given, .. last, .. arguments.Skip(end)],
            target,
            sources,
            files
        );
    }

    private static bool IsNamed(string argument, out string? file)
    {
        var parts = argument.Split('=', 2);
        file = parts.Length > 1 ? parts[1].Trim('"') : null;
        return parts[0].Equals(Name, StringComparison.OrdinalIgnoreCase)
            || parts[0].Equals(OtherName, StringComparison.OrdinalIgnoreCase);
    }

    private static IEnumerable<(string Name, string Value)> Read(
        string file,
        Predicate<string> isKnown,
        List<string> errors
    )
    {
        try
        {
            var text = NamedFile
                .Text(Name, file, MostCharacters)
                .Replace("\r\n", "\n", StringComparison.Ordinal)
                .Replace('\r', '\n');
            string[] lines = [.. text.Split('\n').Select(line => line.Trim())];

            // Without what such a line says, a restore could go over the original places: a dash of
            // a web page, quotes, none at all. The text can be a secret.
            if (
                Array.FindIndex(lines, line => line.Length > 0 && line[0] != '#' && !IsOption(line))
                is var other
                    and >= 0
            )
            {
                errors.Add($"{Name}: line {other + 1} of {file} does not begin with --; a comment begins with #");
            }

            if (Array.FindIndex(lines, line => HasAnother(line, isKnown)) is var several and >= 0)
            {
                errors.Add($"{Name}: line {several + 1} of {file} has several options; give each a line of its own");
            }

            return [.. lines.Where(IsOption).Select(Option)];
        }
        catch (UsageException failure)
        {
            errors.Add(failure.Message);
            return [];
        }
    }

    private static bool HasAnother(string line, Predicate<string> isKnown) =>
        IsOption(line)
        && !line.EndsWith('"')
        && line.Split(" --").Skip(1).Any(next => isKnown($"--{next.Split('=', 2)[0].TrimEnd()}"));

    private static bool IsOption(string line) => line.StartsWith("--", StringComparison.Ordinal);

    private static (string Name, string Value) Option(string line)
    {
        var parts = line.Split('=', 2);
        var value = parts.Length > 1 ? parts[1] : "";
        return (parts[0].ToLowerInvariant(), value is ['"', .., '"'] ? value[1..^1] : value);
    }

    /// <summary>
    /// Filters with + or - before each, and the separator of search paths between them.
    /// </summary>
    private static IEnumerable<string> Filters(string name, string value, List<string> errors)
    {
        string[] filters = value.Split(Path.PathSeparator, StringSplitOptions.RemoveEmptyEntries);
        if (filters.All(string.IsNullOrWhiteSpace))
        {
            // Filters of the command line would go, and everything would be selected.
            errors.Add($"{name} has no filter; leave it out, or give +FILTER or -FILTER");
            yield break;
        }

        foreach (var filter in filters)
        {
            if (filter is ['+' or '-', _, ..])
            {
                yield return $"{(filter[0] == '+' ? "--include" : "--exclude")}={filter[1..]}";
            }
            else
            {
                errors.Add($"{name}: '{filter}' begins neither with + nor with -");
            }
        }
    }

    private static bool IsFilter(string argument) => argument.Split('=', 2)[0] is "--include" or "--exclude";

    private static IEnumerable<string> WithoutFilters(List<string> arguments)
    {
        for (var i = 0; i < arguments.Count; i++)
        {
            if (!IsFilter(arguments[i]))
            {
                yield return arguments[i];
            }
            else if (!arguments[i].Contains('=', StringComparison.Ordinal))
            {
                i++;
            }
        }
    }
}
