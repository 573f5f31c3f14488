using Restore.Tests.Support;

namespace Restore.Tests.Streams;

/// <summary>
/// A backup of random files in a scripted store, made by the library's writer: blocks of 100 KiB
/// unless a test wants others, volumes of 1 MiB.
/// </summary>
internal sealed class MadeBackup : IDisposable
{
    private readonly TempFolder folder;
    private readonly List<byte[]> contents;
    private readonly int? filesInFolder;

    private MadeBackup(TempFolder folder, List<byte[]> contents, int? filesInFolder, ScriptedStore store)
    {
        this.folder = folder;
        this.contents = contents;
        this.filesInFolder = filesInFolder;
        Store = store;
    }

    public ScriptedStore Store { get; }

    public string Source => Path.Combine(folder.Path, "source");

    /// <param name="filesInFolder">How many files are in a folder; null for all in one.</param>
    /// <param name="isOneVolume">Whether all blocks are in one volume; else several are filled at a
    /// time.</param>
    public static async Task<MadeBackup> WriteAsync(
        int files,
        int bytesEach,
        int? filesInFolder = null,
        bool isOneVolume = false,
        int blockSizeBytes = 100 << 10
    )
    {
        TempFolder folder = new();
        string source = Directory.CreateDirectory(Path.Combine(folder.Path, "source")).FullName;
        string destination = Path.Combine(folder.Path, "backup");
        Random random = new(files);
        List<byte[]> contents = [];
        for (int i = 0; i < files; i++)
        {
            byte[] content = new byte[bytesEach];
            random.NextBytes(content);
            contents.Add(content);
            string file = PathIn(source, i, filesInFolder);
            Directory.CreateDirectory(Path.GetDirectoryName(file)!);
            await File.WriteAllBytesAsync(file, content);
            File.SetLastWriteTimeUtc(file, DateTime.UnixEpoch.AddDays(1000 + i));
        }

        await new BackupWriter(
            new BackupWriterOptions
            {
                Sources = [source],
                Destination = destination,
                BlockSizeBytes = blockSizeBytes,
                VolumeSizeBytes = isOneVolume ? 50 << 20 : 1 << 20,
                Concurrency = isOneVolume ? 1 : null,
            }
        ).WriteAsync();
        return new MadeBackup(folder, contents, filesInFolder, ScriptedStore.OfFolder(destination));
    }

    public string PathOf(int file) => PathIn(Source, file, filesInFolder);

    public byte[] ContentOf(int file) => contents[file];

    public void Dispose() => folder.Dispose();

    private static string PathIn(string source, int file, int? filesInFolder) =>
        Path.Combine(source, filesInFolder is int count ? $"{file / count:D3}" : "", $"{file:D5}");
}
