namespace Restore.Cli.Commands;

/// <summary>Entries as a tree with the sizes of files and folders.</summary>
internal sealed class SizeTree
{
    // No system takes deeper paths; a hostile list may have them.
    private const int MostLevels = 512;

    private readonly Node root = new();

    public bool IsEmpty => root.Children.Count == 0;

    public void Add(BackupEntry entry)
    {
        var node = root;
        node.SizeBytes += entry.SizeBytes;
        for (var (level, start) = (0, 0); start < entry.Path.Length; level++)
        {
            var end = level == MostLevels ? entry.Path.Length : EntryPath.EndOfPart(entry.Path, start);
            var name = entry.Path[start..end];
            node = node.Children.TryGetValue(name, out var child) ? child : node.Children[name] = new Node();
            node.SizeBytes += entry.SizeBytes;
            start = end;
        }
    }

    public void Write(TextWriter output)
    {
        // The folders above the data have one child each, and are one line.
        var (top, path) = (root, "");
        while (top.Children.Count == 1 && top.Children.First() is var (name, only) && only.Children.Count > 0)
        {
            (top, path) = (only, path + name);
        }

        output.WriteWhole($"{Units.Bytes(top.SizeBytes), 12}  {SafeText.Escape(path)}");
        Write(output, top, "");
    }

    private static void Write(TextWriter output, Node folder, string indent)
    {
        var left = folder.Children.Count;
        foreach (var (name, node) in folder.Children)
        {
            var isLast = --left == 0;
            output.WriteWhole(
                $"{Units.Bytes(node.SizeBytes), 12}  {indent}{(isLast ? "└── " : "├── ")}{SafeText.Escape(name)}"
            );
            Write(output, node, indent + (isLast ? "    " : "│   "));
        }
    }

    private sealed class Node
    {
        public long SizeBytes { get; set; }

        public SortedDictionary<string, Node> Children => field ??= new(StringComparer.Ordinal);
    }
}
