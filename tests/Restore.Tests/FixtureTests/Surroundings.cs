namespace Restore.Tests.FixtureTests;

/// <summary>
/// The victims of a hostile backup, and the folder around the target: all must stay unchanged.
/// </summary>
internal sealed class Surroundings : IDisposable
{
    /// <summary>
    /// Where the hostile fixtures want to write. Shared by all runs on the machine, so it is made
    /// once and never changed or removed.
    /// </summary>
    private const string Victim = "/tmp/fx-evil";

    private readonly TempFolder folder = TempFolder.WithVictim();
    private readonly string[] before;
    private readonly string[] outside;

    private Surroundings()
    {
        before = Describe(Victim);
        outside = Describe(folder.Outside);
    }

    public string Target => folder.Root;

    public static Surroundings Make()
    {
        MakeVictim();
        return new Surroundings();
    }

    public void AssertUntouched()
    {
        Assert.Equal(before, Describe(Victim));
        Assert.Equal(outside, Describe(folder.Outside));
        Assert.Empty(
            Directory.EnumerateFileSystemEntries(folder.Path).Select(Path.GetFileName).Except(["root", "outside"])
        );
    }

    public void Dispose() => folder.Dispose();

    private static string[] Describe(string path) =>
        [.. RestoredTree.Read(path).Values.Select(entry => entry.ToString())];

    /// <summary>
    /// Made elsewhere and moved into place, so that a run beside this one sees all of it or
    /// nothing.
    /// </summary>
    private static void MakeVictim()
    {
        if (!Directory.Exists(Victim))
        {
            DirectoryInfo made = Directory.CreateTempSubdirectory("fx-evil-");
            Directory.CreateDirectory(Path.Combine(made.FullName, "sub"));
            File.WriteAllText(Path.Combine(made.FullName, "victim.txt"), "as it was");
            File.WriteAllText(Path.Combine(made.FullName, "sub", "victim.txt"), "as it was");
            try
            {
                Directory.Move(made.FullName, Victim);
            }
            catch (IOException) when (Directory.Exists(Victim))
            {
                Directory.Delete(made.FullName, recursive: true);
            }
        }
    }
}
