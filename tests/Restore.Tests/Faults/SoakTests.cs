using System.Globalization;
using Restore.Cli;
using Restore.Tests.FixtureTests;

namespace Restore.Tests.Faults;

/// <summary>
/// Runs with random faults of target and store, cancelled at random moments, with random options,
/// on a target that keeps what they leave; then one without faults, which must complete.
/// RESTORE_SOAK says for how many minutes, RESTORE_SOAK_SEED where to begin; without the first a
/// few seeds run, with 0 one alone.
/// </summary>
[Trait("Suite", "mount")]
public sealed class SoakTests
{
    private const int FewSeeds = 12;
    private const string DamagedCopy = "The damaged file is at ";

    [Fact]
    public async Task Whatever_fails_the_next_run_completes()
    {
        using FaultMount mount = await FaultMount.MountAsync();
        using FaultTree tree = new();
        int first = Number("RESTORE_SOAK_SEED", 1);
        int minutes = Number("RESTORE_SOAK", -1);
        SortedDictionary<int, int> exits = [];
        List<string> wrong = [];
        long start = TimeProvider.System.GetTimestamp();
        int seed = first;
        for (
            ;
            seed == first
                || (
                    minutes < 0
                        ? seed < first + FewSeeds
                        : TimeProvider.System.GetElapsedTime(start).TotalMinutes < minutes
                );
            seed++
        )
        {
            Random random = new(seed);
            HashSet<string> kept = [];
            List<string> troubles = [];
            string target = string.Create(CultureInfo.InvariantCulture, $"{seed}");
            string backing = Path.Combine(mount.Backing, target);
            tree.Prepare(backing);
            try
            {
                for (int runs = random.Next(1, 4); runs > 0; runs--)
                {
                    FaultRun run = await TroubledAsync(
                        mount,
                        tree,
                        Path.Combine(mount.Mounted, target),
                        random,
                        troubles
                    );
                    exits[run.ExitCode] = exits.GetValueOrDefault(run.ExitCode) + 1;
                    wrong.AddRange(
                        Wrong(run, mayLeaveParts: true)
                            .Select(line => $"Seed {seed}: {line} ({run}) after {Troubles()}")
                    );
                }
            }
            catch (Exception failure)
            {
                wrong.Add($"Seed {seed}: {failure} after {Troubles()}");
                await mount.ResetAsync();
            }

            FaultRun last = await tree.RestoreAsync(Path.Combine(mount.Mounted, target), Flow.Network);
            wrong.AddRange(
                Wrong(last, mayLeaveParts: false)
                    .Select(line => $"Seed {seed}, at last: {line} ({last}) after {Troubles()}")
            );
            if (last.ExitCode != ExitCodes.Complete)
            {
                wrong.Add($"Seed {seed}, at last: {last} after {Troubles()}");
            }

            mount.Remove(target);

            string Troubles() => string.Join(" | ", troubles);

            // A damaged file beside the old one is reported by the run that made it, and then the
            // user's.
            IEnumerable<string> Wrong(FaultRun run, bool mayLeaveParts)
            {
                kept.UnionWith(
                    run.Issues.Select(issue => issue.Reason)
                        .Where(reason => reason.StartsWith(DamagedCopy, StringComparison.Ordinal))
                        .Select(reason =>
                            Path.GetFileName(reason[DamagedCopy.Length..reason.IndexOf(';', StringComparison.Ordinal)])
                        )
                );
                return tree.Wrong(backing, run, mostLost: mayLeaveParts ? int.MaxValue : 0, mayLeaveParts)
                    .Where(line => !kept.Any(name => line == $"{name} is left over"));
            }
        }

        TestContext.Current.TestOutputHelper?.WriteLine(
            $"Seeds {first} to {seed - 1}; exit codes {string.Join(", ", exits)}"
        );
        Assert.True(
            wrong.Count == 0,
            $"{wrong.Count} wrong in {seed - first} seeds:\n{string.Join('\n', wrong.Take(20))}"
        );
    }

    private static async Task<FaultRun> TroubledAsync(
        FaultMount mount,
        FaultTree tree,
        string target,
        Random random,
        List<string> reported
    )
    {
        using CancellationTokenSource cancelled = new();
        using CancellationTokenSource stopped = new();
        StoreTrouble[] troubles = Enum.GetValues<StoreTrouble>();
        StoreTrouble? trouble = random.Next(2) == 0 ? null : troubles[random.Next(troubles.Length)];
        FaultCase fault = FaultCase.Any(random);
        List<string> text = [trouble?.ToString() ?? "sound store"];
        if (random.Next(4) > 0)
        {
            text.Add(fault.ToString());
            await mount.FailAsync(fault.Call, fault.Number, fault.Error, fault.IsForEver ? int.MaxValue : 1);
        }

        if (random.Next(3) == 0)
        {
            bool isCancelled = random.Next(2) == 0;
            int milliseconds = random.Next(60);
            text.Add($"{(isCancelled ? "cancelled" : "stopped")} after {milliseconds} ms");
            (isCancelled ? cancelled : stopped).CancelAfter(milliseconds);
        }

        ExecuteOptions execution = new()
        {
            Legacy = random.Next(3) == 0,
            SkipFlush = random.Next(4) == 0,
            Tuning = new RestoreTuning
            {
                PreallocateSize = random.Next(4) == 0,
                CacheMaxBytes = random.Next(3) == 0 ? 0 : 64 << 20,
                FileProcessors = random.Next(1, 4),
                ChannelBufferSize = random.Next(1, 4),
            },
        };
        RestoreOptions options = new()
        {
            Target = target,
            Overwrite = true,
            RestorePermissions = random.Next(2) == 0,
        };
        text.Add(execution.Legacy ? "legacy" : "network");
        reported.Add(string.Join(", ", text));
        TroubledStore store = new(tree.Store(isLocal: random.Next(2) == 0), trouble, random.Next(1, 10));
        FaultRun run = await FaultTree.RestoreAsync(store, options.With(execution), stopped.Token, cancelled.Token);
        await mount.ResetAsync();
        return run;
    }

    private static int Number(string variable, int otherwise) =>
        int.TryParse(
            Environment.GetEnvironmentVariable(variable),
            NumberStyles.None,
            CultureInfo.InvariantCulture,
            out int number
        )
            ? number
            : otherwise;
}
