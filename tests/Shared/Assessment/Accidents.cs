namespace Restore.Tests.Assessment;

/// <summary>
/// Lets an accident happen to a share of the files, and knows which files it hit.
/// </summary>
internal sealed class Accidents(MadeTree tree, Accident accident, double share)
{
    private readonly int header = new[] { 0, 16, 256, 300, 512, 1024 }[tree.Chance.Next(6)];
    private readonly string extension =
        "." + new[] { "locked", "crypt", "id-77.[a@b.cc].zzq", "ryk", "encrypted" }[tree.Chance.Next(5)];
    private readonly bool isPadded = tree.Chance.Next(2) == 0;
    private readonly int variant = tree.Chance.Next(3);

    /// <summary>The files that were hit, by their names before, as they were.</summary>
    public Dictionary<string, MadeFile> Hit { get; } = new(StringComparer.Ordinal);

    /// <summary>The files of the version before: of others no version has a good content.</summary>
    public HashSet<string> BackedUp { get; } = new(StringComparer.Ordinal);

    /// <summary>The contents that the accident made.</summary>
    public HashSet<ulong> Bad { get; } = [];

    /// <summary>Whether it goes on after its first day.</summary>
    public bool IsSlow => accident == Accident.Slow;

    /// <summary>Whether the files that were hit have no longer their names.</summary>
    public bool Removes =>
        accident
            is Accident.NewExtension
                or Accident.RandomNames
                or Accident.Deletion
                or Accident.DeletedFolders
                or Accident.MissingDrive
        || (accident == Accident.Placeholders && variant == 1);

    public void Happen()
    {
        string[] files = accident is Accident.DeletedFolders or Accident.EncryptedFolders or Accident.MissingDrive
            ? InFolders()
            : tree.Pick(IsSlow ? 0.01 : share, path => !Bad.Contains(tree.Files[path].Content));
        foreach (string path in files)
        {
            MadeFile file = tree.Files[path];
            if (BackedUp.Contains(path))
            {
                Hit.TryAdd(path, file);
            }

            Hurt(path, file);
        }

        if (accident is Accident.NewExtension or Accident.RandomNames or Accident.EncryptedFolders && variant > 0)
        {
            foreach (string folder in files.Select(path => path[..(path.LastIndexOf('/') + 1)]).Distinct().ToArray())
            {
                tree.Files[folder + "READ_ME_NOW.txt"] = new MadeFile(Mark(ulong.MaxValue - 7), 1843, tree.Now);
            }
        }
    }

    private void Hurt(string path, MadeFile file)
    {
        switch (accident)
        {
            case Accident.EncryptedInPlace or Accident.EncryptedFolders or Accident.Slow:
                Put(path, Encrypted(file.SizeBytes));
                break;
            case Accident.Intermittent:
                tree.Files[path] = new MadeFile(
                    Mark(tree.NewContent()),
                    file.SizeBytes,
                    variant == 0 ? file.TimeTicks : tree.Now
                );
                break;
            case Accident.NewExtension:
                tree.Files.Remove(path);
                Put(path + extension, Encrypted(file.SizeBytes));
                break;
            case Accident.RandomNames:
                tree.Files.Remove(path);
                Put(
                    path[..(path.LastIndexOf('/') + 1)] + tree.Word(12) + (variant == 0 ? "" : ".x7q"),
                    Encrypted(file.SizeBytes)
                );
                break;
            case Accident.Truncation:
                Put(
                    path,
                    variant == 0 ? 0
                        : variant == 1 ? Math.Min(file.SizeBytes - 1, 4096)
                        : (long)(file.SizeBytes * 0.8 * tree.Chance.NextDouble())
                );
                break;
            case Accident.Placeholders:
                tree.Files.Remove(path);
                tree.Files[variant == 1 ? path + ".cloud" : path] = new MadeFile(
                    Mark(ulong.MaxValue - 9),
                    1024,
                    tree.Now
                );
                break;
            case Accident.ConflictCopies:
                int dot = path.LastIndexOf('.');
                string stem = dot > path.LastIndexOf('/') ? path[..dot] : path;
                string mark =
                    variant == 0 ? " (Ann's conflicted copy 2024-05-01)"
                    : variant == 1 ? ".sync-conflict-20240501-101112-ABC"
                    : "-DESKTOP-7F3A";
                Put(stem + mark + path[stem.Length..], tree.Edited(file.SizeBytes));
                break;
            default:
                tree.Files.Remove(path);
                break;
        }
    }

    private void Put(string path, long size) =>
        tree.Files[path] = new MadeFile(Mark(tree.NewContent()), size, tree.Now);

    private ulong Mark(ulong content)
    {
        Bad.Add(content);
        return content;
    }

    private long Encrypted(long size) => (isPadded ? (size + 16) / 16 * 16 : size) + header;

    /// <summary>
    /// Whole folders, until there are enough files; a drive is the folder with most of them.
    /// </summary>
    private string[] InFolders()
    {
        int wanted = (int)Math.Ceiling(tree.Files.Count * share);
        List<string> files = [];
        foreach (
            var folder in tree
                .Files.Keys.GroupBy(path => path[..path.LastIndexOf('/')])
                .OrderBy(_ => tree.Chance.Next())
                .ToArray()
        )
        {
            files.AddRange(folder.Take(wanted - files.Count));
            if (files.Count >= wanted)
            {
                break;
            }
        }

        return [.. files];
    }
}
