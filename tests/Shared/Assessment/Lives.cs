namespace Restore.Tests.Assessment;

/// <summary>Makes the first version of a kind of life, and lets a day pass.</summary>
internal sealed class Lives(MadeTree tree, Life life, int files, int versions)
{
    private static readonly string[] Documents = ["docx", "xlsx", "pdf", "pptx", "txt", "odt", "csv"];
    private static readonly string[] Programs = ["so", "dll", "exe", "py", "conf", "xml", "html", "png", "dat", "js"];

    private readonly int special = Math.Max(2, versions / 4) + tree.Chance.Next(Math.Max(1, versions / 2));
    private readonly double pace = 0.5 + tree.Chance.NextDouble();
    private string root = "/home/ann/";

    public void Begin()
    {
        tree.Day = 0;
        switch (life)
        {
            case Life.Office:
                Office(files);
                break;
            case Life.Photos or Life.LibraryMove:
                Photos(files);
                break;
            case Life.Source:
                Source(files);
                break;
            case Life.Mail:
                Mail(files);
                break;
            case Life.Database:
                Fill(files, n => $"/var/lib/db/d{n % 20}/{n}.ibd", () => 16384L * (1 + tree.Chance.Next(200)));
                break;
            case Life.Upgrade:
                SystemFiles(files);
                break;
            case Life.Conversion:
                Music(files);
                break;
            case Life.YearArchive:
                Years(files);
                break;
            case Life.RotatedLogs:
                Logs(files);
                break;
            case Life.MachineImages:
                Fill(files, n => $"/srv/vm/m{n % 8}.sparsebundle/bands/{n:x}", () => 8 << 20);
                break;
            case Life.NewDisk:
                root = "/mnt/old/";
                Office(files / 2);
                Photos(files / 2);
                break;
            case Life.Caches:
                Office(files / 2);
                Cache(files / 2);
                break;
            default:
                Office(files / 4);
                Photos(files / 4);
                Source(files / 4);
                Mail(files / 4);
                break;
        }

        // A file is older than its backup.
        foreach ((string path, MadeFile file) in tree.Files.ToArray())
        {
            tree.Files[path] = file with
            {
                TimeTicks = file.TimeTicks - (TimeSpan.TicksPerDay * tree.Chance.Next(1, 1500)),
            };
        }
    }

    public void Pass(int day)
    {
        tree.Day = day;
        switch (life)
        {
            case Life.Office:
                OfficeDay();
                break;
            case Life.Photos:
                PhotosDay();
                break;
            case Life.Source:
                SourceDay();
                break;
            case Life.Mail:
                MailDay();
                break;
            case Life.Database:
                DatabaseDay();
                break;
            case Life.LibraryMove:
                PhotosDay();
                Move(day, "Pictures/", "Media/Library/");
                break;
            case Life.Upgrade:
                UpgradeDay(day);
                break;
            case Life.Conversion:
                ConversionDay(day);
                break;
            case Life.YearArchive:
                OfficeDay();
                YearDay(day);
                break;
            case Life.RotatedLogs:
                LogsDay();
                break;
            case Life.MachineImages:
                ChangeSameSize(0.03 * pace);
                break;
            case Life.NewDisk:
                OfficeDay();
                Move(day, "/mnt/old/", "/mnt/new/");
                break;
            case Life.Caches:
                OfficeDay();
                CacheDay();
                break;
            default:
                OfficeDay();
                PhotosDay();
                SourceDay();
                MailDay();
                break;
        }
    }

    private void Fill(int count, Func<int, string> name, Func<long> size)
    {
        for (int n = 0; n < count; n++)
        {
            tree.Add(name(n), size());
        }
    }

    private T One<T>(T[] from) => from[tree.Chance.Next(from.Length)];

    private void Office(int count) =>
        Fill(
            count,
            n => $"{root}Documents/p{n % (1 + (count / 25))}/report {n}.{One(Documents)}",
            () => tree.Size(60_000)
        );

    private void OfficeDay()
    {
        bool IsDocument(string path) => path.Contains("Documents/", StringComparison.Ordinal);
        int count = tree.Files.Keys.Count(IsDocument);
        foreach (string path in tree.PickHot(1 + (int)(count * 0.015 * pace), IsDocument))
        {
            tree.Change(path, tree.Edited(tree.Files[path].SizeBytes));
        }

        foreach (string path in tree.Pick(0.002 * pace, IsDocument))
        {
            tree.Files.Remove(path);
        }

        Fill(
            1 + (int)(count * 0.005 * pace),
            n => $"{root}Documents/p{tree.Chance.Next(40)}/new {tree.Word()}.{One(Documents)}",
            () => tree.Size(60_000)
        );
        foreach (string path in tree.Pick(0.001, IsDocument))
        {
            tree.Rename(path, path.Replace("report", "old report", StringComparison.Ordinal));
        }
    }

    private void Photos(int count) =>
        Fill(
            count,
            n => $"{root}Pictures/{2010 + (n % 14)}/IMG_{n:0000}.{(n % 9 == 0 ? "mp4" : n % 5 == 0 ? "heic" : "jpg")}",
            () => tree.Size(3_000_000, 0.6)
        );

    private void PhotosDay()
    {
        bool IsPhoto(string path) =>
            path.Contains("Pictures/", StringComparison.Ordinal) || path.Contains("Library/", StringComparison.Ordinal);
        int count = tree.Files.Keys.Count(IsPhoto);
        if (tree.Chance.Next(6) == 0)
        {
            string folder = $"{root}Pictures/trip {tree.Word(4)}/";
            Fill(
                (int)(count * 0.08 * tree.Chance.NextDouble()) + 1,
                n => $"{folder}DSC_{n:0000}.jpg",
                () => tree.Size(4_000_000, 0.5)
            );
        }

        foreach (string path in tree.Pick(0.002 * pace, IsPhoto))
        {
            tree.Change(path, tree.Files[path].SizeBytes + tree.Chance.Next(-4000, 9000));
        }

        foreach (string path in tree.Pick(0.001 * pace, IsPhoto))
        {
            tree.Files.Remove(path);
        }
    }

    private void Source(int count)
    {
        Fill(
            count * 6 / 10,
            n => $"{root}src/app/m{n % 30}/f{n}.{(n % 7 == 0 ? "h" : n % 11 == 0 ? "md" : "c")}",
            () => tree.Size(7000)
        );
        Fill(
            count * 4 / 10,
            n => $"{root}src/app/{One(["build", "out/debug", "target"])}/f{n}.{(n % 20 == 0 ? "so" : "o")}",
            () => tree.Size(30_000)
        );
    }

    private void SourceDay()
    {
        bool IsText(string path) => path.Contains("/src/app/m", StringComparison.Ordinal);
        bool IsMade(string path) => path.Contains("/src/app/", StringComparison.Ordinal) && !IsText(path);
        bool isBranch = tree.Chance.Next(9) == 0;
        foreach (string path in tree.Pick(isBranch ? 0.08 : 0.012 * pace, IsText))
        {
            tree.Change(path, tree.Edited(tree.Files[path].SizeBytes));
        }

        foreach (string path in tree.Pick(isBranch ? 0.008 : 0.001, IsText))
        {
            tree.Files.Remove(path);
        }

        Fill(
            1 + (isBranch ? files / 60 : 0),
            n => $"{root}src/app/m{tree.Chance.Next(30)}/{tree.Word()}.c",
            () => tree.Size(7000)
        );
        bool isClean = tree.Chance.Next(15) == 0;
        foreach (string path in tree.Pick(isClean ? 1 : tree.Chance.NextDouble() * 0.7, IsMade))
        {
            if (isClean)
            {
                tree.Files.Remove(path);
            }
            else
            {
                tree.Change(
                    path,
                    tree.Chance.Next(3) == 0 ? tree.Files[path].SizeBytes : tree.Edited(tree.Files[path].SizeBytes)
                );
            }
        }

        if (!tree.Files.Keys.Any(IsMade) && !isClean)
        {
            Fill(files * 4 / 10, n => $"{root}src/app/build/f{n}.o", () => tree.Size(30_000));
        }
    }

    private void Mail(int count) =>
        Fill(count, n => $"{root}Maildir/cur/{1_600_000_000 + n}.M{n}.host:2,S", () => tree.Size(12_000));

    private void MailDay()
    {
        bool IsMail(string path) => path.Contains("Maildir/", StringComparison.Ordinal);
        foreach (string path in tree.Pick(0.6, path => path.Contains("Maildir/new/", StringComparison.Ordinal)))
        {
            tree.Rename(path, path.Replace("/new/", "/cur/", StringComparison.Ordinal) + ":2,S");
        }

        foreach (string path in tree.Pick(0.004 * pace, IsMail))
        {
            tree.Files.Remove(path);
        }

        int count = tree.Files.Keys.Count(IsMail);
        Fill(
            1 + (int)(count * 0.01 * pace),
            n => $"{root}Maildir/new/{1_700_000_000 + (tree.Day * 100_000) + n}.M{n}.host",
            () => tree.Size(12_000)
        );
    }

    private void DatabaseDay()
    {
        ChangeSameSize(0.08 * pace);
        foreach (string path in tree.Pick(0.01))
        {
            tree.Change(path, tree.Files[path].SizeBytes + (16384 * tree.Chance.Next(1, 20)));
        }
    }

    private void ChangeSameSize(double share)
    {
        foreach (string path in tree.Pick(share))
        {
            tree.Change(path, tree.Files[path].SizeBytes);
        }
    }

    private void SystemFiles(int count)
    {
        Fill(
            count,
            n => $"/usr/{One(["lib", "share", "bin"])}/p{n % 60}-1.{n % 7}/f{n}.{One(Programs)}",
            () => tree.Size(20_000, 1.5)
        );
    }

    private void UpgradeDay(int day)
    {
        foreach (string path in tree.Pick(0.002))
        {
            tree.Change(path, tree.Edited(tree.Files[path].SizeBytes));
        }

        if (day != special && tree.Chance.Next(10) != 0)
        {
            return;
        }

        double share = day == special ? 0.6 : 0.05;
        HashSet<string> packages =
        [
            .. Enumerable.Range(0, 60).Where(_ => tree.Chance.NextDouble() < share).Select(n => $"/p{n}-1."),
        ];
        foreach (
            string path in tree.Pick(
                1,
                path => packages.Any(package => path.Contains(package, StringComparison.Ordinal))
            )
        )
        {
            int fate = tree.Chance.Next(20);
            long size = tree.Files[path].SizeBytes;
            if (fate == 0)
            {
                tree.Files.Remove(path);
            }
            else if (fate < 13)
            {
                tree.Change(path, fate < 4 ? size : tree.Edited(size));
            }
            else if (fate < 16)
            {
                tree.Rename(path, path.Replace("-1.", "-2.", StringComparison.Ordinal));
            }
            else if (fate < 18)
            {
                tree.Files.Remove(path);
                tree.Add(path.Replace("-1.", "-2.", StringComparison.Ordinal), tree.Edited(size));
            }
        }

        Fill(
            (int)(files * share * 0.05),
            n => $"/usr/lib/p{n % 60}-2.0/new{tree.Word(5)}.{One(Programs)}",
            () => tree.Size(20_000, 1.5)
        );
    }

    private void Music(int count) =>
        Fill(count, n => $"{root}Music/a{n % 40}/t{n}.{(n % 3 == 0 ? "wav" : "mp3")}", () => tree.Size(9_000_000, 0.5));

    private void ConversionDay(int day)
    {
        foreach (string path in tree.Pick(0.001))
        {
            tree.Change(path, tree.Edited(tree.Files[path].SizeBytes));
        }

        if (day == special)
        {
            foreach (string path in tree.Pick(1, path => path.EndsWith(".wav", StringComparison.Ordinal)))
            {
                long size = tree.Files[path].SizeBytes;
                tree.Files.Remove(path);
                tree.Add(path[..^4] + ".flac", (long)(size * (0.45 + (0.2 * tree.Chance.NextDouble()))));
            }
        }
    }

    private void Years(int count)
    {
        Office(count / 2);
        Fill(count / 2, n => $"{root}Archive/{2018 + (n % 5)}/inv {n}.{One(Documents)}", () => tree.Size(80_000));
    }

    private void YearDay(int day)
    {
        if (day == special)
        {
            string folder = $"{root}Archive/{2018 + tree.Chance.Next(5)}/";
            string[] gone = tree.Pick(1, path => path.StartsWith(folder, StringComparison.Ordinal));
            long bytes = gone.Sum(path => tree.Files[path].SizeBytes);
            Array.ForEach(gone, path => tree.Files.Remove(path));
            tree.Add(
                folder.TrimEnd('/') + One([".zip", ".tar.gz", ".7z"]),
                (long)(bytes * (0.4 + (0.5 * tree.Chance.NextDouble())))
            );
        }
    }

    private void Logs(int count)
    {
        Fill(
            count / 2,
            n => $"/var/log/s{n % (1 + (count / 20))}/app.log.{(n / (1 + (count / 20))) + 1}.gz",
            () => tree.Size(90_000)
        );
        Fill(count / 2, n => $"/etc/c{n % 30}/f{n}.conf", () => tree.Size(2000));
    }

    private void LogsDay()
    {
        static bool IsLog(string path) =>
            path.Contains("/app.log.", StringComparison.Ordinal) && int.TryParse(path.Split('.')[^2], out _);
        foreach (
            IGrouping<string, string> service in tree
                .Files.Keys.Where(IsLog)
                .GroupBy(path => path[..path.LastIndexOf('/')])
                .ToArray()
        )
        {
            string[] logs =
            [
                .. service.OrderByDescending(path =>
                    int.Parse(path.Split('.')[^2], System.Globalization.CultureInfo.InvariantCulture)
                ),
            ];
            tree.Files.Remove(logs[0]);
            for (int n = 1; n < logs.Length; n++)
            {
                tree.Rename(logs[n], logs[n - 1]);
            }

            tree.Add(logs[^1], tree.Size(90_000));
        }

        foreach (string path in tree.Pick(0.002, path => path.StartsWith("/etc/", StringComparison.Ordinal)))
        {
            tree.Change(path, tree.Edited(tree.Files[path].SizeBytes));
        }
    }

    private void Cache(int count) =>
        Fill(count, n => $"{root}.mozilla/p/entries/{tree.Word(20).ToUpperInvariant()}", () => tree.Size(15_000));

    private void CacheDay()
    {
        bool IsCache(string path) => path.Contains("/entries/", StringComparison.Ordinal);
        string[] gone = tree.Pick(0.05 + (0.1 * tree.Chance.NextDouble()), IsCache);
        Array.ForEach(gone, path => tree.Files.Remove(path));
        Cache(gone.Length + tree.Chance.Next(10));
    }

    private void Move(int day, string from, string to)
    {
        if (day == special)
        {
            foreach (string path in tree.Pick(1, path => path.Contains(from, StringComparison.Ordinal)))
            {
                tree.Rename(path, path.Replace(from, to, StringComparison.Ordinal));
            }

            root = root.Replace(from, to, StringComparison.Ordinal);
        }
    }
}
