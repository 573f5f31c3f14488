using System.Text;
using Restore.Cli;
using Restore.Tests.FixtureTests;
using Restore.Tests.Trust;

namespace Restore.Tests.Faults;

/// <summary>
/// A small backup with one entry of each kind, and what every run of it must have left at its
/// target, whatever failed.
/// </summary>
internal sealed class FaultTree : IDisposable
{
    private const int BlockBytes = 256 << 10;
    private const string Root = "/s/";
    private const long Ticks = 638_396_640_000_000_000;
    private const string Patched = "patched.bin";

    private readonly MadeBackup backup = new(BlockBytes);
    private readonly Dictionary<string, byte[]> files = [];
    private readonly Dictionary<string, string> links = new() { ["link"] = "a/one.txt", ["a/b/up"] = "../one.txt" };
    private readonly string[] folders = ["a", "a/b"];
    private readonly Random random = new(7);
    private readonly byte[] old;

    public FaultTree()
    {
        byte[] sparse = Bytes(4 * BlockBytes);
        sparse.AsSpan(BlockBytes, 2 * BlockBytes).Clear();
        byte[] attribute = MadeBackup.Metadata(("unix-ext:user.note", Convert.ToBase64String("kept"u8)));
        Array.ForEach(folders, folder => backup.Folder($"{Root}{folder}/", MadeBackup.Metadata()));
        Add("top.txt", Encoding.UTF8.GetBytes("a small file"), attribute);
        Add("a/one.txt", Bytes(5000));
        Add("a/b/two.bin", Bytes((2 * BlockBytes) + 77));
        Add("big.bin", Bytes(6 * BlockBytes));
        Add("sparse.bin", sparse);
        Add("empty", []);
        Add(Patched, Bytes((4 * BlockBytes) + 100));
        Add("right.txt", Bytes(3000));
        foreach ((string path, string target) in links)
        {
            backup.Link(Root + path, target);
        }

        backup.Write();
        old = [.. files[Patched]];
        old.AsSpan(BlockBytes, 10).Clear();
        old.AsSpan(3 * BlockBytes, 10).Clear();
    }

    public int Files => files.Count;

    /// <summary>
    /// What a user has at the target before the first run: a file of which two blocks are wrong,
    /// and one that is right.
    /// </summary>
    public void Prepare(string target)
    {
        Directory.CreateDirectory(target);
        File.WriteAllBytes(Path.Combine(target, Patched), old);
        File.WriteAllBytes(Path.Combine(target, "right.txt"), files["right.txt"]);
    }

    /// <summary>The store of the backup, in memory.</summary>
    public ScriptedStore Store(bool isLocal) => ScriptedStore.OfFolder(backup.Source, isLocal);

    /// <summary>Restores once with a sound store.</summary>
    public Task<FaultRun> RestoreAsync(string target, Flow flow)
    {
        bool isLegacy = flow == Flow.Legacy;
        ExecuteOptions execution = new()
        {
            Legacy = isLegacy,
            Tuning = new() { PreallocateSize = isLegacy },
        };
        return RestoreAsync(
            Store(isLocal: true),
            new RestoreOptions { Target = target, Overwrite = true }.With(execution)
        );
    }

    /// <summary>
    /// Restores once; a hang is a failure, and so is any exception but that of the library.
    /// </summary>
    public static async Task<FaultRun> RestoreAsync(
        IVolumeStore store,
        RestoreSetup options,
        CancellationToken stopToken = default,
        CancellationToken cancellationToken = default
    )
    {
        // Waits between tries take no time.
        FakeClock clock = new() { JumpsOverWaits = true };
        Dictionary<string, string> retries = new() { ["number-of-retries"] = "2" };
        try
        {
            // On another thread: a call that hangs must not take the waiting thread along.
            return new FaultRun(
                await Task.Run(RunAsync, CancellationToken.None)
                    .WaitAsync(TimeSpan.FromSeconds(60), CancellationToken.None),
                null
            );
        }
        catch (RestoreException failure)
        {
            return new FaultRun(null, failure);
        }
        catch (OperationCanceledException)
            when (stopToken.IsCancellationRequested || cancellationToken.IsCancellationRequested)
        {
            return new FaultRun(null, null);
        }

        async Task<RestoreReport> RunAsync()
        {
            await using Backup opened = await Backup.OpenAsync(
                store,
                new BackupOptions { TimeProvider = clock, StoreOptions = retries },
                cancellationToken
            );
            try
            {
                RestorePlan plan = await opened.PlanAsync(opened.Versions[0], options, cancellationToken);
                return await opened.ExecuteAsync(plan, options.How with { StopToken = stopToken }, cancellationToken);
            }
            finally
            {
                Assert.Equal(0, opened.Pool.OutstandingBuffers);
            }
        }
    }

    /// <summary>
    /// One line for everything at the target that the run does not tell, or must not have done.
    /// </summary>
    /// <param name="target">What is there.</param>
    /// <param name="run">What the run said.</param>
    /// <param name="mostLost">How many entries may be lost, if the run was not ended by the
    /// failure.</param>
    /// <param name="mayLeaveParts">Whether a run that was ended may leave unfinished files: the
    /// file system does not let it remove them.</param>
    public IEnumerable<string> Wrong(string target, FaultRun run, int mostLost, bool mayLeaveParts = false)
    {
        SortedDictionary<string, TreeEntry> found = Directory.Exists(target) ? RestoredTree.Read(target) : [];
        string[] lost = [.. run.Issues.Where(issue => issue.IsLoss).Select(issue => issue.Path).Distinct()];
        if (run.Report is not null && lost.Length > mostLost)
        {
            yield return $"{lost.Length} entries are lost: {string.Join(", ", lost)}";
        }

        foreach (string path in files.Keys.Concat(links.Keys).Concat(folders))
        {
            TreeEntry? entry = found.GetValueOrDefault(path);
            bool isReported = run.IsReported(Root + path, issue => issue.IsLoss);
            if (
                !isReported
                && Content(target, path, entry) is string problem
                && !(run.Report is null && (entry is null || mayLeaveParts || IsOld(target, path)))
            )
            {
                yield return $"{path}: {problem}, and not reported";
            }
            else if (
                !isReported
                && run.Report is not null
                && entry is { ModifiedTicks: long time }
                && time + DateTime.UnixEpoch.Ticks != Ticks
                && !run.IsReported(Root + path, _ => true)
            )
            {
                yield return $"{path}: has another time, and not reported";
            }
        }

        foreach (
            string path in found.Keys.Where(path =>
                path != "." && !files.ContainsKey(path) && !links.ContainsKey(path) && !folders.Contains(path)
            )
        )
        {
            // A run that did not restore everything leaves its record for the next one; it names
            // what the run could not remove.
            bool isRecordReported = run.Issues.Any(issue =>
                issue.Reason.StartsWith("The record of ", StringComparison.Ordinal)
            );
            bool isOfRecord =
                (run.ExitCode != ExitCodes.Complete || isRecordReported)
                && Path.GetFileName(path).StartsWith(".restore-", StringComparison.Ordinal)
                && (mayLeaveParts || path.EndsWith(".unfinished", StringComparison.Ordinal));
            if (
                isOfRecord
                || run.Issues.Any(issue => (issue.Path + issue.Reason).Contains(path, StringComparison.Ordinal))
            )
            {
                continue;
            }

            yield return $"{path} is left over";
        }
    }

    public void Dispose() => backup.Dispose();

    /// <summary>
    /// Whether the file that the user had is as it was: it is replaced only by one that is right.
    /// </summary>
    private bool IsOld(string target, string path) =>
        path == Patched && File.ReadAllBytes(Path.Combine(target, path)).AsSpan().SequenceEqual(old);

    private string? Content(string target, string path, TreeEntry? entry)
    {
        if (entry is null)
        {
            return "missing";
        }

        if (links.TryGetValue(path, out string? link))
        {
            return entry.LinkTarget == link ? null : "another link";
        }

        return !files.TryGetValue(path, out byte[]? content)
            ? entry.Type == "directory"
                ? null
                : "not a folder"
            : entry.Type == "file" && File.ReadAllBytes(Path.Combine(target, path)).AsSpan().SequenceEqual(content)
                ? null
                : "wrong content";
    }

    private void Add(string path, byte[] content, byte[]? metadata = null)
    {
        files[path] = content;
        backup.File(Root + path, content, metadata ?? MadeBackup.Metadata());
    }

    private byte[] Bytes(int length)
    {
        byte[] bytes = new byte[length];
        random.NextBytes(bytes);
        return bytes;
    }
}
