using Restore.Tests.Support;

namespace Restore.Tests.Streams;

/// <summary>A backup of random files in a scripted store, made by the library's writer: blocks of 100 KiB, volumes of 1 MiB.</summary>
internal sealed class MadeBackup : IDisposable
{
    private readonly TempFolder folder;
    private readonly List<byte[]> contents;

    private MadeBackup(TempFolder folder, List<byte[]> contents, ScriptedStore store)
    {
        this.folder = folder;
        this.contents = contents;
        Store = store;
    }

    public ScriptedStore Store { get; }

    public string Source => Path.Combine(folder.Path, "source");

    public static async Task<MadeBackup> WriteAsync(int files, int bytesEach)
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
            string file = Path.Combine(source, $"{i:D5}");
            await File.WriteAllBytesAsync(file, content);
            File.SetLastWriteTimeUtc(file, DateTime.UnixEpoch.AddDays(1000 + i));
        }

        await new BackupWriter(new BackupWriterOptions
        {
            Sources = [source],
            Destination = destination,
            BlockSizeBytes = 100 << 10,
            VolumeSizeBytes = 1 << 20,
        }).WriteAsync();
        return new MadeBackup(folder, contents, ScriptedStore.OfFolder(destination));
    }

    public string PathOf(int file) => Path.Combine(Source, $"{file:D5}");

    public byte[] ContentOf(int file) => contents[file];

    public void Dispose() => folder.Dispose();
}
