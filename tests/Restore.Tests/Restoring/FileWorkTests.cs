using System.Buffers;
using System.Collections.Concurrent;
using Restore.Ends;
using Restore.Planning;
using Restore.Restoring;
using Restore.Storage.Local;
using Restore.Tests.Csp;
using Restore.Tests.FixtureTests;

namespace Restore.Tests.Restoring;

/// <summary>
/// A file system may answer late. No thread of the pool waits for it: a process that embeds the
/// library needs those for its other work.
/// </summary>
public sealed class FileWorkTests : IDisposable
{
    private readonly TempFolder folder = new();
    private readonly ConcurrentDictionary<(string Operation, bool IsOnPool), bool> seen = new();

    [Theory]
    [InlineData(Flow.Network)]
    [InlineData(Flow.Legacy)]
    public async Task No_operation_on_the_target_runs_on_the_thread_pool(Flow flow)
    {
        FixtureBackup fixture = FixtureCatalog.BackupsOf("aes-100kb").Single();
        RestoreSetup options = (FixtureRestore.Whole(folder.Root) with { Overwrite = true }).By(flow);
        await Task.Run(() => RestoreAsync(fixture, options, Note));
        IEnumerable<TreeEntry> files = ExpectedTree
            .Load(fixture.Versions[0].ExpectedFile!)
            .Entries.Where(entry => entry.Type == "file");
        await File.WriteAllBytesAsync(
            Path.Combine(folder.Root, files.MaxBy(entry => entry.SizeBytes)!.Path),
            [1, 2, 3],
            TestContext.Current.CancellationToken
        );
        await Task.Run(() => RestoreAsync(fixture, options, Note));

        RestoredTree.AssertEqual(fixture.Versions[0].ExpectedFile!, folder.Root, fixture.Checks);
        Assert.Empty(seen.Keys.Where(call => call.IsOnPool).Select(call => call.Operation));
        string[] expected =
        [
            "FileSystemOf",
            "RoomAt",
            "IsEmpty",
            "Inspect",
            "CreateFolder",
            "OpenFile",
            "CreateSymlink",
            "ApplyMetadata",
            "Write",
            "Read",
            "ApplyMetadata of a file",
            "Close",
        ];
        Assert.Empty(expected.Except(seen.Keys.Select(call => call.Operation)));
    }

    [Fact]
    public async Task Each_file_system_of_the_target_is_asked_for_its_room_by_a_plan_and_by_its_run()
    {
        Directory.CreateDirectory(Path.Combine(folder.Root, "mine"));
        ConcurrentQueue<string> asked = [];
        await RestoreAsync(
            FixtureCatalog.BackupsOf("aes-100kb").Single(),
            FixtureRestore.Whole(folder.Root),
            asked.Enqueue
        );
        Assert.Equal(2, asked.Count(operation => operation == "RoomAt"));
        Assert.True(asked.Count(operation => operation == "FileSystemOf") > 1);
    }

    [Fact]
    public async Task Reads_of_a_local_folder_do_not_run_on_the_thread_pool()
    {
        await File.WriteAllBytesAsync(
            Path.Combine(folder.Path, "volume"),
            new byte[100_000],
            TestContext.Current.CancellationToken
        );
        LocalFolderStore store = new(folder.Path);
        using WatchedMemory memory = new(new byte[100_000], () => Note("Read"));
        Memory<byte> destination = memory.Memory;
        seen.Clear();
        int read = await Task.Run(() =>
            store.ReadAsync("volume", 0, destination, TestContext.Current.CancellationToken).AsTask()
        );
        Assert.Equal(100_000, read);
        Assert.Equal([("Read", false)], seen.Keys);
    }

    [Fact]
    public async Task Restores_that_wait_for_the_file_system_hold_up_neither_each_other_nor_other_work()
    {
        // Many times as many as the thread pool has threads: it would add a thread or two in a
        // second.
        const int Restores = 60;
        FixtureBackup fixture = FixtureCatalog.BackupsOf("plain-1mb").Single();
        using CountdownEvent held = new(Restores);
        using ManualResetEventSlim answers = new();
        Task[] restores =
        [
            .. Enumerable
                .Range(0, Restores)
                .Select(i =>
                    Task.Run(() =>
                        RestoreAsync(
                            fixture,
                            new RestoreOptions { Target = $"{folder.Root}{i}" }.With(NetworkRig.Narrow),
                            Hold()
                        )
                    )
                ),
        ];
        try
        {
            Assert.True(
                held.Wait(TimeSpan.FromSeconds(20)),
                $"{held.CurrentCount} of {Restores} restores did not get to write"
            );
            await Task.WhenAll(Enumerable.Range(0, 100).Select(_ => Task.Run(() => { })))
                .WaitAsync(TimeSpan.FromSeconds(2));
        }
        finally
        {
            answers.Set();
            await Task.WhenAll(restores).Soon();
        }

        // The first write of each restore is not answered before all of them wait.
        Action<string> Hold()
        {
            int writes = 0;
            return operation =>
            {
                if (operation == "Write" && Interlocked.Increment(ref writes) == 1)
                {
                    held.Signal();
                    answers.Wait();
                }
            };
        }
    }

    public void Dispose() => folder.Dispose();

    private static async Task RestoreAsync(FixtureBackup fixture, RestoreSetup options, Action<string> before)
    {
        await using Backup backup = await Backup.OpenAsync(fixture.Location, fixture.Options());
        RestoreSession session = backup.Session with
        {
            OpenTarget = (given, _) => new WatchedTarget(FileSystemTarget.Open(given.Target!), before),
        };
        Execution execution = new(session, options.How);
        ProgressMeter meter = new(TimeProvider.System);
        using IRestoreTarget target = session.OpenTarget(options.What, true);
        PlanningContext context = execution.PlanningFor(target, originalPlaces: null);
        RestorePlan plan = await new PlanBuilder(context, options.What, meter).BuildAsync(backup.Versions[0], default);
        await new RestoreRun(execution, plan, meter).RunAsync(default);
    }

    private void Note(string operation) => seen[(operation, Thread.CurrentThread.IsThreadPoolThread)] = true;

    /// <summary>Calls back when its bytes are touched.</summary>
    private sealed class WatchedMemory(byte[] bytes, Action touched) : MemoryManager<byte>
    {
        public override Span<byte> GetSpan()
        {
            touched();
            return bytes;
        }

        public override MemoryHandle Pin(int elementIndex = 0)
        {
            touched();
            return bytes.AsMemory(elementIndex).Pin();
        }

        public override void Unpin() { }

        protected override void Dispose(bool disposing) { }
    }
}
