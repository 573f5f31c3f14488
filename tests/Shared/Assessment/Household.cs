namespace Restore.Tests.Assessment;

/// <summary>
/// A second kind of made life: one mixture of folders for each seed, quiet or busy days, and a
/// burst now and then.
/// </summary>
internal sealed class Household
{
    private static readonly string[] Texts = ["cs", "ts", "py", "go", "json", "yml", "md", "css"];
    private static readonly string[] Papers = ["docx", "xlsx", "pdf", "doc", "pptx", "odt", "txt", "csv", "rtf"];
    private static readonly string[] Pictures = ["jpg", "jpg", "jpg", "png", "nef", "heic"];

    private readonly MadeTree tree;
    private readonly string home;
    private readonly double pace;
    private readonly double newADay;
    private readonly double goneADay;
    private readonly List<string> hot;
    private readonly int clockBack;

    public Household(MadeTree tree, int files)
    {
        this.tree = tree;
        home = One(["/home/kim/", "/Users/lee/", "/srv/share/", "C:\\Users\\Ola\\"]).Replace('\\', '/');
        pace = 0.001 + (0.02 * tree.Chance.NextDouble());
        newADay = 0.008 * tree.Chance.NextDouble();
        goneADay = 0.003 * tree.Chance.NextDouble();
        clockBack = tree.Chance.Next(3, 400);
        double[] parts = [.. Enumerable.Range(0, 6).Select(_ => Math.Pow(tree.Chance.NextDouble(), 2))];
        double all = parts.Sum();
        int Part(int n) => (int)(files * parts[n] / all) + 4;
        Put(Part(0), n => $"Office/{Letter(n / 40)}/{tree.Word(6)} {n}.{One(Papers)}", () => tree.Size(90_000, 1.5));
        Put(Part(1), n => $"Photos/{2005 + (n / 150)}/P{n:00000}.{One(Pictures)}", () => tree.Size(2_500_000, 0.7));
        Put(Part(2), n => $"code/{Letter(n / 60)}/src/{tree.Word(5)}.{One(Texts)}", () => tree.Size(4000, 1.3));
        Put(Part(3), n => $"Music/{Letter(n / 12)}/{n % 12:00} {tree.Word(7)}.mp3", () => tree.Size(6e6, 0.4));
        Put(Part(4), n => $"mail/{Letter(n / 200)}/{tree.Word(16)}", () => tree.Size(9000, 1.4));
        Put(Part(5), n => $"Downloads/{tree.Word(9)}.{One(["pdf", "zip", "exe", "jpg"])}", () => tree.Size(7e5, 1.8));
        foreach ((string path, MadeFile file) in tree.Files.ToArray())
        {
            long age = tree.Chance.Next(86_400, 90_000_000) * TimeSpan.TicksPerSecond;
            tree.Files[path] = file with { TimeTicks = file.TimeTicks - age };
        }

        hot = [.. tree.Pick(0.04)];
        Older = new(tree.Files);
    }

    /// <summary>The files of the first version, for those who bring an old backup back.</summary>
    private Dictionary<string, MadeFile> Older { get; }

    public void Day()
    {
        // Some days nobody works.
        double today = tree.Chance.Next(5) == 0 ? 0.05 : 0.3 + (1.5 * tree.Chance.NextDouble());
        int count = tree.Files.Count;
        for (int n = 0; n < (int)(count * pace * today) && hot.Count > 0; n++)
        {
            Edit(hot[tree.Chance.Next(hot.Count)]);
        }

        Array.ForEach(tree.Pick(0.0008 * today, path => !path.Contains("/mail/", StringComparison.Ordinal)), Edit);
        Array.ForEach(tree.Pick(goneADay * today), path => tree.Files.Remove(path));
        Put(
            (int)(count * newADay * today),
            n =>
                tree.Chance.Next(2) == 0
                    ? $"Office/{Letter(tree.Chance.Next(6))}/{tree.Word()}.{One(Papers)}"
                    : $"mail/{Letter(0)}/{tree.Word(16)}",
            () => tree.Size(30_000, 1.5)
        );
    }

    public void Happen(Burst burst)
    {
        switch (burst)
        {
            case Burst.PhotoImport:
                string trip = tree.Word(5);
                Put(tree.Files.Count / 2, n => $"Photos/{trip}/DSC{n:00000}.jpg", () => tree.Size(4e6, 0.3));
                break;
            case Burst.ScansAdded:
                Put(tree.Files.Count / 20, n => $"Scans/{tree.Word(4)} ({n % 3}).pdf", () => tree.Size(4e5, 0.3));
                break;
            case Burst.BranchSwitch:
                Array.ForEach(tree.Pick(0.4, IsText), Edit);
                Array.ForEach(tree.Pick(0.06, IsText), path => tree.Files.Remove(path));
                Put(20, n => $"code/{Letter(0)}/src/{tree.Word(6)}.{One(Texts)}", () => tree.Size(4000));
                break;
            case Burst.ProjectAdded:
                string project = tree.Word(6);
                Put(tree.Files.Count / 4, n => $"code/{project}/m{n / 30}/{tree.Word(6)}.go", () => tree.Size(3000));
                break;
            case Burst.PackagesAdded:
                Put(
                    tree.Files.Count,
                    n => $"code/web/node_modules/p{n / 20}/{(n % 20 == 0 ? "LICENSE" : $"f{n % 20}.js")}",
                    () => tree.Size(2500)
                );
                break;
            case Burst.PackagesRemoved:
                Array.ForEach(
                    tree.Pick(1, path => path.Contains("/node_modules/", StringComparison.Ordinal)),
                    path => tree.Files.Remove(path)
                );
                break;
            case Burst.PicturesToWebp:
                Convert(".jpg", ".webp", 0.4);
                break;
            case Burst.DocToDocx:
                Convert(".doc", ".docx", 0.7);
                break;
            case Burst.LibraryRenamed:
                Rename("Photos/", "Pictures/");
                Rename("Music/", "Audio/All/");
                break;
            case Burst.FoldersNested:
                Rename("Office/", $"Office/until {tree.Day}/");
                break;
            case Burst.YearZipped:
                Zip(One([".zip", ".7z", ".tar.gz", ".rar"]));
                break;
            case Burst.PhotosEdited:
                Array.ForEach(tree.Pick(0.9, IsPhoto), path => Resize(path, 0.7 + (0.5 * tree.Chance.NextDouble())));
                break;
            case Burst.OldBackupReturned:
                foreach ((string path, MadeFile file) in Older)
                {
                    tree.Files[path] = file;
                }

                break;
            case Burst.ClockSetBack:
                Array.ForEach(tree.Pick(0.02), path => Shift(path, -TimeSpan.FromDays(clockBack)));
                break;
            case Burst.DaylightSaving:
                Array.ForEach(tree.Pick(1), path => Shift(path, TimeSpan.FromHours(1)));
                break;
            case Burst.MusicTagged:
                Array.ForEach(
                    tree.Pick(0.8, path => path.EndsWith(".mp3", StringComparison.Ordinal)),
                    path => tree.Change(path, tree.Files[path].SizeBytes + (tree.Chance.Next(4) == 0 ? 2048 : 0))
                );
                break;
            case Burst.YearOfLicense:
                Array.ForEach(tree.Pick(0.9, IsText), path => tree.Change(path, tree.Files[path].SizeBytes));
                break;
            case Burst.LineEndings:
                Array.ForEach(tree.Pick(0.95, IsText), path => Resize(path, 1.02 + (0.02 * tree.Chance.NextDouble())));
                break;
            case Burst.DownloadsCleaned:
                Array.ForEach(
                    tree.Pick(0.3, path => path.Contains("/Downloads/", StringComparison.Ordinal))
                        .Take(1 + (tree.Files.Count / 100))
                        .ToArray(),
                    path => tree.Files.Remove(path)
                );
                break;
            case Burst.ProgramUpgraded:
                Array.ForEach(tree.Pick(0.7, path => path.Contains("/node_modules/", StringComparison.Ordinal)), Edit);
                break;
            default:
                Array.ForEach(tree.Pick(0.1, path => path.Contains("/mail/", StringComparison.Ordinal)), Edit);
                break;
        }
    }

    private static bool IsPhoto(string path) =>
        path.Contains("/Photos/", StringComparison.Ordinal) || path.Contains("/Pictures/", StringComparison.Ordinal);

    private static bool IsText(string path) => Texts.Contains(path[(path.LastIndexOf('.') + 1)..]);

    private static string Letter(int n) => $"{(char)('a' + (n % 26))}{n / 26}";

    private void Edit(string path)
    {
        if (tree.Files.TryGetValue(path, out MadeFile file))
        {
            double factor = tree.Chance.Next(3) == 0 ? 1 : 0.9 + (0.3 * tree.Chance.NextDouble());
            tree.Change(path, (long)(file.SizeBytes * factor) + tree.Chance.Next(-40, 120));
        }
    }

    private void Resize(string path, double factor) => tree.Change(path, (long)(tree.Files[path].SizeBytes * factor));

    private void Shift(string path, TimeSpan by) =>
        tree.Files[path] = tree.Files[path] with { TimeTicks = tree.Files[path].TimeTicks + by.Ticks };

    private void Convert(string from, string to, double factor)
    {
        foreach (string path in tree.Pick(1, path => path.EndsWith(from, StringComparison.Ordinal)))
        {
            long size = tree.Files[path].SizeBytes;
            tree.Files.Remove(path);
            tree.Add(path[..^from.Length] + to, (long)(size * factor * (0.7 + (0.6 * tree.Chance.NextDouble()))));
        }
    }

    private void Rename(string from, string to)
    {
        foreach (string path in tree.Pick(1, path => path.StartsWith(home + from, StringComparison.Ordinal)))
        {
            tree.Rename(path, home + to + path[(home.Length + from.Length)..]);
        }
    }

    private void Zip(string extension)
    {
        string[] folders =
        [
            .. tree.Files.Keys.Where(IsPhoto).Select(path => path[..(path.LastIndexOf('/') + 1)]).Distinct(),
        ];
        if (folders.Length > 0)
        {
            string folder = One(folders);
            string[] gone = tree.Pick(1, path => path.StartsWith(folder, StringComparison.Ordinal));
            long bytes = gone.Sum(path => tree.Files[path].SizeBytes);
            Array.ForEach(gone, path => tree.Files.Remove(path));
            tree.Add(folder.TrimEnd('/') + extension, (long)(bytes * (0.6 + (0.38 * tree.Chance.NextDouble()))));
        }
    }

    private void Put(int count, Func<int, string> name, Func<long> size)
    {
        for (int n = 0; n < count; n++)
        {
            tree.Add(home + name(n), size());
        }
    }

    private T One<T>(T[] from) => from[tree.Chance.Next(from.Length)];
}
