using System.Globalization;
using System.Security.Cryptography;
using System.Text.RegularExpressions;
using Restore.Tests.Writing;

namespace Restore.Tests.Restoring;

/// <summary>The block store keeps its limit, however many blocks are needed later.</summary>
public sealed partial class BlockStorePeakTests
{
    private const int BlockBytes = 100 << 10;
    private const int Blocks = 240;

    /// <summary>
    /// The allowed peak of the store, lowest and highest, in MiB. Buffers of 128 KiB hold the
    /// blocks; blocks come in batches of about 1 MiB.
    /// </summary>
    [Theory]
    [InlineData(0, 0, 2)]
    [InlineData(4, 3, 6)]
    [InlineData(1024, 23, 32)]
    public async Task The_store_holds_the_limit_and_one_run_at_most(int maxMebibytes, int leastUsed, int mostUsed)
    {
        using RoundTrip trip = new();
        await WriteAsync(trip);
        string target = Path.Combine(trip.Folder, "restored");
        await using Backup backup = await Backup.OpenAsync(trip.Destination);
        RestorePlan plan = await backup.PlanAsync(
            backup.Versions[0],
            new RestoreOptions { Target = target, RestorePermissions = true }
        );

        RestoreReport report = await backup.ExecuteAsync(
            plan,
            new ExecuteOptions { Tuning = new() { CacheMaxBytes = (long)maxMebibytes << 20 } }
        );

        Assert.Empty(report.Issues);
        trip.AssertLikeSource(target);
        string choice = Assert.Single(
            report.Choices,
            choice => choice.StartsWith("block store: ", StringComparison.Ordinal)
        );
        int used = int.Parse(
            Used().Match(choice).Groups[1].Value,
            NumberStyles.AllowThousands,
            CultureInfo.InvariantCulture
        );
        Assert.InRange(used, leastUsed, mostUsed);
    }

    /// <summary>
    /// Two files of the same blocks, the second in reverse: while the first is written, the second
    /// waits for the block that comes last.
    /// </summary>
    private static async Task WriteAsync(RoundTrip trip)
    {
        byte[][] blocks = [.. Enumerable.Range(0, Blocks).Select(_ => RandomNumberGenerator.GetBytes(BlockBytes))];
        await File.WriteAllBytesAsync(Path.Combine(trip.Source, "1 forwards"), [.. blocks.SelectMany(block => block)]);
        await File.WriteAllBytesAsync(
            Path.Combine(trip.Source, "2 backwards"),
            [.. blocks.Reverse().SelectMany(block => block)]
        );
        await trip.WriteAsync(
            trip.Options with
            {
                BlockSizeBytes = BlockBytes,
                VolumeSizeBytes = 50 << 20,
                CompressionLevel = 0,
            }
        );
    }

    [GeneratedRegex("([0-9,]+) MiB used")]
    private static partial Regex Used();
}
