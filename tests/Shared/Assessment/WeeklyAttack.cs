namespace Restore.Tests.Assessment;

/// <summary>Harms the files of the third generator, in other ways than the other two do.</summary>
internal sealed class WeeklyAttack
{
    private readonly MadeTree tree;
    private readonly Attack attack;
    private readonly double share;
    private readonly string extension;
    private readonly string? note;
    private readonly int footer;
    private readonly int block;
    private readonly bool isSorted;

    public WeeklyAttack(MadeTree tree, Attack attack, double share)
    {
        (this.tree, this.attack, this.share) = (tree, attack, share);
        extension = tree.Chance.Next(4) switch
        {
            0 => ".lockbit",
            1 => ".akira",
            2 => "." + tree.Word(9),
            _ => ".mkp",
        };
        note = new[] { null, "akira_readme.txt", "+README-WARNING+.txt", "info.hta", "RESTORE_FILES_INFO.rtf" }[
            tree.Chance.Next(5)
        ];
        footer = new[] { 0, 24, 132, 512, 534, 1536, 3000 }[tree.Chance.Next(7)];
        block = new[] { 1, 16, 16, 512 }[tree.Chance.Next(4)];
        isSorted = tree.Chance.Next(2) == 0;
    }

    public HashSet<ulong> Bad { get; } = [];

    public Dictionary<string, MadeFile> Hit { get; } = new(StringComparer.Ordinal);

    public HashSet<string> Made { get; } = new(StringComparer.Ordinal);

    /// <summary>Whether a second accident follows in the next version.</summary>
    public bool IsTwice => attack == Attack.DeletionThenEncryption;

    public override string ToString() =>
        $"{extension} note {note} footer {footer} block {block} {(isSorted ? "sorted " : "")}{Hit.Count} files";

    public void Happen(bool isSecond)
    {
        string[] files = Victims();
        Attack kind = attack switch
        {
            Attack.DeletionThenEncryption => isSecond ? Attack.Extension : Attack.Removed,
            Attack.EncryptedOneFolder => footer % 2 == 0 ? Attack.Extension : Attack.OtherNames,
            _ => attack,
        };
        foreach (string path in files)
        {
            Hit.TryAdd(path, tree.Files[path]);
            if (kind != Attack.Archives)
            {
                Hurt(kind, path, tree.Files[path]);
            }
        }

        if (kind == Attack.Archives)
        {
            Lock(files);
        }

        if (note is not null && kind is >= Attack.Extension and <= Attack.Archives)
        {
            foreach (string folder in files.Select(path => path[..(path.LastIndexOf('/') + 1)]).Distinct())
            {
                Made.Add(folder + note);
                tree.Files[folder + note] = new MadeFile(Mark(ulong.MaxValue - 33), 2900, tree.Now);
            }
        }
    }

    public void CleanUp()
    {
        foreach (string path in Made)
        {
            tree.Files.Remove(path);
        }

        foreach ((string path, MadeFile file) in Hit)
        {
            tree.Files[path] = file;
        }
    }

    private string[] Victims()
    {
        string[] all =
        [
            .. tree.Files.Keys.Where(path => !Made.Contains(path) && !Bad.Contains(tree.Files[path].Content)),
        ];
        int count = Math.Max(1, (int)Math.Round(all.Length * share));
        if (attack is Attack.OneFolder or Attack.EncryptedOneFolder or Attack.Unmounted)
        {
            int depth = attack == Attack.Unmounted ? 4 : 5;
            string[][] folders =
            [
                .. all.GroupBy(path => string.Join('/', path.Split('/')[..^1].Take(depth)))
                    .Select(one => one.ToArray()),
            ];
            return folders.Where(one => one.Length >= count).MinBy(one => one.Length)
                ?? folders.MaxBy(one => one.Length)!;
        }

        // What walks a disk begins somewhere, and is stopped somewhere.
        int from = tree.Chance.Next(all.Length - count + 1);
        if (!isSorted)
        {
            tree.Chance.Shuffle(all);
        }

        return all[from..(from + count)];
    }

    private void Hurt(Attack kind, string path, MadeFile file)
    {
        string folder = path[..(path.LastIndexOf('/') + 1)];
        switch (kind)
        {
            case Attack.Extension:
                tree.Files.Remove(path);
                Put(path + extension, Encrypted(file.SizeBytes));
                break;
            case Attack.LongExtension:
                tree.Files.Remove(path);
                Put($"{path}.id[{tree.Seed:X8}-3352].[help@onion.example].8base", Encrypted(file.SizeBytes));
                break;
            case Attack.OtherNames:
                tree.Files.Remove(path);
                Put($"{folder}{tree.Word(22)}={extension}", Encrypted(file.SizeBytes));
                break;
            case Attack.SameName:
                Put(path, Encrypted(file.SizeBytes) + (footer == 0 ? 40 : 0));
                break;
            case Attack.SameNameAndSize:
                Put(path, file.SizeBytes);
                break;
            case Attack.Placeholders:
                tree.Files[path] = new MadeFile(isSorted ? 0 : Mark(tree.NewContent()), isSorted ? 0 : 4096, tree.Now);
                Mark(tree.Files[path].Content);
                break;
            case Attack.DiskFull:
                Put(path, tree.Chance.Next(2) == 0 ? 0 : file.SizeBytes / 4096 / 2 * 4096);
                break;
            default:
                tree.Files.Remove(path);
                break;
        }
    }

    private void Lock(string[] files)
    {
        foreach (IGrouping<string, string> folder in files.GroupBy(path => path[..(path.LastIndexOf('/') + 1)]))
        {
            long bytes = folder.Sum(path => tree.Files[path].SizeBytes);
            foreach (string path in folder)
            {
                tree.Files.Remove(path);
            }

            Put($"{folder.Key}{tree.Word(8)}.7z", (bytes * 19 / 20) + 400);
        }
    }

    private void Put(string path, long size)
    {
        if (!Hit.ContainsKey(path))
        {
            Made.Add(path);
        }

        tree.Files[path] = new MadeFile(Mark(tree.NewContent()), Math.Max(0, size), tree.Now);
    }

    private ulong Mark(ulong content)
    {
        Bad.Add(content);
        return content;
    }

    private long Encrypted(long size) => ((size + block - 1) / block * block) + footer;
}
