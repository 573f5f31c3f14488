using System.Text.Json;

namespace Restore.Tests;

/// <summary>What a version must restore to: an expected-*.json of a fixture.</summary>
/// <param name="SourceRoot">The absolute path of the source folder inside of the backup; paths of
/// entries are below it.</param>
/// <param name="IsComplete">Whether there may be no other entries.</param>
/// <param name="Entries">The entries.</param>
internal sealed record ExpectedTree(string SourceRoot, bool IsComplete, IReadOnlyList<TreeEntry> Entries)
{
    public static ExpectedTree Load(string file)
    {
        using JsonDocument document = JsonDocument.Parse(File.ReadAllBytes(file));
        JsonElement root = document.RootElement;
        return new ExpectedTree(
            root.GetProperty("source_root").GetString()!,
            !root.TryGetProperty("complete", out JsonElement complete) || complete.GetBoolean(),
            [.. root.GetProperty("entries").EnumerateArray().Select(Entry)]
        );
    }

    private static TreeEntry Entry(JsonElement entry) =>
        new(Text(entry, "path")!, Text(entry, "type")!)
        {
            SizeBytes = Number(entry, "size"),
            Sha256 = Text(entry, "sha256"),
            LinkTarget = Text(entry, "target"),
            ModifiedTicks = Number(entry, "mtime_ns") is long nanoseconds ? (long)Math.Floor(nanoseconds / 100m) : null,
            Mode = Text(entry, "mode"),
            Owner = Number(entry, "uid") is long user ? (user, Number(entry, "gid")!.Value) : null,
            Attributes = Attributes(entry),
        };

    /// <summary>
    /// No attributes beside a time means that there are none; without a time nothing is said about
    /// them.
    /// </summary>
    private static string? Attributes(JsonElement entry)
    {
        if (!entry.TryGetProperty("xattrs", out JsonElement attributes))
        {
            return entry.TryGetProperty("mtime_ns", out _) ? "" : null;
        }

        return string.Join(
            ' ',
            attributes
                .EnumerateObject()
                .OrderBy(one => one.Name, StringComparer.Ordinal)
                .Select(one => $"{one.Name}={one.Value.GetString()}")
        );
    }

    private static string? Text(JsonElement entry, string name) =>
        entry.TryGetProperty(name, out JsonElement value) ? value.GetString() : null;

    private static long? Number(JsonElement entry, string name) =>
        entry.TryGetProperty(name, out JsonElement value) ? value.GetInt64() : null;
}
