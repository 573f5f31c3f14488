using System.Globalization;
using Restore.Cli;
using Restore.Tests.FixtureTests;
using Restore.Tests.Streams;

namespace Restore.Tests.Faults;

/// <summary>
/// Every call of a restore to its store goes wrong in every way. What passes is mended by a retry;
/// else the right files are reported as lost, and none with wrong bytes is reported as restored.
/// After a run that was ended the next one completes. RESTORE_FAULTS=all runs all cases; without it
/// a sample runs, which RESTORE_FAULTS_SEED chooses.
/// </summary>
public sealed class StoreFaultTests
{
    private const int Files = 12;
    private const int SampleSize = 100;

    /// <summary>The most files that have a block in one volume.</summary>
    private const int FilesInVolume = 8;

    private static readonly StoreTrouble[] Passing = [StoreTrouble.Busy, StoreTrouble.NoAnswer, StoreTrouble.BreaksOff];

    [Theory]
    [InlineData(Flow.Network)]
    [InlineData(Flow.Legacy)]
    public async Task A_call_that_goes_wrong_is_mended_or_reported(Flow flow)
    {
        using MadeBackup made = await MadeBackup.WriteAsync(Files, bytesEach: 200_000);
        TroubledStore sound = new(made.Store, null, 0);
        using (TempFolder folder = new())
        {
            FaultRun run = await RestoreAsync(sound, folder.Root, flow, retries: 0);
            Assert.Empty(Wrong(made, folder.Root, run));
            Assert.Equal(ExitCodes.Complete, run.ExitCode);
        }

        List<string> wrong = [];
        Dictionary<int, int> exits = [];
        (StoreTrouble Trouble, int Number, int Retries)[] cases = Cases(sound.Calls);
        foreach ((StoreTrouble trouble, int number, int retries) in cases)
        {
            using TempFolder folder = new();
            TroubledStore store = new(made.Store, trouble, number);
            FaultRun run = await RestoreAsync(store, folder.Root, flow, retries);
            exits[run.ExitCode] = exits.GetValueOrDefault(run.ExitCode) + 1;
            List<string> found = [.. Wrong(made, folder.Root, run)];
            if (Passing.Contains(trouble) && retries > 0 && run.ExitCode != ExitCodes.Complete)
            {
                found.Add("a retry did not mend it");
            }

            // Retries move the clock of the test ahead of that of the file system, which dates what
            // the first run left.
            if (run.Failure is not null && retries == 0)
            {
                FaultRun next = await RestoreAsync(sound, folder.Root, flow, retries: 0);
                found.AddRange(Wrong(made, folder.Root, next).Select(line => $"in the next run: {line}"));
                found.AddRange(next.ExitCode == ExitCodes.Complete ? [] : [$"the next run: {next}"]);
            }

            wrong.AddRange(
                found.Select(line =>
                    string.Create(
                        CultureInfo.InvariantCulture,
                        $"{trouble} {number}, {retries} retries: {line} ({run})"
                    )
                )
            );
        }

        TestContext.Current.TestOutputHelper?.WriteLine($"{cases.Length} cases; exit codes {string.Join(", ", exits)}");
        Assert.True(wrong.Count == 0, $"{wrong.Count} in {cases.Length} cases:\n{string.Join('\n', wrong.Take(30))}");
    }

    private static (StoreTrouble Trouble, int Number, int Retries)[] Cases(int calls)
    {
        (StoreTrouble, int, int)[] all =
        [
            .. from trouble in Enum.GetValues<StoreTrouble>()
            from number in Enumerable.Range(1, calls)
            from retries in new[] { 0, 2 }
            select (trouble, number, retries),
        ];
        int seed = int.Parse(
            Environment.GetEnvironmentVariable("RESTORE_FAULTS_SEED") ?? "1",
            CultureInfo.InvariantCulture
        );
        return Environment.GetEnvironmentVariable("RESTORE_FAULTS") == "all"
            ? all
            : [.. new Random(seed).GetItems(all, SampleSize).Distinct()];
    }

    private static async Task<FaultRun> RestoreAsync(IVolumeStore store, string target, Flow flow, int retries)
    {
        BackupOptions access = new()
        {
            // Waits between tries take no time.
            TimeProvider = new FakeClock { JumpsOverWaits = true, StartsAt = TimeProvider.System.GetUtcNow() },
            StoreOptions = new Dictionary<string, string>
            {
                ["number-of-retries"] = retries.ToString(CultureInfo.InvariantCulture),
            },
        };
        try
        {
            return new FaultRun(await RunAsync().WaitAsync(TimeSpan.FromSeconds(60)), null);
        }
        catch (RestoreException failure)
        {
            return new FaultRun(null, failure);
        }

        async Task<RestoreReport> RunAsync()
        {
            await using Backup backup = await Backup.OpenAsync(store, access);
            try
            {
                RestoreSetup options = new RestoreOptions { Target = target }.By(flow);
                return await backup.RestoreAsync(backup.Versions[0], options);
            }
            finally
            {
                Assert.Equal(0, backup.Pool.OutstandingBuffers);
            }
        }
    }

    private static IEnumerable<string> Wrong(MadeBackup made, string target, FaultRun run)
    {
        string[] lost = [.. run.Issues.Where(issue => issue.IsLoss).Select(issue => issue.Path).Distinct()];

        // Of a list that is cut off, the report says that what it lacks is not known.
        bool isListCut = run.Issues.Any(issue =>
            issue.IsLoss && issue.Path.Contains(".dlist.", StringComparison.Ordinal)
        );
        for (int file = 0; file < Files; file++)
        {
            string path = Path.Combine(target, $"{file:D5}");

            // A run that was ended may leave files that are not finished, if its record names them
            // for the next run.
            bool mayBeUnfinished =
                run.Failure is not null
                && Directory.Exists(target)
                && Directory.EnumerateFiles(target, "*.unfinished").Any();
            bool isRight = File.Exists(path) && File.ReadAllBytes(path).AsSpan().SequenceEqual(made.ContentOf(file));
            bool mayBeUnlisted = isListCut && !File.Exists(path);
            if (
                !isRight
                && !mayBeUnlisted
                && !lost.Contains(made.PathOf(file))
                && (run.Failure is null || (File.Exists(path) && !mayBeUnfinished))
            )
            {
                yield return $"file {file} is not right, and not reported";
            }
            else if (
                isRight && run.Issues.Any(issue => issue.Kind == IssueKind.Missing && issue.Path == made.PathOf(file))
            )
            {
                yield return $"file {file} is right, and reported as missing";
            }
        }

        if (run.ExitCode is not (ExitCodes.Complete or ExitCodes.Incomplete or ExitCodes.Failed or ExitCodes.NotFound))
        {
            yield return "has another exit code";
        }

        if (lost.Length > FilesInVolume)
        {
            yield return $"{lost.Length} files are lost";
        }

        // A run that was ended leaves its record for the next one, and files without some blocks
        // that the record names.
        string[] names = Directory.Exists(target)
            ? [.. Directory.EnumerateFiles(target).Select(file => Path.GetFileName(file))]
            : [];
        string[] runs =
        [
            .. names
                .Where(name => name.EndsWith(".unfinished", StringComparison.Ordinal))
                .Select(name => Path.GetFileNameWithoutExtension(name)),
        ];
        if (
            names.Any(name =>
                !int.TryParse(name, out _)
                && (run.Failure is null || !runs.Contains(Path.GetFileNameWithoutExtension(name)))
            )
        )
        {
            yield return "something is left over";
        }
    }
}
