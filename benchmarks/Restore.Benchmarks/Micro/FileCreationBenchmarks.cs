using BenchmarkDotNet.Attributes;
using Restore.Ends;
using Restore.Format;
using Restore.Reporting;
using Restore.Targets;

namespace Restore.Benchmarks.Micro;

/// <summary>
/// What does a small file cost when no link on its path may be followed, against the plain way?
/// </summary>
public class FileCreationBenchmarks
{
    private const int Files = 200;
    private const int FileBytes = 4 << 10;

    private readonly byte[] content = new byte[FileBytes];
    private readonly EntryMetadata metadata = new()
    {
        LastWriteTicks = DateTime.UnixEpoch.AddYears(50).Ticks,
        Mode = 0x1A4,
    };
    private string folder = "";

    [IterationSetup]
    public void Begin() => folder = Directory.CreateTempSubdirectory("restore-benchmark-").FullName;

    [IterationCleanup]
    public void End() => Directory.Delete(folder, recursive: true);

    [Benchmark(OperationsPerInvoke = Files)]
    public void Safe()
    {
        using IRestoreTarget target = FileSystemTarget.Open(folder);
        for (int i = 0; i < Files; i++)
        {
            using ITargetFile file = target.OpenFile($"a/b/c{i % 10}/file{i}", TargetOpenMode.CreateNew);
            file.Write(0, content);
            file.ApplyMetadata(metadata, withPermissions: true);
        }
    }

    [Benchmark(Baseline = true, OperationsPerInvoke = Files)]
    public void Plain()
    {
        for (int i = 0; i < Files; i++)
        {
            string path = Path.Combine(folder, $"a/b/c{i % 10}/file{i}");
            Directory.CreateDirectory(Path.GetDirectoryName(path)!);
            File.WriteAllBytes(path, content);
            File.SetLastWriteTimeUtc(path, new DateTime(metadata.LastWriteTicks!.Value, DateTimeKind.Utc));
        }
    }
}
