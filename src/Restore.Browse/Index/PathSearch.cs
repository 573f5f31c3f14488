using System.IO.Enumeration;
using System.Text;

namespace Restore.Browse.Index;

/// <summary>
/// Paths that have all words of a search in them, whatever their case: in the name, or in the whole
/// path if a word has a separator. A word with * or ? is all of it.
/// </summary>
internal sealed record PathSearch(int Total, IReadOnlyList<TreeId> Nodes)
{
    private const int MaxKept = 1000;
    private const int MaxNameBytesOnStack = 1024;

    /// <summary>
    /// Searches the versions that were read. The caller holds the gate of the tree.
    /// </summary>
    public static PathSearch Run(EntryIndex tree, string text, CancellationToken cancellationToken)
    {
        string[] words = EntryPath.Composed(text).ToString().Split(' ', StringSplitOptions.RemoveEmptyEntries);
        string[] ofName = [.. words.Where(word => word.IndexOfAny(['/', '\\']) < 0)];
        string[] ofPath = [.. words.Except(ofName).Select(Anywhere)];
        List<TreeId> found = [];
        int total = 0;
        foreach (TreeId node in words.Length > 0 ? tree.Nodes : [])
        {
            if (node.Number % 65536 == 0)
            {
                cancellationToken.ThrowIfCancellationRequested();
            }

            if (
                !PathTree.IsRoot(node)
                && tree.HasEntry(node)
                && HasAll(tree, node, ofName)
                && (ofPath.Length == 0 || HasAll(tree.Paths.PathOf(node).Replace('\\', '/'), ofPath))
            )
            {
                total++;
                if (found.Count < MaxKept)
                {
                    found.Add(node);
                }
            }
        }

        string[] names = [.. found.Select(tree.Name)];
        int[] ranks = [.. names.Select(name => Rank(name, words[0]))];
        return new PathSearch(
            total,
            [
                .. Enumerable
                    .Range(0, found.Count)
                    .OrderBy(i => ranks[i])
                    .ThenBy(i => names[i].Length)
                    .Select(i => found[i]),
            ]
        );
    }

    /// <summary>
    /// Either separator finds both. A pattern for a path begins at any folder, unless it begins
    /// where paths do.
    /// </summary>
    private static string Anywhere(string word)
    {
        string path = word.Replace('\\', '/');
        return path.AsSpan().ContainsAny('*', '?') && path is not (['*' or '/', ..] or [_, ':', ..])
            ? "*/" + path
            : path;
    }

    private static int Rank(string name, string word) =>
        name.Equals(word, StringComparison.OrdinalIgnoreCase) ? 0
        : name.StartsWith(word, StringComparison.OrdinalIgnoreCase) ? 1
        : 2;

    private static bool HasAll(EntryIndex tree, TreeId node, string[] words)
    {
        ReadOnlySpan<byte> name = tree.Paths.NameOf(node);
        Span<char> text =
            name.Length <= MaxNameBytesOnStack ? stackalloc char[MaxNameBytesOnStack] : new char[name.Length];
        return HasAll(text[..Encoding.UTF8.GetChars(name, text)], words);
    }

    private static bool HasAll(ReadOnlySpan<char> listed, string[] words)
    {
        ReadOnlySpan<char> text = words.Length > 0 ? EntryPath.Composed(listed) : listed;
        foreach (string word in words)
        {
            bool isIn = word.AsSpan().ContainsAny('*', '?')
                ? FileSystemName.MatchesSimpleExpression(word, text)
                : text.Contains(word, StringComparison.OrdinalIgnoreCase);
            if (!isIn)
            {
                return false;
            }
        }

        return true;
    }
}
