using System.Collections.Concurrent;
using Restore.Tests.FixtureTests;
using Restore.Tests.Support;

namespace Restore.Tests.Reported;

/// <summary>
/// A volume that arrives damaged once, through a proxy or a bad line, is fetched again before it
/// counts as damaged.
/// </summary>
public sealed class DamagedOnItsWayTests
{
    private static readonly FixtureBackup Fixture = FixtureCatalog.BackupsOf("aes-100kb").Single();

    [Theory]
    [InlineData(RangeReads.Auto, false)]
    [InlineData(RangeReads.Never, false)]
    [InlineData(RangeReads.Always, false)]
    [InlineData(RangeReads.Never, true)]
    public async Task A_restore_loses_nothing(RangeReads ranges, bool isShort)
    {
        await using Backup backup = await OpenAsync(isShort);
        using TempFolder folder = new();
        ExecuteOptions execution = new() { Tuning = new RestoreTuning { RangeReads = ranges } };

        RestoreReport report = await backup.ExecuteAsync(
            await backup.PlanAsync(backup.Versions[0], FixtureRestore.Whole(folder.Root), execution),
            execution
        );

        Assert.True(report.IsComplete, string.Join('\n', report.Issues));
        Assert.DoesNotContain(
            report.Issues,
            issue => issue.Reason.Contains("searched in other volumes", StringComparison.Ordinal)
        );
        RestoredTree.AssertEqual(
            Fixture.Versions[0].ExpectedFile!,
            folder.Root,
            Fixture.Checks,
            Fixture.Skipped.Contains
        );
    }

    [Fact]
    public async Task A_check_of_the_volumes_finds_them_sound()
    {
        await using Backup backup = await OpenAsync(isShort: false);

        Assert.DoesNotContain(
            (await backup.Maintenance.CheckVolumesAsync()).Issues,
            issue => issue.Kind is not IssueKind.Warning
        );
    }

    [Fact]
    public async Task A_stream_of_a_file_has_its_bytes()
    {
        await using Backup backup = await OpenAsync(isShort: false);
        BackupEntry largest = default!;
        await foreach (BackupEntry entry in backup.ListAsync(backup.Versions[0]))
        {
            largest = largest is null || entry.SizeBytes > largest.SizeBytes ? entry : largest;
        }

        await using Stream stream = await backup.OpenEntryAsync(backup.Versions[0], largest.Path);
        using MemoryStream content = new();
        await stream.CopyToAsync(content);

        Assert.Equal(largest.SizeBytes, content.Length);
    }

    /// <summary>The first read of each block volume is bent: a byte in its middle, or its end.</summary>
    private static Task<Backup> OpenAsync(bool isShort)
    {
        ConcurrentDictionary<string, bool> seen = [];
        ScriptedStore store = ScriptedStore.OfFolder(Fixture.Location, isLocal: false);
        store.AfterRead = (name, _, bytes) =>
        {
            if (bytes.Length == 0 || !name.Contains("dblock", StringComparison.Ordinal) || !seen.TryAdd(name, true))
            {
                return bytes.Length;
            }

            bytes.Span[bytes.Length / 2] ^= 1;
            return isShort ? bytes.Length / 2 : bytes.Length;
        };
        return Backup.OpenAsync(
            store,
            Fixture.Options() with
            {
                StoreOptions = new Dictionary<string, string> { ["retry-delay"] = "1ms" },
            }
        );
    }
}
