namespace Restore.Tests.Assessment;

/// <content>What happens now and then.</content>
internal sealed partial class WeeklyLife
{
    public void Happen(Event what)
    {
        int count = tree.Files.Count;
        switch (what)
        {
            case Event.Import:
                string card = tree.Word(4);
                Put(
                    count * 2 / 5,
                    n => $"Pictures/card {card}/_MG_{n:0000}.{One(["CR3", "JPG"])}",
                    () => tree.Size(2e7, 0.3)
                );
                break;
            case Event.Reencoded:
                Convert("flac", "opus", 0.15, 0.3);
                break;
            case Event.ReencodedInPlace:
                Array.ForEach(
                    tree.Pick(
                        0.95,
                        path =>
                            path.EndsWith(".mkv", StringComparison.Ordinal)
                            || path.EndsWith(".JPG", StringComparison.Ordinal)
                    ),
                    path => Resize(path, 0.3, 0.7)
                );
                break;
            case Event.MassRename:
                foreach (string path in tree.Pick(1, path => In(path, "Pictures/")))
                {
                    tree.Rename(
                        path,
                        $"{path[..(path.LastIndexOf('/') + 1)]}{tree.Word(4)}-{tree.Word(10)}{path[path.LastIndexOf('.')..]}"
                    );
                }

                break;
            case Event.Branch:
                Array.ForEach(tree.Pick(0.35, path => In(path, "work/")), Edit);
                Array.ForEach(tree.Pick(0.1, path => In(path, "work/")), path => tree.Files.Remove(path));
                Put(
                    1 + (tree.Files.Keys.Count(path => In(path, "work/")) / 8),
                    n => $"work/{Topic(0)}/src/{"core api ui db net".Split(' ')[n % 5]}/{tree.Word(6)}.{One(Sources)}",
                    () => tree.Size(3500, 1.4)
                );
                break;
            case Event.MailCompacted:
                Array.ForEach(tree.Pick(1, path => In(path, "mail/")), path => Resize(path, 0.4, 0.9));
                break;
            case Event.SystemUpgrade:
                foreach (string path in tree.Pick(0.7, path => path.StartsWith("/usr/", StringComparison.Ordinal)))
                {
                    if (tree.Chance.Next(8) == 0)
                    {
                        tree.Files.Remove(path);
                    }
                    else if (tree.Chance.Next(4) == 0)
                    {
                        tree.Change(path, tree.Files[path].SizeBytes);
                    }
                    else
                    {
                        Resize(path, 0.9, 1.2);
                    }
                }

                break;
            case Event.Sidecars:
                foreach (string path in tree.Pick(1, path => In(path, "Pictures/")))
                {
                    tree.Add(path + ".xmp", 2000 + tree.Chance.Next(900));
                }

                break;
            case Event.PlacesOfPhotos:
                Array.ForEach(
                    tree.Pick(0.9, path => path.EndsWith(".JPG", StringComparison.Ordinal)),
                    path => tree.Change(path, tree.Files[path].SizeBytes + 240 + tree.Chance.Next(60))
                );
                break;
            case Event.TextOfScans:
                Array.ForEach(
                    tree.Pick(0.95, path => path.EndsWith(".pdf", StringComparison.Ordinal)),
                    path => Resize(path, 1.05, 1.3)
                );
                break;
            case Event.ExportedBeside:
                foreach (string path in tree.Pick(0.9, path => path.EndsWith(".docx", StringComparison.Ordinal)))
                {
                    tree.Add(
                        path[..^5] + ".pdf",
                        (long)(tree.Files[path].SizeBytes * (0.5 + tree.Chance.NextDouble()))
                    );
                }

                break;
            case Event.DuplicatesRemoved:
                foreach (string path in tree.Pick(0.15, path => In(path, "Pictures/")))
                {
                    tree.Files[path.Replace("Pictures/", "Pictures/sorted/", StringComparison.Ordinal)] = tree.Files[
                        path
                    ];
                }

                break;
            case Event.OldVersionRemoved:
                Array.ForEach(tree.Pick(1, path => In(path, "Pictures/sorted/")), path => tree.Files.Remove(path));
                break;
            case Event.ProjectFinished:
                Archive();
                break;
            case Event.NewMachine:
                string name = tree.Word(5);
                foreach (string path in tree.Pick(1, path => In(path, "Documents/")))
                {
                    tree.Rename(path, path.Replace("Documents/", $"Documents/{name}/", StringComparison.Ordinal));
                }

                break;
            default:
                foreach (
                    string folder in tree
                        .Files.Keys.Where(path => In(path, "work/"))
                        .Select(path => path[..(path.LastIndexOf('/') + 1)])
                        .Distinct()
                        .ToArray()
                )
                {
                    tree.Files[folder + "LICENSE.md"] = new MadeFile(ulong.MaxValue - 77, 1071, tree.Now);
                }

                break;
        }
    }

    private void Archive()
    {
        string[] folders =
        [
            .. tree
                .Files.Keys.Where(path => In(path, "Documents/"))
                .Select(path => path[..(path.LastIndexOf('/') + 1)])
                .Distinct(),
        ];
        if (folders.Length == 0)
        {
            return;
        }

        string folder = One(folders);
        string[] gone = tree.Pick(1, path => path.StartsWith(folder, StringComparison.Ordinal));
        long bytes = gone.Sum(path => tree.Files[path].SizeBytes);
        Array.ForEach(gone, path => tree.Files.Remove(path));
        string leaf = folder.TrimEnd('/')[(folder.TrimEnd('/').LastIndexOf('/') + 1)..];
        string name = One([
            $"{home}Archive/{leaf}",
            $"{folder}{leaf} {2020 + (tree.Day % 5)}",
            $"{home}Documents/old {leaf}",
        ]);
        tree.Add(name + One([".zip", ".7z", ".tar.zst"]), (long)(bytes * (0.5 + (0.45 * tree.Chance.NextDouble()))));
    }
}
