namespace Restore.Tests.Assessment;

/// <summary>Hurts a share of the files as an accident or an attacker does.</summary>
internal sealed class Harms
{
    private const string Letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

    private readonly MadeTree tree;
    private readonly Harm harm;
    private readonly double share;
    private readonly int added;
    private readonly int padding;
    private readonly bool keepsTime;
    private readonly bool isByFolder;
    private readonly string extension;
    private readonly string? note;
    private readonly int noteBytes;
    private readonly int stubBytes;
    private readonly List<string> copied = [];

    public Harms(MadeTree tree, Harm harm, double share)
    {
        this.tree = tree;
        this.harm = harm;
        this.share = share;
        added = tree.Chance.Next(3) switch
        {
            0 => 0,
            1 => tree.Chance.Next(8, 100),
            _ => tree.Chance.Next(100, 2200),
        };
        padding = new[] { 1, 8, 16, 64 }[tree.Chance.Next(4)];
        keepsTime = tree.Chance.Next(3) == 0;
        isByFolder = tree.Chance.Next(3) == 0;
        extension = tree.Chance.Next(5) switch
        {
            0 => ".locked",
            1 => ".crypt",
            2 => "." + Random(5),
            3 => $".[{Random(8)}].{Random(4)}",
            _ => ".enc",
        };
        note = tree.Chance.Next(3) switch
        {
            0 => null,
            1 => "HOW TO GET BACK.html",
            _ => $"{Random(6)}-readme.txt",
        };
        noteBytes = tree.Chance.Next(300, 60_000);
        stubBytes = tree.Chance.Next(40, 5000);
    }

    public HashSet<ulong> Bad { get; } = [];

    /// <summary>The files that were hit, by their names before, as they were.</summary>
    public Dictionary<string, MadeFile> Hit { get; } = new(StringComparer.Ordinal);

    public HashSet<string> Made { get; } = new(StringComparer.Ordinal);

    public bool GoesOn => harm is Harm.Weeks or Harm.CopiesThenDeletion;

    public override string ToString() =>
        $"added {added} padding {padding} {(keepsTime ? "keeps times " : "")}{(isByFolder ? "by folder " : "")}{extension} {note} {Hit.Count} files";

    public void Happen()
    {
        if (copied.Count > 0)
        {
            copied.ForEach(path => tree.Files.Remove(path));
            copied.Clear();
            return;
        }

        if (harm == Harm.CopiesThenDeletion && Hit.Count > 0)
        {
            return;
        }

        string[] files = Victims();
        foreach (string path in files)
        {
            Hit.TryAdd(path, tree.Files[path]);
        }

        if (harm == Harm.LockedArchives)
        {
            Archive(files);
        }
        else
        {
            Array.ForEach(files, Hurt);
        }

        if (harm is >= Harm.InPlace and <= Harm.LockedArchives and not Harm.SameSize and not Harm.Weeks)
        {
            LeaveNotes(files);
        }
    }

    /// <summary>Someone brings the files back and removes what the attack made.</summary>
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
        if (isByFolder || harm is Harm.LostRoot or Harm.DeletedFolders)
        {
            // What a program fetches again is no loss.
            all = [.. all.Where(path => !path.Contains("/node_modules/", StringComparison.Ordinal))];
        }

        double part = harm == Harm.Weeks ? 0.01 : share;
        int count = Math.Max(1, (int)Math.Round(all.Length * part));
        if (harm == Harm.LostRoot)
        {
            string[][] roots =
            [
                .. all.GroupBy(path => string.Join('/', path.Split('/').Take(4))).Select(root => root.ToArray()),
            ];
            return roots.Where(root => root.Length >= count).MinBy(root => root.Length)
                ?? roots.MaxBy(root => root.Length)!;
        }

        if (harm == Harm.DeletedFolders || (isByFolder && harm != Harm.Weeks))
        {
            return
            [
                .. all.GroupBy(path => path[..path.LastIndexOf('/')])
                    .OrderBy(_ => tree.Chance.Next())
                    .SelectMany(group => group)
                    .Take(count),
            ];
        }

        tree.Chance.Shuffle(all);
        return all[..count];
    }

    private void Hurt(string path)
    {
        MadeFile file = tree.Files[path];
        string folder = path[..(path.LastIndexOf('/') + 1)];
        string name = path[folder.Length..];
        switch (harm)
        {
            case Harm.InPlace or Harm.Weeks:
                Put(path, file, Encrypted(file.SizeBytes));
                break;
            case Harm.SameSize:
                Put(path, file, file.SizeBytes);
                break;
            case Harm.Appended:
                tree.Files.Remove(path);
                Put(path + extension, file, Encrypted(file.SizeBytes));
                break;
            case Harm.Prefixed:
                tree.Files.Remove(path);
                Put($"{folder}Lock.{name}", file, Encrypted(file.SizeBytes));
                break;
            case Harm.RenamedAll:
                tree.Files.Remove(path);
                Put(folder + Random(tree.Chance.Next(8, 24)) + extension, file, Encrypted(file.SizeBytes));
                break;
            case Harm.ExtensionPerFile:
                tree.Files.Remove(path);
                Put($"{path}.{Random(4)}", file, Encrypted(file.SizeBytes));
                break;
            case Harm.CopiesThenDeletion:
                copied.Add(path);
                Put(path + extension, file, Encrypted(file.SizeBytes));
                break;
            case Harm.Emptied:
                Put(path, file, 0);
                break;
            case Harm.CutShort:
                Put(path, file, Math.Min(file.SizeBytes - 1, (long)(file.SizeBytes * 0.9 * tree.Chance.NextDouble())));
                break;
            case Harm.StubsOfOneSize:
                tree.Files[path] = new MadeFile(Mark(ulong.MaxValue - 5), stubBytes, TimeOf(file));
                break;
            case Harm.StubsOfNames:
                tree.Files.Remove(path);
                Put($"{folder}.{name}.icloud", file, 130 + (2 * name.Length));
                break;
            case Harm.Zeros:
                Put(path, file, file.SizeBytes);
                break;
            case Harm.Conflicts:
                int dot = name.LastIndexOf('.') is > 0 and int at ? at : name.Length;
                string mark = added % 2 == 0 ? " (conflicted copy 2 of Kim)" : "~HOST-2";
                Put(folder + name[..dot] + mark + name[dot..], file, tree.Edited(file.SizeBytes));
                break;
            default:
                tree.Files.Remove(path);
                break;
        }
    }

    private void Archive(string[] files)
    {
        foreach (IGrouping<string, string> folder in files.GroupBy(path => path[..(path.LastIndexOf('/') + 1)]))
        {
            long bytes = folder.Sum(path => tree.Files[path].SizeBytes);
            foreach (string path in folder)
            {
                tree.Files.Remove(path);
            }

            Put($"{folder.Key}{Random(5)}.rar", new MadeFile(0, 0, tree.Now), (bytes * 9 / 10) + 200);
        }
    }

    private void LeaveNotes(string[] files)
    {
        if (note is null)
        {
            return;
        }

        foreach (string folder in files.Select(path => path[..(path.LastIndexOf('/') + 1)]).Distinct())
        {
            Made.Add(folder + note);
            tree.Files[folder + note] = new MadeFile(Mark(ulong.MaxValue - 3), noteBytes, tree.Now);
        }
    }

    private void Put(string path, MadeFile file, long size)
    {
        if (!tree.Files.ContainsKey(path) || !Hit.ContainsKey(path))
        {
            Made.Add(path);
        }

        tree.Files[path] = new MadeFile(Mark(tree.NewContent()), Math.Max(0, size), TimeOf(file));
    }

    private long TimeOf(MadeFile file) => keepsTime && file.TimeTicks > 0 ? file.TimeTicks : tree.Now;

    private ulong Mark(ulong content)
    {
        Bad.Add(content);
        return content;
    }

    private long Encrypted(long size) => ((size + padding - 1) / padding * padding) + added;

    private string Random(int length) =>
        string.Concat(Enumerable.Range(0, length).Select(_ => Letters[tree.Chance.Next(Letters.Length)]));
}
