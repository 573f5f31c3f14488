namespace Restore.Cli.Commands;

/// <summary>
/// Takes the tree that <c>ls --tree</c> draws, and keeps its first level: the folders and files at
/// the top, with their sizes.
/// </summary>
internal sealed class TopFolders : TextWriter
{
    private const int MostLines = 15;

    private readonly StringBuilder line = new();
    private readonly List<string> kept = [];
    private string? folder;
    private int leftOut;

    public override Encoding Encoding => Encoding.UTF8;

    public override void Write(char value)
    {
        if (value == '\n')
        {
            Take(line.ToString().TrimEnd('\r'));
            line.Clear();
        }
        else
        {
            line.Append(value);
        }
    }

    public override void Write(string? value)
    {
        foreach (var letter in value ?? "")
        {
            Write(letter);
        }
    }

    /// <summary>What there is, for a person; nothing if nothing was drawn.</summary>
    public IEnumerable<string> Lines()
    {
        if (folder is not null)
        {
            yield return $"{folder} has:";
        }

        foreach (var one in kept)
        {
            yield return one;
        }

        if (leftOut > 0)
        {
            yield return $"              and {Units.Number(leftOut)} more";
        }
    }

    /// <summary>
    /// A line is a size of twelve columns, two spaces, the branches of the tree, and a name. The
    /// first line is the folder of all.
    /// </summary>
    private void Take(string drawn)
    {
        var text = drawn.Length > 14 ? drawn[14..] : "";
        if (folder is null)
        {
            folder = text.Length > 0 ? text : "The backup";
        }
        else if (text.StartsWith("├── ", StringComparison.Ordinal) || text.StartsWith("└── ", StringComparison.Ordinal))
        {
            leftOut += kept.Count < MostLines ? 0 : 1;
            if (kept.Count < MostLines)
            {
                kept.Add($"{drawn[..12]}  {text[4..]}");
            }
        }
    }
}
