using System.Globalization;

namespace Restore.Benchmarks;

/// <summary>A parsed command line: words in order, and options with a value each.</summary>
internal sealed class Arguments
{
    private readonly List<string> words = [];
    private readonly List<(string Name, string Value)> options = [];
    private readonly HashSet<string> used = [];

    /// <exception cref="UsageException">An option has no value.</exception>
    public static Arguments Parse(IEnumerable<string> args)
    {
        Arguments parsed = new();
        string? name = null;
        foreach (string arg in args)
        {
            if (name is not null)
            {
                parsed.options.Add((name, arg));
                name = null;
            }
            else if (arg.StartsWith("--", StringComparison.Ordinal))
            {
                string[] parts = arg[2..].Split('=', 2);
                name = parts.Length == 1 ? parts[0] : null;
                if (parts.Length == 2)
                {
                    parsed.options.Add((parts[0], parts[1]));
                }
            }
            else
            {
                parsed.words.Add(arg);
            }
        }

        return name is null ? parsed : throw new UsageException($"The option --{name} needs a value.");
    }

    public string Positional(int index, string what) =>
        index < words.Count ? words[index] : throw new UsageException($"Missing: {what}.");

    public double PositionalNumber(int index, string what) =>
        double.TryParse(Positional(index, what), NumberStyles.Float, CultureInfo.InvariantCulture, out double value)
            ? value
            : throw new UsageException($"Not a number: {what}.");

    public string? Text(string name) => All(name) is [.., var last] ? last : null;

    public IReadOnlyList<string> All(string name)
    {
        used.Add(name);
        return [.. options.Where(option => option.Name == name).Select(option => option.Value)];
    }

    public double? Number(string name) =>
        Text(name) is not { } text ? null
        : double.TryParse(text, NumberStyles.Float, CultureInfo.InvariantCulture, out double value) ? value
        : throw new UsageException($"The option --{name} needs a number, not \"{text}\".");

    /// <summary>The values of an option that takes a list separated by commas.</summary>
    public IReadOnlyList<string> List(string name, string defaults) =>
        (Text(name) ?? defaults).Split(',', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries);

    /// <summary>The folder for data and backups (<c>--work-dir</c>).</summary>
    /// <param name="usual">The default, a folder below the system's folder for temporary
    /// files.</param>
    public string WorkFolder(string usual) =>
        Path.GetFullPath(Text("work-dir") ?? Path.Combine(Path.GetTempPath(), usual));

    /// <summary>The folder for results (<c>--output</c>).</summary>
    public string OutputFolder() => Path.GetFullPath(Text("output") ?? Path.Combine("benchmarks", "results"));

    /// <summary>The passphrase of backups; null for none (<c>--plain</c>).</summary>
    public string? Passphrase() => Text("plain") is null or "no" ? "benchmark" : null;

    /// <summary>How often to measure (<c>--runs</c>).</summary>
    /// <exception cref="UsageException">The number is 0.</exception>
    public int Runs(int usual) =>
        (int)(Number("runs") ?? usual) is > 0 and int runs
            ? runs
            : throw new UsageException("At least one run is needed.");

    /// <exception cref="UsageException">The command does not have a given option.</exception>
    public void RequireAllUsed()
    {
        string[] unknown = [.. options.Select(option => option.Name).Where(name => !used.Contains(name)).Distinct()];
        if (unknown.Length > 0)
        {
            throw new UsageException($"Unknown option: --{string.Join(", --", unknown)}.");
        }
    }
}
