namespace Restore.Tests.Support;

/// <summary>
/// Files of a test's own, with known times, and the backup that they are written to, version by
/// version.
/// </summary>
/// <param name="folder">Where both are.</param>
internal sealed class SourceFolder(TempFolder folder)
{
    public string Path { get; } = Directory.CreateDirectory(System.IO.Path.Join(folder.Path, "source")).FullName;

    /// <summary>The folder of the backup.</summary>
    public string Store { get; } = System.IO.Path.Join(folder.Path, "backup");

    public void Write(string name, string content, DateTime time)
    {
        File.WriteAllText(System.IO.Path.Join(Path, name), content);
        File.SetLastWriteTimeUtc(System.IO.Path.Join(Path, name), time);
    }

    /// <summary>Writes a version; later days are newer versions.</summary>
    public Task BackUpAsync(int day) =>
        new BackupWriter(
            new BackupWriterOptions
            {
                Sources = [Path],
                Destination = Store,
                BlockSizeBytes = 1024,
                Time = DateTimeOffset.UnixEpoch.AddYears(50).AddDays(day),
            }
        ).WriteAsync();
}
