using System.Security.Cryptography;

namespace Restore.Tests;

/// <summary>What of an entry a comparison looks at beside type, content and link target.</summary>
[Flags]
internal enum TreeChecks
{
    Content = 0,
    Times = 1,
    Modes = 2,
    Owners = 4,
    Attributes = 8,

    /// <summary>The folder restored into is compared too (the entry ".").</summary>
    Root = 16,
    All = Times | Modes | Owners | Attributes | Root,
}

/// <summary>Compares a tree on disk with the expected one.</summary>
internal static class RestoredTree
{
    /// <summary>
    /// The entries of a tree by path ('/' between components, "." is the folder itself). No link is
    /// followed.
    /// </summary>
    public static SortedDictionary<string, TreeEntry> Read(string folder)
    {
        SortedDictionary<string, TreeEntry> found = new(StringComparer.Ordinal);
        Visit(folder, ".", found);
        return found;
    }

    /// <summary>One line for each difference.</summary>
    /// <param name="expected">What should be there.</param>
    /// <param name="restored">What is there.</param>
    /// <param name="checks">What to look at.</param>
    /// <param name="isSkipped">Paths that are left out, or null.</param>
    public static IEnumerable<string> Differences(
        ExpectedTree expected,
        IReadOnlyDictionary<string, TreeEntry> restored,
        TreeChecks checks,
        Func<string, bool>? isSkipped = null
    )
    {
        HashSet<string> known = [.. expected.Entries.SelectMany(entry => Parents(entry.Path)), "."];
        foreach (TreeEntry wanted in expected.Entries.Where(entry => isSkipped?.Invoke(entry.Path) != true))
        {
            foreach (string difference in Differences(wanted, restored.GetValueOrDefault(wanted.Path), checks))
            {
                yield return difference;
            }
        }

        known.UnionWith(expected.Entries.Select(entry => entry.Path));
        IEnumerable<TreeEntry> unknown = restored.Values.Where(entry =>
            !known.Contains(entry.Path) && isSkipped?.Invoke(entry.Path) != true
        );
        foreach (TreeEntry entry in expected.IsComplete ? unknown : [])
        {
            yield return $"not expected: {entry.Path} ({entry.Type})";
        }
    }

    /// <summary>Fails with the first differences when a folder is not what is expected.</summary>
    public static void AssertEqual(
        string expectedFile,
        string folder,
        TreeChecks checks,
        Func<string, bool>? isSkipped = null
    )
    {
        string[] differences = [.. Differences(ExpectedTree.Load(expectedFile), Read(folder), checks, isSkipped)];
        Assert.True(
            differences.Length == 0,
            $"{differences.Length} differences:\n{string.Join('\n', differences.Take(20))}"
        );
    }

    /// <summary>How one entry differs.</summary>
    public static IEnumerable<string> Differences(TreeEntry wanted, TreeEntry? found, TreeChecks checks)
    {
        if (found is null)
        {
            return [$"missing: {wanted.Path} ({wanted.Type})"];
        }

        if (found.Type != wanted.Type)
        {
            return [$"type: {wanted.Path} is {found.Type}, expected {wanted.Type}"];
        }

        // A restore need not set time and owner of a link, and of the folder restored into only on
        // request.
        bool hasMetadata = wanted.Type != "symlink" && (wanted.Path != "." || checks.HasFlag(TreeChecks.Root));
        return new[]
        {
            Difference(wanted.Path, "size", wanted.SizeBytes, found.SizeBytes),
            Difference(wanted.Path, "sha256", wanted.Sha256, found.Sha256),
            Difference(wanted.Path, "link target", wanted.LinkTarget, found.LinkTarget),
            hasMetadata && checks.HasFlag(TreeChecks.Times)
                ? Difference(wanted.Path, "time", wanted.ModifiedTicks, found.ModifiedTicks)
                : null,
            hasMetadata && checks.HasFlag(TreeChecks.Modes)
                ? Difference(wanted.Path, "mode", wanted.Mode, found.Mode)
                : null,
            hasMetadata && checks.HasFlag(TreeChecks.Owners)
                ? Difference(wanted.Path, "owner", wanted.Owner, found.Owner)
                : null,
            hasMetadata && checks.HasFlag(TreeChecks.Attributes)
                ? Difference(wanted.Path, "attributes", wanted.Attributes, found.Attributes)
                : null,
        }.OfType<string>();
    }

    private static string? Difference<T>(string path, string what, T? wanted, T? found) =>
        wanted is null || EqualityComparer<T>.Default.Equals(wanted, found)
            ? null
            : $"{what}: {path} is '{found}', expected '{wanted}'";

    private static IEnumerable<string> Parents(string path)
    {
        for (int slash = path.LastIndexOf('/'); slash > 0; slash = path.LastIndexOf('/', slash - 1))
        {
            yield return path[..slash];
        }
    }

    private static void Visit(string fullPath, string path, SortedDictionary<string, TreeEntry> found)
    {
        FileFacts facts = FileFacts.Of(fullPath);
        TreeEntry entry = new(path, facts.Type) { ModifiedTicks = facts.ModifiedTicks, Owner = facts.Owner };
        if (facts.Type == "symlink")
        {
            found.Add(path, entry with { LinkTarget = new FileInfo(fullPath).LinkTarget });
            return;
        }

        entry = entry with { Mode = facts.Mode };
        found.Add(
            path,
            facts.Type switch
            {
                "file" => entry with
                {
                    Attributes = FileFacts.ExtendedAttributes(fullPath),
                    SizeBytes = facts.SizeBytes,
                    Sha256 = HashOf(fullPath),
                },
                "directory" => entry with { Attributes = FileFacts.ExtendedAttributes(fullPath) },
                _ => entry,
            }
        );
        foreach (string child in facts.Type == "directory" ? Directory.EnumerateFileSystemEntries(fullPath) : [])
        {
            string name = Path.GetFileName(child);
            Visit(child, path == "." ? name : $"{path}/{name}", found);
        }
    }

    private static string HashOf(string file)
    {
        using FileStream content = new(file, FileMode.Open, FileAccess.Read, FileShare.ReadWrite, bufferSize: 0);
        return Convert.ToHexStringLower(SHA256.HashData(content));
    }
}
