namespace Restore.Tests.Assessment;

/// <summary>
/// A third kind of made life: a home of which a version is made each week, so that much changes
/// between two versions, with a system, logs, containers and mail boxes.
/// </summary>
internal sealed partial class WeeklyLife
{
    private static readonly string[] Papers = ["docx", "xlsx", "pdf", "pptx", "txt", "odt", "numbers", "csv", "one"];
    private static readonly string[] Sources = ["rs", "kt", "toml", "tsx", "svg", "sql", "lock", "proto"];
    private static readonly string[] Parts = ["so", "ko", "ttf", "mo", "png", "conf", "py", "bin", "gz"];

    private readonly MadeTree tree;
    private readonly string home;
    private readonly double pace;
    private readonly bool hasSystem;

    public WeeklyLife(MadeTree tree, int files)
    {
        this.tree = tree;
        home = One(["/home/mia/", "/volume1/family/", "/Users/jo/Library and more/", "D:/Data/"]);
        pace = 0.3 + (1.4 * tree.Chance.NextDouble());
        hasSystem = tree.Chance.Next(3) == 0;
        double[] parts = [.. Enumerable.Range(0, 4).Select(_ => 0.05 + Math.Pow(tree.Chance.NextDouble(), 2))];
        int Part(int n) => (int)(files * parts[n] / parts.Sum() * (hasSystem ? 0.6 : 1)) + 6;
        Put(
            Part(0),
            n => $"Documents/{Topic(n / 30)}/{tree.Word(5)} {2015 + (n % 9)}.{One(Papers)}",
            () => tree.Size(70_000, 1.6)
        );
        Put(
            Part(1),
            n => $"Pictures/{2012 + (n / 120)}/{n / 40 % 3:00}/DSCF{n:0000}.{One(["JPG", "JPG", "RAF", "HEIC"])}",
            () => tree.Size(5e6, 0.6)
        );
        Put(
            Part(2),
            n => $"Media/{Topic(n / 12)}/{n % 12:00}.{One(["flac", "m4a", "flac", "mkv"])}",
            () => tree.Size(2e7, 0.8)
        );
        Put(
            Part(3),
            n => $"work/{Topic(n / 80)}/src/{"core api ui db net".Split(' ')[n % 5]}/{tree.Word(6)}.{One(Sources)}",
            () => tree.Size(3500, 1.4)
        );
        Put(5, n => $"mail/{Topic(n)}.mbox", () => tree.Size(9e7, 1));
        Put(4, n => $"safe/{tree.Word(5)}.{One(["hc", "kdbx", "vdi", "sparsebundle"])}", () => tree.Size(1e9, 0.5));
        Put(
            12,
            n => $"logs/app{n % 3}.log{(n < 3 ? "" : $".{n / 3}{(n < 6 ? "" : ".zst")}")}",
            () => tree.Size(2e5, 0.6)
        );
        if (hasSystem)
        {
            for (int n = 0; n < files * 0.4; n++)
            {
                tree.Add(
                    $"/usr/{One(["lib", "share"])}/{Topic(n / 40)}/{tree.Word(6)}.{One(Parts)}",
                    tree.Size(15_000, 1.7)
                );
            }
        }

        foreach ((string path, MadeFile file) in tree.Files.ToArray())
        {
            long age = tree.Chance.Next(700_000, 200_000_000) * TimeSpan.TicksPerSecond;
            tree.Files[path] = file with { TimeTicks = file.TimeTicks - age };
        }
    }

    /// <summary>The backup gets the rest of the home in one week.</summary>
    public void Grow(int files)
    {
        Put(files / 2, n => $"Pictures/all/{n / 90}/IMG_{n:00000}.JPG", () => tree.Size(3e6, 0.6));
        Put(
            files / 3,
            n => $"Documents/all/{Topic(n / 50)}/{tree.Word(8)}.{One(Papers)}",
            () => tree.Size(50_000, 1.6)
        );
    }

    public void Week()
    {
        bool isHoliday = tree.Chance.Next(6) == 0;
        double week = isHoliday ? 0.1 : pace;
        Array.ForEach(tree.Pick(0.02 * week, path => In(path, "Documents/")), Edit);
        Array.ForEach(tree.Pick(0.03 * week, path => In(path, "work/")), Edit);
        Array.ForEach(tree.Pick(0.003 * week, path => In(path, "Pictures/")), path => Resize(path, 0.8, 1.1));
        Array.ForEach(
            tree.Pick(0.006 * week, path => !In(path, "safe/") && !In(path, "logs/")),
            path => tree.Files.Remove(path)
        );
        Array.ForEach(tree.Pick(0.7, path => In(path, "safe/")), path => tree.Change(path, tree.Files[path].SizeBytes));
        Array.ForEach(tree.Pick(0.7, path => In(path, "mail/")), path => Resize(path, 1, 1.03));
        Array.ForEach(tree.Pick(0.002 * week, path => path.StartsWith("/usr/", StringComparison.Ordinal)), Edit);
        int count = tree.Files.Count;
        Put(
            (int)(count * 0.01 * week),
            n => $"Documents/{Topic(tree.Chance.Next(9))}/{tree.Word(9)}.{One(Papers)}",
            () => tree.Size(50_000, 1.6)
        );
        Put(
            (int)(count * 0.01 * week),
            n => $"Pictures/new {tree.Day}/DSCF{tree.Day}{n:0000}.JPG",
            () => tree.Size(5e6, 0.5)
        );
        Rotate();
    }

    private bool In(string path, string folder) => path.StartsWith(home + folder, StringComparison.Ordinal);

    private static string Topic(int n) =>
        $"{"taxes house garden school trips letters band club".Split(' ')[n % 8]}{(n < 8 ? "" : $" {n / 8}")}";

    private void Rotate()
    {
        for (int app = 0; app < 3; app++)
        {
            string log = $"{home}logs/app{app}.log";
            tree.Files.Remove($"{log}.3.zst");
            tree.Rename($"{log}.2.zst", $"{log}.3.zst");
            if (tree.Files.Remove($"{log}.1", out MadeFile old))
            {
                tree.Add($"{log}.2.zst", old.SizeBytes / 9);
            }

            tree.Rename(log, $"{log}.1");
            tree.Add(log, tree.Size(2e5, 0.6));
        }
    }

    private void Edit(string path)
    {
        if (tree.Files.TryGetValue(path, out MadeFile file))
        {
            tree.Change(
                path,
                tree.Chance.Next(8) == 0
                    ? file.SizeBytes
                    : (long)(file.SizeBytes * (0.85 + (0.4 * tree.Chance.NextDouble()))) + tree.Chance.Next(60)
            );
        }
    }

    private void Resize(string path, double from, double to) =>
        tree.Change(path, (long)(tree.Files[path].SizeBytes * (from + ((to - from) * tree.Chance.NextDouble()))));

    private void Convert(string from, string to, double least, double most)
    {
        foreach (string path in tree.Pick(1, path => path.EndsWith("." + from, StringComparison.Ordinal)))
        {
            long size = tree.Files[path].SizeBytes;
            tree.Files.Remove(path);
            tree.Add(path[..^from.Length] + to, (long)(size * (least + ((most - least) * tree.Chance.NextDouble()))));
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
