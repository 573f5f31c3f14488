using Restore.Benchmarks.Data;

namespace Restore.Benchmarks.Suite;

/// <summary>
/// What is at the target before a restore: the four cases of the published comparison, and one in
/// which every file is replaced.
/// </summary>
internal sealed record RestoreCase(string Name, Action<string, string, IReadOnlyList<string>> Prepare)
{
    private const int BlockToChangeBytes = 1000;

    private static readonly RestoreCase[] All =
    [
        new("full", (_, _, _) => { }),
        new(
            "partial",
            (source, target, files) =>
                Copy(source, target, files.Where((_, i) => i % 4 != 2), (path, i) => Change(path, isWanted: i % 3 == 2))
        ),
        new(
            "changed",
            (source, target, files) => Copy(source, target, files, (path, _) => Change(path, isWanted: true))
        ),
        new("no-restore", (source, target, files) => Copy(source, target, files, (_, _) => { })),
        new("metadata-only", (source, target, files) => Copy(source, target, files, (path, _) => Touch(path))),
    ];

    public static IEnumerable<string> Names => All.Select(one => one.Name);

    public static RestoreCase Full => All[0];

    /// <exception cref="UsageException">The case does not exist.</exception>
    public static RestoreCase Named(string name) =>
        All.FirstOrDefault(one => one.Name == name)
        ?? throw new UsageException($"There is no case {name}. There are: {string.Join(", ", Names)}.");

    private static void Copy(string source, string target, IEnumerable<string> files, Action<string, int> change)
    {
        int i = 0;
        foreach (string file in files)
        {
            string path = Path.Combine(target, file);
            Directory.CreateDirectory(Path.GetDirectoryName(path)!);
            File.Copy(Path.Combine(source, file), path);
            File.SetLastWriteTimeUtc(path, File.GetLastWriteTimeUtc(Path.Combine(source, file)));
            change(path, i++);
        }
    }

    /// <summary>
    /// Of the copied files (three of four) every third is changed: half of all are untouched, a
    /// quarter is changed, a quarter is missing.
    /// </summary>
    private static void Change(string path, bool isWanted)
    {
        using FileStream file = new(path, FileMode.Open, FileAccess.ReadWrite);
        if (!isWanted || file.Length == 0)
        {
            return;
        }

        DateTime time = File.GetLastWriteTimeUtc(file.SafeFileHandle);
        file.Position = file.Length / 2;
        byte[] changed = new byte[Math.Min(BlockToChangeBytes, file.Length - file.Position)];
        file.ReadExactly(changed);
        for (int i = 0; i < changed.Length; i++)
        {
            changed[i] ^= 0x5A;
        }

        file.Position = file.Length / 2;
        file.Write(changed);
        file.Flush();

        // Like a change an hour later: no restore may treat it as unchanged by its time.
        File.SetLastWriteTimeUtc(file.SafeFileHandle, time.AddHours(1));
    }

    private static void Touch(string path) => File.SetLastWriteTimeUtc(path, DataGenerator.TimeOf(0).AddDays(-1));
}
