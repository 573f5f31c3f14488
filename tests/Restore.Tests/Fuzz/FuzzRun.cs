using System.Security.Cryptography;
using System.Text;
using Restore.Cli;
using Restore.Tests.FixtureTests;

namespace Restore.Tests.Fuzz;

/// <summary>
/// One seed: a mutated backup, restored, drilled or exported with random options. What must hold is
/// an assertion.
/// </summary>
internal sealed class FuzzRun(FuzzSubject subject, int seed)
{
    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(60);

    private readonly Random random = new(seed);

    /// <summary>What is mutated, for messages.</summary>
    public string Text { get; private set; } = "";

    public long Bytes { get; private set; }

    /// <summary>Runs it.</summary>
    /// <returns>How it ended: "complete", "partial" or the code of the failure.</returns>
    public async Task<string> RunAsync()
    {
        ScriptedStore store = ScriptedStore.OfFolder(subject.Backup.Location, isLocal: random.Next(2) == 0);
        string name = Chosen();
        BackupOptions access = subject.Backup.Options() with { AllowUnencrypted = random.Next(4) == 0 };
        using Surroundings surroundings = Surroundings.Make();
        using TempFolder copies = new();
        if (subject.Backup.Databases is [_, ..] databases && random.Next(2) == 0)
        {
            // The database says where blocks are and what versions have, as lists do.
            name = databases[random.Next(databases.Count)];
            byte[] database = Mutation.Of(
                await File.ReadAllBytesAsync(Path.Combine(subject.Backup.Folder, name)),
                random
            );
            access = access with { DatabasePath = Path.Combine(copies.Path, "database.sqlite") };
            await File.WriteAllBytesAsync(access.DatabasePath, database);
            Bytes = database.Length;
        }
        else
        {
            byte[] mutated = await subject.MutateAsync(name, random);
            byte[] listed = Encoding.Latin1.GetBytes(name);
            store[Encoding.Latin1.GetString(random.Next(16) == 0 ? Mutation.Of(listed, random) : listed)] = mutated;
            Bytes = mutated.Length;
        }

        Text = $"{subject.Backup.Name}, {name}";
        try
        {
            return await Task.Run(() => UseAsync(store, access, name, surroundings.Target)).WaitAsync(Limit);
        }
        catch (RestoreException failure)
        {
            Assert.False(failure.What.EndsWith('.'), failure.What);
            return failure.Code;
        }
        finally
        {
            surroundings.AssertUntouched();
        }
    }

    /// <summary>
    /// Lists and index volumes have more to say wrongly than blocks, which have hashes.
    /// </summary>
    private string Chosen()
    {
        string part = new[] { ".dlist.", ".dlist.", ".dindex.", ".dblock." }[random.Next(4)];
        string[] files = [.. subject.Files.Where(file => file.Contains(part, StringComparison.Ordinal))];
        files = files.Length > 0 ? files : subject.Files;
        return files[random.Next(files.Length)];
    }

    private async Task<string> UseAsync(ScriptedStore store, BackupOptions access, string mutated, string target)
    {
        await using Backup backup = await Backup.OpenAsync(store, access);
        try
        {
            BackupVersion version = backup.Versions[random.Next(backup.Versions.Count)];
            if (random.Next(4) == 0)
            {
                return await ExportAsync(backup, version, mutated);
            }

            RestoreReport report = await backup.RestoreAsync(version, Options(target));
            await AssertTrueAsync(report, mutated, target);
            return report.Issues.Any(issue => issue.IsLoss) ? "partial" : "complete";
        }
        finally
        {
            Assert.Equal(0, backup.Pool.OutstandingBuffers);
        }
    }

    private RestoreSetup Options(string target) =>
        new RestoreOptions
        {
            Target = target,
            VerifyOnly = random.Next(5) == 0,
            SkipMetadata = random.Next(8) == 0,
            RestorePermissions = random.Next(4) == 0,
        }.With(
            new ExecuteOptions
            {
                Legacy = random.Next(3) == 0,
                SkipFlush = true,
                Tuning = new RestoreTuning
                {
                    CacheMaxBytes = random.Next(4) == 0 ? 0 : 64 << 20,
                    RangeReads = (RangeReads)random.Next(Enum.GetValues<RangeReads>().Length),
                    PreallocateSize = random.Next(8) == 0,
                },
            }
        );

    /// <summary>
    /// No file at the target has bytes that the backup does not have, unless the report says that
    /// they are wrong.
    /// </summary>
    private async Task AssertTrueAsync(RestoreReport report, string mutated, string target)
    {
        HashSet<string>? known = await subject.KnownContentsAsync();
        if (known is null || !Directory.Exists(target))
        {
            return;
        }

        HashSet<string?> reported = [.. report.Issues.Where(issue => issue.IsLoss).Select(issue => issue.TargetPath)];
        foreach (TreeEntry file in RestoredTree.Read(target).Values.Where(entry => entry.Type == "file"))
        {
            string path = Path.Combine(target, file.Path);
            bool isKnown = file.Sha256 is null || known.Contains(file.Sha256);
            Assert.True(
                isKnown || reported.Contains(path),
                $"{file.Path} has content that the backup does not have\n{Issues.Text(report)}"
            );
        }

        string? expected = subject
            .Backup.Versions.FirstOrDefault(version => version.FileListName == report.Version.FileListName)
            ?.ExpectedFile;
        bool isListSound =
            mutated.Contains(".dblock.", StringComparison.Ordinal)
            || mutated.Contains(".dindex.", StringComparison.Ordinal);
        if (subject.IsIntact && expected is not null && isListSound && !report.VerifyOnly)
        {
            HashSet<string> lost =
            [
                .. report.Issues.Where(issue => issue.IsLoss).Select(issue => subject.Backup.RelativePath(issue.Path)),
            ];
            lost.UnionWith(
                ExpectedTree.Load(expected).Entries.Where(entry => entry.Type == "symlink").Select(entry => entry.Path)
            );
            lost.UnionWith(subject.Backup.Skipped);
            RestoredTree.AssertEqual(expected, target, TreeChecks.Content, lost.Contains);
        }
    }

    private async Task<string> ExportAsync(Backup backup, BackupVersion version, string mutated)
    {
        HashingSink sink = new();
        ExportReport report = await backup.ExportAsync(version, sink);
        HashSet<string>? known = await subject.KnownContentsAsync();
        HashSet<string> reported = [.. report.Issues.Where(issue => issue.IsLoss).Select(issue => issue.Path)];
        foreach ((string path, string hash) in sink.Hashes)
        {
            bool isKnown = known is null || known.Contains(hash);
            Assert.True(
                isKnown || reported.Contains(path),
                $"{path} is exported with content that the backup does not have ({mutated})"
            );
        }

        return report.Issues.Any(issue => issue.IsLoss) ? "partial" : "complete";
    }

    private sealed class HashingSink : IEntrySink
    {
        public List<(string Path, string Hash)> Hashes { get; } = [];

        public async ValueTask TakeAsync(ExportedEntry entry, Stream content, CancellationToken cancellationToken)
        {
            // A list can claim any size; zeros that are cheap to claim are not worth reading.
            if (entry.Entry.Kind == BackupEntryKind.File && entry.Entry.SizeBytes < 64 << 20)
            {
                Hashes.Add(
                    (entry.Entry.Path, Convert.ToHexStringLower(await SHA256.HashDataAsync(content, cancellationToken)))
                );
            }
        }
    }
}
