using System.Globalization;
using Restore.Cli;
using Restore.Tests.FixtureTests;

namespace Restore.Tests.Faults;

/// <summary>
/// Every call of a small restore to the file system of its target fails, once or forever.
/// RESTORE_FAULTS=all runs all cases, and RESTORE_FAULTS with the text of a case that one; without
/// it a sample runs, which RESTORE_FAULTS_SEED chooses.
/// </summary>
[Trait("Suite", "mount")]
public sealed class TargetFaultTests
{
    private const int SampleSize = 50;

    [Theory]
    [InlineData(Flow.Network, false)]
    [InlineData(Flow.Legacy, false)]
    [InlineData(Flow.Network, true)]
    public async Task A_call_that_fails_costs_at_most_its_entry_and_is_reported(Flow flow, bool writesBack)
    {
        using FaultMount mount = await FaultMount.MountAsync(writesBack);
        using FaultTree tree = new();
        List<string> wrong = [];
        int number = 0;
        foreach (FaultCase fault in Chosen(await CountAsync(mount, tree, flow)))
        {
            string name = string.Create(CultureInfo.InvariantCulture, $"{number++}");
            tree.Prepare(Path.Combine(mount.Backing, name));
            await mount.ResetAsync();
            await mount.FailAsync(fault.Call, fault.Number, fault.Error, fault.IsForEver ? int.MaxValue : 1);
            FaultRun run = await tree.RestoreAsync(Path.Combine(mount.Mounted, name), flow);
            int failed = (await mount.CountAsync())["failed"];
            await mount.ResetAsync();
            bool isOne = failed < 2 && !writesBack;
            wrong.AddRange(
                tree.Wrong(
                        Path.Combine(mount.Backing, name),
                        run,
                        mostLost: isOne ? failed : int.MaxValue,
                        mayLeaveParts: !isOne
                    )
                    .Select(line => $"{fault}: {line} ({run})")
            );
            if (run.ExitCode is not (ExitCodes.Complete or ExitCodes.Incomplete or ExitCodes.TargetNotWritable))
            {
                wrong.Add($"{fault}: {run}");
            }

            if (writesBack)
            {
                // The page cache goes on to show what the device did not take, so a second run can
                // find it right.
                mount.Remove(name);
                continue;
            }

            FaultRun second = await tree.RestoreAsync(Path.Combine(mount.Mounted, name), flow);
            wrong.AddRange(
                tree.Wrong(Path.Combine(mount.Backing, name), second, mostLost: 0)
                    .Select(line => $"{fault}, then a second run: {line} ({second})")
            );
            if (second.ExitCode != 0)
            {
                wrong.Add($"{fault}, then a second run: {second}");
            }

            mount.Remove(name);
        }

        TestContext.Current.TestOutputHelper?.WriteLine($"{number} cases");
        Assert.True(wrong.Count == 0, $"{wrong.Count} in {number} cases:\n{string.Join('\n', wrong.Take(30))}");
    }

    /// <summary>The calls of a run without faults.</summary>
    private static async Task<Dictionary<string, int>> CountAsync(FaultMount mount, FaultTree tree, Flow flow)
    {
        string name = "sound";
        tree.Prepare(Path.Combine(mount.Backing, name));
        await mount.ResetAsync();
        FaultRun run = await tree.RestoreAsync(Path.Combine(mount.Mounted, name), flow);
        Assert.Empty(tree.Wrong(Path.Combine(mount.Backing, name), run, mostLost: 0));
        Assert.Equal(0, run.ExitCode);
        Assert.Equal(tree.Files, run.Report!.FilesRestored);
        return await mount.CountAsync();
    }

    private static FaultCase[] Chosen(IReadOnlyDictionary<string, int> counts)
    {
        string wanted = Environment.GetEnvironmentVariable("RESTORE_FAULTS") ?? "";
        FaultCase[] all = [.. FaultCase.Of(counts, withAllErrors: wanted.Contains(' ', StringComparison.Ordinal))];
        int seed = int.Parse(
            Environment.GetEnvironmentVariable("RESTORE_FAULTS_SEED") ?? "1",
            CultureInfo.InvariantCulture
        );
        return wanted switch
        {
            "all" => all,
            "" => [.. new Random(seed).GetItems(all, SampleSize).Distinct()],
            _ => [.. all.Where(fault => fault.ToString().StartsWith(wanted, StringComparison.Ordinal))],
        };
    }
}
