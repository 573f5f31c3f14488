using System.IO.Compression;
using System.Text;
using Restore.Tests.FixtureTests;

namespace Restore.Tests.Trust;

/// <summary>
/// A backup onto a small backup that was made to fill the memory: it adds its version, within a
/// bound.
/// </summary>
[Collection(nameof(Alone))]
public sealed class HostileDestinationTests : IDisposable
{
    private const long MaxGrowthBytes = 400L << 20;

    private readonly MadeBackup made = new();

    public HostileDestinationTests()
    {
        made.File("/data/file", "content"u8.ToArray());
        made.Write();
    }

    public void Dispose() => made.Dispose();

    [Fact]
    public async Task An_index_volume_that_lists_millions_of_blocks_costs_no_memory()
    {
        string volume = Path.GetFileName(Directory.GetFiles(made.Source, "*.dblock.zip").Single());
        WriteLong(
            $"duplicati-i{0:x32}.dindex.zip",
            "vol/" + volume,
            json =>
            {
                json.Write("""{"blocks":[{"hash":""");
                for (int i = 0; i < 4_000_000; i++)
                {
                    json.Write($$"""{{(i == 0 ? "" : ",{\"hash\":")}}"{{i:d42}}0=","size":1}""");
                }

                json.Write("]}");
            }
        );

        BackupWriterReport report = await WriteAsync();
        Assert.Contains(
            report.Issues,
            issue => issue.Reason.Contains("list more blocks than", StringComparison.Ordinal)
        );
    }

    [Fact]
    public async Task A_list_of_millions_of_entries_costs_no_memory()
    {
        string entry =
            $$"""{"type":"File","path":"/data/file","hash":"{{MadeBackup.Hash([1])}}","size":1,"time":"{{MadeBackup.Time}}"}""";
        WriteLong(
            "duplicati-20260103T030405Z.dlist.zip",
            "filelist.json",
            json =>
            {
                json.Write('[');
                for (int i = 0; i < 4_000_000; i++)
                {
                    json.Write(i == 0 ? entry : "," + entry);
                }

                json.Write(']');
            }
        );

        await WriteAsync();
    }

    [Fact]
    public async Task A_sparse_index_volume_is_not_read_into_memory()
    {
        for (int i = 0; i < 2; i++)
        {
            using FileStream sparse = File.Create(Path.Join(made.Source, $"duplicati-i{i:x32}.dindex.zip"));
            sparse.SetLength(1L << 30);
        }

        BackupWriterReport report = await WriteAsync();
        Assert.Equal(
            2,
            report.Issues.Count(issue =>
                issue.Reason.Contains("which is larger than the limit of", StringComparison.Ordinal)
            )
        );
    }

    private async Task<BackupWriterReport> WriteAsync()
    {
        string source = Directory.CreateDirectory(Path.Join(made.Target, "source")).FullName;
        File.WriteAllText(Path.Join(source, "new"), "a new file");
        BackupWriter writer = new(new BackupWriterOptions { Sources = [source], Destination = made.Source });
        PeakMemory peak = new();
        BackupWriterReport report = await writer.WriteAsync().WaitAsync(TimeSpan.FromSeconds(240));
        Assert.InRange(peak.GrowthBytes, long.MinValue, MaxGrowthBytes);
        Assert.Equal(1, report.Files);
        return report;
    }

    /// <summary>
    /// Writes an archive with a manifest and one long text, without the text in memory.
    /// </summary>
    private void WriteLong(string name, string entry, Action<StreamWriter> write)
    {
        byte[] manifest = Restore.Format.Manifest.Write(
            new Restore.Format.BlockLayout(1024, Restore.Format.HashKind.Sha256, Restore.Format.HashKind.Sha256),
            DateTimeOffset.UnixEpoch,
            "2.3.0.0"
        );
        using ZipArchive archive = ZipFile.Open(Path.Join(made.Source, name), ZipArchiveMode.Create);
        using (Stream first = archive.CreateEntry("manifest").Open())
        {
            first.Write(manifest);
        }

        using StreamWriter json = new(
            archive.CreateEntry(entry, CompressionLevel.Fastest).Open(),
            new UTF8Encoding(false)
        );
        write(json);
    }
}
