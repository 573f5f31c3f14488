using System.Globalization;

namespace Restore.Tests.Maintenance.Keeping;

/// <summary>
/// Whatever is done to a backup in whatever order, and wherever it is interrupted, every version
/// that was not to go restores to what its source was. One seed is one history;
/// RESTORE_KEEPING_SEEDS and RESTORE_KEEPING_SEED choose how many, and the first.
/// </summary>
public sealed class KeepingPropertyTests
{
    private const int Steps = 9;

    [Fact]
    public async Task Every_kept_version_restores_after_any_history()
    {
        int first = NumberOf("RESTORE_KEEPING_SEED", 1);
        for (int seed = first; seed < first + NumberOf("RESTORE_KEEPING_SEEDS", 6); seed++)
        {
            using KeptBackup kept = await KeptBackup.WriteAsync(seed, versions: 2, seed % 3 == 0 ? "secret" : null);
            Random random = new(seed);
            HashSet<DateTimeOffset> versions = [.. kept.Times];
            string history = $"seed {seed}:";
            for (int step = 0; step < Steps; step++)
            {
                history += $" {await StepAsync(kept, versions, random)};";
                await kept.AssertRestorableAsync(versions, what: history);
            }

            // What every interruption left over goes, if all volumes are rewritten: a little waste
            // stays by the rules.
            await kept.CompactAsync(
                new CompactOptions
                {
                    VolumeSizeBytes = 20 << 10,
                    SmallFileSizeBytes = long.MaxValue,
                    SmallFileMaxCount = 0,
                }
            );
            await using Backup backup = await kept.OpenAsync();
            CheckReport check = await backup.Maintenance.CheckAsync();
            Assert.True(
                check is { LostBlocks: 0, RepeatedBlocks: 0 },
                $"{history} {check.LostBlocks} lost and {check.RepeatedBlocks} repeated blocks"
            );
        }
    }

    private static int NumberOf(string variable, int usual) =>
        int.TryParse(
            Environment.GetEnvironmentVariable(variable),
            NumberStyles.None,
            CultureInfo.InvariantCulture,
            out int number
        )
            ? number
            : usual;

    private static async Task<string> StepAsync(KeptBackup kept, HashSet<DateTimeOffset> versions, Random random)
    {
        int changes = random.Next(3) == 0 ? int.MaxValue : random.Next(14);
        InterruptedFolder store = new(kept.Location, changes, isDone: random.Next(2) == 0);
        switch (random.Next(8))
        {
            case <= 2:
                versions.UnionWith(await kept.BackupAsync(store) ? [kept.Times[^1]] : []);
                return $"backup with {changes} changes";
            case <= 4:
                return await DeleteAsync(kept, store, versions, random);
            case 5:
                await using (Backup backup = await kept.OpenAsync())
                {
                    await backup.Maintenance.RepairAsync(kept.Location);
                }

                return "repair";
            default:
                CompactOptions options = new()
                {
                    ThresholdPercent = random.Next(40),
                    VolumeSizeBytes = (20 << 10) * random.Next(1, 4),
                    SmallFileMaxCount = random.Next(6),
                };
                await using (Backup backup = await kept.OpenAsync(store))
                {
                    CompactPlan plan = await backup.Maintenance.PlanCompactAsync(options);
                    await TryAsync(store, () => new BackupMaintenance(backup) { BreakLock = true }.CompactAsync(plan));
                }

                return $"compact with {changes} changes";
        }
    }

    private static async Task<string> DeleteAsync(
        KeptBackup kept,
        InterruptedFolder store,
        HashSet<DateTimeOffset> versions,
        Random random
    )
    {
        RetentionRules rules =
            random.Next(2) == 0
                ? new RetentionRules { KeepVersions = random.Next(1, 4) }
                : new RetentionRules { Versions = [random.Next(versions.Count)] };
        await using Backup backup = await kept.OpenAsync(store);
        DeletionPlan plan = await backup.Maintenance.PlanDeletionAsync(rules);
        versions.ExceptWith(plan.Deleted.Select(version => version.Time));
        await TryAsync(store, () => new BackupMaintenance(backup) { BreakLock = true }.DeleteVersionsAsync(plan));

        // What was not deleted any more stays a version, which may be deleted by number the next
        // time.
        await using Backup left = await kept.OpenAsync();
        versions.UnionWith(left.Versions.Select(version => version.Time));
        return $"delete {plan.Deleted.Count()}";
    }

    private static async Task TryAsync(InterruptedFolder store, Func<Task> change)
    {
        Exception? failure = await Record.ExceptionAsync(change);
        Assert.True(store.IsInterrupted || failure is null, $"{failure}");
    }
}
