namespace Restore.Cli.Commands;

/// <summary>Entries with what their metadata says.</summary>
internal static class EntryDetails
{
    public static Task<long> WriteAsync(
        CommandContext context,
        Backup backup,
        BackupVersion version,
        IAsyncEnumerable<BackupEntry> listed
    ) =>
        WriteAsync(
            context,
            (memory, paths) => backup.OpenTreeAsync(version, memory, paths, context.Environment.StopToken),
            listed,
            _ => null
        );

    /// <param name="context">Where to write.</param>
    /// <param name="open">Opens the tree that has the entries.</param>
    /// <param name="listed">The entries.</param>
    /// <param name="versionOf">The number of the version that an entry is from; null if all are from
    /// one.</param>
    public static async Task<long> WriteAsync(
        CommandContext context,
        Func<BlockMemory, PathTree, Task<BackupTree>> open,
        IAsyncEnumerable<BackupEntry> listed,
        Func<BackupEntry, int?> versionOf
    )
    {
        // All entries first: the metadata of many entries is in the same volumes, and one pass
        // fetches each volume once.
        List<BackupEntry> entries = [];
        await foreach (var entry in listed)
        {
            entries.Add(entry);
        }

        var paths = new PathTree();
        await using var tree = await open(new BlockMemory(), paths);

        // The tree may lack an entry of the list. It is shown without metadata.
        var known = entries.Where(entry => paths.Find(entry.Path) is not null).ToList();
        Dictionary<string, ExportedEntry?> metadata = [];
        await foreach (
            var one in tree.ReadMetadataAsync(
                [.. known.Select(entry => paths.Find(entry.Path)!.Value)],
                context.Environment.StopToken
            )
        )
        {
            // The metadata comes in the order of the entries that were asked for.
            metadata.Add(known[metadata.Count].Path, one);
        }

        foreach (var entry in entries)
        {
            var facts = metadata.GetValueOrDefault(entry.Path);
            if (context.Request.Json)
            {
                Json.Write(
                    context.Output,
                    Json.Of(entry)
                        .With(
                            new()
                            {
                                ["mode"] = facts?.Mode is { } mode ? Convert.ToString((int)mode, 8) : null,
                                ["owner"] = Owner(facts?.OwnerName, facts?.UserId),
                                ["group"] = Owner(facts?.GroupName, facts?.GroupId),
                                ["linkTarget"] = facts?.LinkTarget,
                            }
                        )
                        .With(versionOf(entry) is { } from ? new() { ["version"] = from } : [])
                );
            }
            else
            {
                var suffix = versionOf(entry) is { } from ? $"  (version {from})" : "";
                context.Output.WriteWhole(Line(entry, facts, context.Environment.Clock) + suffix);
            }
        }

        return entries.Count;
    }

    private static string Line(BackupEntry entry, ExportedEntry? facts, TimeProvider clock)
    {
        var owner = $"{Owner(facts?.OwnerName, facts?.UserId) ?? "-"}:{Owner(facts?.GroupName, facts?.GroupId) ?? "-"}";
        var shown = entry with { LastModified = facts?.LastModified ?? entry.LastModified };
        var target = facts?.LinkTarget is { } link ? " -> " + SafeText.Escape(link) : "";
        return EntryText.Line(shown, clock, $"{ModeText(facts?.Mode)} {SafeText.Escape(owner), -17}") + target;
    }

    private static string? Owner(string? name, uint? number) =>
        name is { Length: > 0 } ? name : number?.ToString(CultureInfo.InvariantCulture);

    private static string ModeText(UnixFileMode? mode)
    {
        const string Letters = "rwxrwxrwx";
        if (mode is not { } bits)
        {
            return "?????????";
        }

        var text = Letters.Select((letter, place) => (((int)bits >> (8 - place)) & 1) == 1 ? letter : '-').ToArray();

        // As in ls: a capital letter says that the execute bit beneath is not set.
        Mark(2, UnixFileMode.SetUser, 's');
        Mark(5, UnixFileMode.SetGroup, 's');
        Mark(8, UnixFileMode.StickyBit, 't');
        return new string(text);

        void Mark(int place, UnixFileMode bit, char letter) =>
            text[place] =
                !bits.HasFlag(bit) ? text[place]
                : text[place] == 'x' ? letter
                : char.ToUpperInvariant(letter);
    }
}
