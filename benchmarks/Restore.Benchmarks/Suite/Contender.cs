using System.Text;

namespace Restore.Benchmarks.Suite;

/// <summary>
/// A program that restores: a flow of this library, or any other program by its command line.
/// </summary>
/// <param name="Name">Its name in the results.</param>
/// <param name="Command">Program and arguments, with placeholders.</param>
/// <param name="IsOurs">Whether it is a flow of this library: those run in every case, and must
/// restore the times too.</param>
internal sealed record Contender(string Name, IReadOnlyList<string> Command, bool IsOurs)
{
    /// <exception cref="UsageException">The flow or the tool does not exist.</exception>
    public static Contender Flow(string name, string tool)
    {
        if (!File.Exists(tool))
        {
            throw new UsageException($"There is no tool {tool}. Build it, or give one with --cli.");
        }

        // The flows do not wait for the device, because no other program does; what waiting costs
        // is a flow of its own.
        string[] flushed = [tool, "{backup}", "--restore-path={target}", "--overwrite", "--quiet"];
        string[] command = [.. flushed, "--no-sync"];
        return name switch
        {
            "new" => new Contender(name, command, IsOurs: true),
            "legacy" => new Contender(name, [.. command, "--restore-legacy"], IsOurs: true),
            "flushed" => new Contender(name, flushed, IsOurs: true),
            _ => throw new UsageException($"There is no flow {name}. There are: new, legacy, flushed."),
        };
    }

    /// <summary>Parses "name=command line"; words may be quoted with ' or ".</summary>
    /// <exception cref="UsageException">The text has another form.</exception>
    public static Contender Other(string text)
    {
        int equals = text.IndexOf('=', StringComparison.Ordinal);
        IReadOnlyList<string> words = equals > 0 ? Split(text[(equals + 1)..]) : [];
        return words.Count > 0
            ? new Contender(text[..equals], words, IsOurs: false)
            : throw new UsageException($"--compare needs 'name=command line', not \"{text}\".");
    }

    /// <summary>The command with its placeholders replaced, and additional arguments.</summary>
    public IReadOnlyList<string> CommandFor(
        string backup,
        string target,
        string source,
        string? passphrase,
        IEnumerable<string> more
    ) =>
        [
            .. Command.Select(word =>
                word.Replace("{backup}", backup, StringComparison.Ordinal)
                    .Replace("{target}", target, StringComparison.Ordinal)
                    .Replace("{source}", source, StringComparison.Ordinal)
                    .Replace("{passphrase}", passphrase ?? "", StringComparison.Ordinal)
            ),
            .. more,
        ];

    private static List<string> Split(string line)
    {
        List<string> words = [];
        StringBuilder word = new();
        bool isWord = false;
        char quote = '\0';
        foreach (char c in line)
        {
            if (quote != '\0' ? c == quote : c is '\'' or '"')
            {
                quote = quote == '\0' ? c : '\0';
                isWord = true;
            }
            else if (c == ' ' && quote == '\0')
            {
                Take();
            }
            else
            {
                word.Append(c);
                isWord = true;
            }
        }

        Take();
        return words;

        void Take()
        {
            if (isWord)
            {
                words.Add(word.ToString());
            }

            word.Clear();
            isWord = false;
        }
    }
}
