using System.Text.RegularExpressions;

namespace Restore.Cli.Options;

/// <summary>
/// What a job of Duplicati says about an operation that changes its backup. The values count as if
/// they were on the command line, which takes precedence.
/// </summary>
internal static class JobValues
{
    private const string Required = "run-script-before-required";

    // Only one of these counts: any one on the command line replaces the one of the job.
    private static readonly string[] Retention = ["--version", "--keep-versions", "--keep-time", "--retention-policy"];

    // The access to the backup takes these, and the command its sources and filters.
    private static readonly string[] Taken = ["passphrase", "prefix", "backup-name", "backup-id"];

    private static readonly string[] StartPrograms = ["run-script-before", "run-script-after"];

    /// <summary>
    /// The options of the job that a command takes, as arguments, and what is not taken of it.
    /// </summary>
    /// <exception cref="UsageException">The job asks for something unsupported.</exception>
    public static (IReadOnlyList<string> Options, IReadOnlyList<string> NotTaken) Of(CommandLine line, DuplicatiJob job)
    {
        var declared = line
            .Command.Options.Where(group => group.IsFromJob)
            .SelectMany(group => group.Options)
            .Concat(line.Command.Options.SelectMany(group => group.Options).Where(option => option.Name == "--dry-run"))
            .ToList();
        if (declared.Count == 0)
        {
            return ([], []);
        }

        List<string> values = [];
        List<string> notTaken = [];
        foreach (var (given, value) in job.Options.OrderBy(option => option.Key, StringComparer.Ordinal))
        {
            var name = given.ToLowerInvariant();
            if (Taken.Contains(name) || ForeignOptions.IsStoreOption(name))
            {
                continue;
            }

            var option = declared.FirstOrDefault(option => option.Names.Contains("--" + name));

            // A path of the job is a path of the machine that it ran on, so options that name a
            // file are not taken.
            if (option is not null && !option.NamesFile)
            {
                // Duplicati writes an empty module for a backup without encryption.
                var isUnencrypted = name == "encryption-module" && value.Length == 0;
                var meant = isUnencrypted ? declared.First(other => other.Name == "--no-encryption") : option;
                values.AddRange(IsGiven(line, meant) ? [] : Parse(job, meant, name, isUnencrypted ? "true" : value));
                continue;
            }

            Require(line, job, name, value);
            notTaken.Add($"--{name}{(StartPrograms.Contains(name) ? " (a job starts no program; give it here)" : "")}");
        }

        return (values, notTaken);
    }

    /// <summary>
    /// The sources of a job, with the names of folders and variables in them expanded, as
    /// Duplicati's server does it.
    /// </summary>
    /// <exception cref="UsageException">A name is not known.</exception>
    public static IEnumerable<string> SourcesOf(DuplicatiJob job, CliEnvironment environment) =>
        job.Sources.Select(source =>
            Expand(
                source,
                environment,
                name =>
                    throw new UsageException(
                        $"The job names {name} in '{source}', and this machine has no such folder or variable; name the sources here"
                    )
            )
        );

    /// <summary>
    /// The filters of a job; what is no name of a folder or variable stays as it is.
    /// </summary>
    public static IEnumerable<FilterRule> FiltersOf(DuplicatiJob job, CliEnvironment environment) =>
        job.Filters.Select(rule => rule with { Expression = Expand(rule.Expression, environment, name => name) });

    private static string Expand(string text, CliEnvironment environment, Func<string, string> unknown)
    {
        var isRegex = text.StartsWith('[');
        return Regex.Replace(
            text,
            "%([A-Za-z_][A-Za-z0-9_]*)%",
            match =>
            {
                var value = FolderOf(match.Groups[1].Value, environment) ?? environment.Variable(match.Groups[1].Value);
                return string.IsNullOrEmpty(value) ? unknown(match.Value)
                    : isRegex ? Regex.Escape(value)
                    : value;
            }
        );
    }

    private static IEnumerable<string> Parse(DuplicatiJob job, Option option, string name, string value)
    {
        if (option.TakesValue && value.Length == 0)
        {
            return [];
        }

        var (text, error) = option.Spell(value);
        return error is null
            ? [$"{option.Name}={text}"]
            : throw new UsageException($"The job '{job.Name}': --{name}: {error}");
    }

    private static bool IsGiven(CommandLine line, Option option) =>
        line.Given.Any(given =>
            given.Option == option
            || (Retention.Contains(option.Name) && Retention.Contains(given.Option.Name))
            || (
                option.Name == "--no-encryption"
                && given.Option.Name is "--passphrase" or "--passphrase-file" or "--passphrase-command"
            )
        );

    private static void Require(CommandLine line, DuplicatiJob job, string name, string value)
    {
        var isGiven =
            line.Foreign.Any(given => given.Name == name) || line.Given.Any(given => given.Option.Name == "--" + name);
        if (!isGiven && name == Required && value.Length > 0)
        {
            throw new UsageException(
                $"The job '{job.Name}' needs a program before it, and a job starts none: give it here with --{Required}, or --{Required}= to go without"
            );
        }

        if (!isGiven && DuplicatiOptions.Refusal(line.Command.Name, name, value) is { } refusal)
        {
            throw new UsageException($"The job '{job.Name}': {refusal}; give --{name}= here to go without");
        }
    }

    private static string? FolderOf(string name, CliEnvironment environment)
    {
        var home = environment.Variable("HOME") is { Length: > 0 } variable
            ? variable
            : Environment.GetFolderPath(Environment.SpecialFolder.UserProfile);
        return name.ToUpperInvariant() switch
        {
            "HOME" => home,
            "MY_DOCUMENTS" => Environment.GetFolderPath(Environment.SpecialFolder.MyDocuments),
            "MY_MUSIC" => Environment.GetFolderPath(Environment.SpecialFolder.MyMusic),
            "MY_PICTURES" => Environment.GetFolderPath(Environment.SpecialFolder.MyPictures),
            "MY_VIDEOS" => Environment.GetFolderPath(Environment.SpecialFolder.MyVideos),
            "DESKTOP" => Environment.GetFolderPath(Environment.SpecialFolder.DesktopDirectory),
            "APPDATA" when OperatingSystem.IsWindows() => Environment.GetFolderPath(
                Environment.SpecialFolder.ApplicationData
            ),
            "MY_MOVIES" => Path.Combine(home, "Movies"),
            "MY_DOWNLOADS" => Path.Combine(home, "Downloads"),
            "MY_PUBLIC" => Path.Combine(home, "Public"),
            _ => null,
        };
    }
}
