namespace Restore.Tests.Support;

/// <summary>
/// A new folder for one test. The end of the test deletes the folder with all content, also folders
/// that nobody may enter.
/// </summary>
internal sealed class TempFolder : IDisposable
{
    private static readonly EnumerationOptions FoldersNotLinks = new()
    {
        AttributesToSkip = FileAttributes.ReparsePoint,
    };

    public string Path { get; } = Directory.CreateTempSubdirectory("restore-test-").FullName;

    /// <summary>A place for a target; not created yet.</summary>
    public string Root => System.IO.Path.Join(Path, "root");

    /// <summary>A folder beside the target, present only after <see cref="WithVictim"/>.</summary>
    public string Outside => System.IO.Path.Join(Path, "outside");

    /// <summary>The only file outside of the target.</summary>
    public string Victim => System.IO.Path.Join(Outside, "victim");

    /// <summary>Adds a file outside of the target that must stay untouched.</summary>
    public static TempFolder WithVictim()
    {
        TempFolder folder = new();
        Directory.CreateDirectory(folder.Outside);
        File.WriteAllText(folder.Victim, "as it was");
        return folder;
    }

    /// <summary>The full path of a path below the target.</summary>
    public string In(string path) => System.IO.Path.Join(Root, path);

    public void AssertOutsideUntouched()
    {
        Assert.Equal(["victim"], Directory.EnumerateFileSystemEntries(Outside).Select(System.IO.Path.GetFileName));
        Assert.Equal("as it was", File.ReadAllText(Victim));
    }

    public void Dispose()
    {
        OpenUp(Path);
        Directory.Delete(Path, recursive: true);
    }

    private static void OpenUp(string folder)
    {
        if (!OperatingSystem.IsWindows())
        {
            File.SetUnixFileMode(
                folder,
                File.GetUnixFileMode(folder) | UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute
            );
        }
        else
        {
            // Windows deletes no file that may only be read.
            foreach (FileSystemInfo entry in new DirectoryInfo(folder).EnumerateFileSystemInfos())
            {
                entry.Attributes &= ~FileAttributes.ReadOnly;
            }
        }

        foreach (string child in Directory.EnumerateDirectories(folder, "*", FoldersNotLinks))
        {
            OpenUp(child);
        }
    }
}
