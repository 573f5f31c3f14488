namespace Restore.Tests.Ends;

/// <summary>A folder of the test's own, with a place for the target and a place outside of it that must stay untouched.</summary>
internal sealed class TempFolder : IDisposable
{
    public TempFolder()
    {
        Path = Directory.CreateTempSubdirectory("restore-targets-").FullName;
        Directory.CreateDirectory(Outside);
        File.WriteAllText(System.IO.Path.Join(Outside, "victim"), "as it was");
    }

    public string Path { get; }

    /// <summary>Not created yet.</summary>
    public string Root => System.IO.Path.Join(Path, "root");

    public string Outside => System.IO.Path.Join(Path, "outside");

    public string Victim => System.IO.Path.Join(Outside, "victim");

    public string In(string path) => System.IO.Path.Join(Root, path);

    public void AssertOutsideUntouched()
    {
        Assert.Equal(["victim"], Directory.EnumerateFileSystemEntries(Outside).Select(System.IO.Path.GetFileName));
        Assert.Equal("as it was", File.ReadAllText(Victim));
    }

    public void Dispose()
    {
        foreach (string folder in Directory.EnumerateDirectories(Path, "*", new EnumerationOptions { AttributesToSkip = FileAttributes.ReparsePoint }))
        {
            OpenUp(folder);
        }

        Directory.Delete(Path, recursive: true);
    }

    private static void OpenUp(string folder)
    {
        Native.SetMode(folder, 0x1C0);
        foreach (string child in Directory.EnumerateDirectories(folder, "*", new EnumerationOptions { AttributesToSkip = FileAttributes.ReparsePoint }))
        {
            OpenUp(child);
        }
    }
}
