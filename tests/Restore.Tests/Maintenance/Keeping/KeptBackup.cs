using Restore.Tests.Writing;

namespace Restore.Tests.Maintenance.Keeping;

/// <summary>
/// A small backup in many small volumes, whose source changes between versions; it knows what each
/// version must restore to.
/// </summary>
internal sealed class KeptBackup : IDisposable
{
    private static readonly DateTimeOffset First = new(2026, 1, 1, 0, 0, 0, TimeSpan.Zero);

    private readonly RoundTrip trip = new();
    private readonly Dictionary<DateTimeOffset, Dictionary<string, byte[]>> sources = [];
    private readonly Dictionary<string, byte[]> files = [];
    private readonly Random random;
    private readonly int size;
    private int written;

    /// <param name="seed">Chooses the content.</param>
    /// <param name="passphrase">The passphrase.</param>
    /// <param name="size">How many times as long as usual files and volumes are.</param>
    public KeptBackup(int seed, string? passphrase = null, int size = 1)
    {
        random = new Random(seed);
        this.size = size;
        Passphrase = passphrase;
    }

    public string? Passphrase { get; }

    public string Location => trip.Destination;

    public string Folder => trip.Folder;

    public string Source => trip.Source;

    /// <summary>The times of all versions that were written, oldest first.</summary>
    public IReadOnlyList<DateTimeOffset> Times => [.. sources.Keys.Order()];

    /// <summary>
    /// Block volumes of about 20 KB, with blocks of 1 KiB: files of more than 32 blocks have
    /// blocklists of several blocks. What was killed before has left its lock.
    /// </summary>
    public BackupWriterOptions Options =>
        trip.Options with
        {
            VolumeSizeBytes = (20 << 10) * size,
            Passphrase = Passphrase,
            CompressionLevel = 1,
            BreakLock = true,
        };

    /// <summary>Writes versions.</summary>
    public static async Task<KeptBackup> WriteAsync(int seed, int versions, string? passphrase = null, int size = 1)
    {
        KeptBackup backup = new(seed, passphrase, size);
        for (int i = 0; i < versions; i++)
        {
            await backup.BackupAsync();
        }

        return backup;
    }

    /// <summary>Changes some files, and writes a version.</summary>
    /// <param name="store">The folder of the backup as a store that is interrupted; null for the
    /// folder itself.</param>
    /// <returns>Whether there is a version.</returns>
    public async Task<bool> BackupAsync(InterruptedFolder? store = null)
    {
        for (int i = 0; i < 12; i++)
        {
            Change($"folder {random.Next(3)}/file {random.Next(24)}");
        }

        DateTimeOffset time = First.AddDays(written++);
        BackupWriterOptions options = Options with { Time = time };
        Exception? failure = await Record.ExceptionAsync(() =>
            trip.WriteAsync(
                store is null
                    ? options
                    : options with
                    {
                        Destination = "interrupted://folder",
                        Stores = StoreRegistry.Default.With(new InterruptedProvider(store)),
                    }
            )
        );
        Assert.True(failure is null || store?.IsInterrupted == true, $"{failure}");
        bool isWritten = Directory.GetFiles(Location, $"*-{time:yyyyMMdd'T'HHmmss'Z'}.dlist.*").Length > 0;
        if (isWritten)
        {
            sources.Add(time, new(files));
        }

        return isWritten;
    }

    /// <summary>A copy of the backup, to be changed alone.</summary>
    public string Copy()
    {
        string copy = Directory.CreateDirectory(Path.Join(trip.Folder, $"copy {Guid.NewGuid():N}")).FullName;
        Array.ForEach(Directory.GetFiles(Location), file => File.Copy(file, Path.Join(copy, Path.GetFileName(file))));
        return copy;
    }

    public Task<Backup> OpenAsync(string? location = null) =>
        Backup.OpenAsync(location ?? Location, new BackupOptions { Passphrase = Passphrase });

    public Task<Backup> OpenAsync(IVolumeStore store) =>
        Backup.OpenAsync(store, new BackupOptions { Passphrase = Passphrase });

    public async Task DeleteAsync(RetentionRules rules)
    {
        await using Backup backup = await OpenAsync();
        await backup.Maintenance.DeleteVersionsAsync(await backup.Maintenance.PlanDeletionAsync(rules));
    }

    public async Task<CompactReport> CompactAsync(CompactOptions options, string? location = null)
    {
        await using Backup backup = await OpenAsync(location);
        return await new BackupMaintenance(backup) { BreakLock = true }.CompactAsync(
            await backup.Maintenance.PlanCompactAsync(options)
        );
    }

    /// <summary>
    /// Fails unless all given versions are there, and every version that is there restores to what
    /// its source was.
    /// </summary>
    public async Task AssertRestorableAsync(IEnumerable<DateTimeOffset> kept, string? location = null, string what = "")
    {
        await using Backup backup = await OpenAsync(location);
        await AssertRestorableAsync(backup, kept, what);
    }

    /// <summary>The same of an opened backup.</summary>
    public async Task AssertRestorableAsync(Backup backup, IEnumerable<DateTimeOffset> kept, string what = "")
    {
        Assert.True(
            kept.All(time => backup.Versions.Any(version => version.Time == time)),
            $"{what}: a version is gone"
        );
        foreach (BackupVersion version in backup.Versions)
        {
            string target = Path.Join(trip.Folder, "restored");
            RestorePlan plan = await backup.PlanAsync(version, new RestoreOptions { Target = target });
            RestoreReport report = await backup.ExecuteAsync(plan, new ExecuteOptions { SkipFlush = true });
            Assert.True(report.IsComplete, $"{what}: version {version.Index}: {string.Join('\n', report.Issues)}");
            Dictionary<string, byte[]> expected = sources[version.Time];
            Assert.Equal(
                expected.Keys.Order(StringComparer.Ordinal),
                Directory
                    .GetFiles(target, "*", SearchOption.AllDirectories)
                    .Select(file => Path.GetRelativePath(target, file))
                    .Order(StringComparer.Ordinal)
            );
            Assert.All(
                expected,
                file =>
                    Assert.True(
                        file.Value.AsSpan().SequenceEqual(File.ReadAllBytes(Path.Join(target, file.Key))),
                        $"{what}: {file.Key}"
                    )
            );
            Directory.Delete(target, recursive: true);
        }

        Assert.Equal(0, backup.Pool.OutstandingBuffers);
    }

    public void Dispose() => trip.Dispose();

    /// <summary>The store that the writer opens.</summary>
    private sealed class InterruptedProvider(InterruptedFolder store) : IStoreProvider
    {
        public string Name => "Interrupted";

        public string Summary => "is interrupted";

        public IReadOnlyList<string> Schemes => ["interrupted"];

        public IReadOnlyList<string> Locations => ["interrupted://folder"];

        public IReadOnlyList<StoreOption> Options => [];

        public IVolumeStore Open(StoreContext context) => store;

        public IVolumeSink OpenSink(StoreContext context) => store;
    }

    private void Change(string path)
    {
        string full = Path.Join(Source, path);
        Directory.CreateDirectory(Path.GetDirectoryName(full)!);
        if (files.TryGetValue(path, out byte[]? old) && random.Next(3) == 0)
        {
            File.Delete(full);
            files.Remove(path);
            return;
        }

        // Half of the content is random and does not compress; a part of an old file stays, so that
        // its blocks live on.
        byte[] content = new byte[size * (random.Next(5) == 0 ? 30_000 + random.Next(60_000) : random.Next(4000))];
        random.NextBytes(content.AsSpan(content.Length / 2));
        old?.AsSpan(0, Math.Min(old.Length, content.Length) / 2).CopyTo(content);
        File.WriteAllBytes(full, content);
        files[path] = content;
    }
}
