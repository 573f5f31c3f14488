namespace Restore.Assessment;

/// <summary>
/// Whether a new name is the name of a file that was there before with a mark in it, as programs for
/// synchronization name one of two versions of a file.
/// </summary>
internal sealed class ConflictNames(FileTable table)
{
    private const int LeastMachine = 4;

    private const int MaxNameLength = 255;

    private static readonly string[] Words = ["conflict", "konflikt", "conflit", "conflitto", "conflicto", "conflito"];

    private static readonly string[] Copies = ["copy", "kopie", "copie", "copia"];

    public bool Is(int row, string name)
    {
        // No file system has longer names, and a forged one would cost its length squared.
        if (name.Length > MaxNameLength)
        {
            return false;
        }

        int dot = name.LastIndexOf('.');
        (string stem, string extension) = dot > 0 ? (name[..dot], name[dot..]) : (name, "");
        for (int at = stem.Length - 1; at > 0; at--)
        {
            if (stem[at] is ' ' or '-' or '_' or '~' or '.' or '(' && IsMark(stem[at..]))
            {
                byte[] original =
                [
                    .. table.FolderPath(table.FolderOf(row)),
                    .. Encoding.UTF8.GetBytes(stem[..at] + extension),
                ];
                if (table.TryFind(original, out int known) && table[known].FirstSeen < table.Version)
                {
                    return true;
                }
            }
        }

        return false;
    }

    private static bool IsMark(string mark)
    {
        string inner = mark.Trim(' ', '-', '_', '~', '.', '(', ')');
        if (Array.Exists(Words, word => inner.Contains(word, StringComparison.OrdinalIgnoreCase)))
        {
            return true;
        }

        bool isBracketed = mark.StartsWith(" (", StringComparison.Ordinal) && mark.EndsWith(')');
        return (isBracketed && inner.Length > 0 && inner.All(char.IsAsciiDigit))
            || Array.Exists(Copies, word => inner.Equals(word, StringComparison.OrdinalIgnoreCase))
            || (
                mark[0] is '-' or '~' or '_'
                && inner.Length >= LeastMachine
                && inner.Any(char.IsAsciiLetterUpper)
                && !inner.Any(char.IsAsciiLetterLower)
                && !inner.Contains(' ', StringComparison.Ordinal)
            );
    }
}
