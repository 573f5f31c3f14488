namespace Restore.Volumes;

/// <summary>Says which backup of a folder a file with a changed name may belong to.</summary>
internal sealed class NameOwners
{
    // No folder has backups with prefixes of more lengths. What is not known to be of another
    // backup counts for each, so the limit hides no file.
    private const int MaxLengths = 64;

    private readonly HashSet<string>.AlternateLookup<ReadOnlySpan<char>> known;
    private readonly int[] lengths;
    private readonly string prefix;

    /// <param name="prefix">The prefix of the backup that is asked about.</param>
    /// <param name="prefixes">The prefixes of all backups in the folder.</param>
    public NameOwners(string prefix, IEnumerable<string> prefixes)
    {
        this.prefix = prefix;
        HashSet<string> all = new(prefixes, StringComparer.OrdinalIgnoreCase) { prefix };
        known = all.GetAlternateLookup<ReadOnlySpan<char>>();
        lengths =
        [
            .. all.Select(one => one.Length)
                .Distinct()
                .OrderBy(length => length != prefix.Length)
                .ThenBy(length => length)
                .Take(MaxLengths)
                .OrderDescending(),
        ];
    }

    /// <summary>
    /// Whether the name has the prefix of another backup, and not this one's. A program may put
    /// anything before a name, so the end of the text before a dash counts. If it ends with several
    /// prefixes, as "my_x" ends with "x", the longest is meant.
    /// </summary>
    public bool IsOfOther(string fileName)
    {
        bool isOther = false;
        ReadOnlySpan<char> rest = fileName;

        // A prefix has no dash in it.
        for (int dash = rest.IndexOf('-'); dash >= 0; dash = rest.IndexOf('-'))
        {
            ReadOnlySpan<char> owner = LongestEnd(rest[..dash]);
            if (owner.Equals(prefix, StringComparison.OrdinalIgnoreCase))
            {
                return false;
            }

            isOther |= owner.Length > 0;
            rest = rest[(dash + 1)..];
        }

        return isOther;
    }

    private ReadOnlySpan<char> LongestEnd(ReadOnlySpan<char> text)
    {
        foreach (int length in lengths)
        {
            if (length <= text.Length && known.Contains(text[^length..]))
            {
                return text[^length..];
            }
        }

        return default;
    }
}
