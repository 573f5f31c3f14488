using Restore.Catalog;
using Restore.Compression;
using Restore.Encryption;
using Restore.Memory;
using Restore.Reading;
using Restore.Restoring;
using Restore.Storage;
using Restore.Tests.Support.Machine;
using Restore.Volumes;

namespace Restore.Tests.Reading;

/// <summary>How many reads a store that is far away gets at once.</summary>
public sealed class RemoteFetchTests
{
    private const string Fixture = "interleaved";
    private const int Volumes = 5;

    [Fact]
    public async Task Index_volumes_are_requested_concurrently_even_with_few_cores()
    {
        HeldReads reads = new(name => name.Contains(".dindex.", StringComparison.Ordinal), until: Volumes);
        await RestoreAsync(reads, new RestoreOptions { VerifyOnly = true });
        Assert.Equal(Volumes, reads.MostWaiting);
    }

    [Fact]
    public async Task At_first_four_volumes_are_fetched_at_once_and_the_profile_says_so()
    {
        HeldReads reads = new(IsBlockVolume, until: DownloadGate.Least);
        RestoreReport report = await RestoreAsync(reads, new RestoreOptions { VerifyOnly = true });
        Assert.Equal(DownloadGate.Least, reads.MostWaiting);
        string choice = Assert.Single(
            report.Choices,
            choice => choice.StartsWith("transfers at once: ", StringComparison.Ordinal)
        );
        Assert.EndsWith("by what they brought (4 to 16)", choice, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(5)]
    public async Task A_number_that_is_given_is_kept_to(int downloaders)
    {
        HeldReads reads = new(IsBlockVolume, until: downloaders);
        ExecuteOptions execution = new() { Tuning = new() { VolumeDownloaders = downloaders } };
        RestoreReport report = await RestoreAsync(reads, new RestoreOptions { VerifyOnly = true }.With(execution));
        Assert.Equal(downloaders, reads.MostWaiting);
        Assert.DoesNotContain(
            report.Choices,
            choice => choice.StartsWith("transfers at once: ", StringComparison.Ordinal)
        );
    }

    private static bool IsBlockVolume(string name) => name.Contains(".dblock.", StringComparison.Ordinal);

    private static async Task<RestoreReport> RestoreAsync(HeldReads reads, RestoreSetup options)
    {
        CancellationToken cancellation = TestContext.Current.CancellationToken;
        ScriptedStore source = ScriptedStore.OfFolder(Fixtures.Backup(Fixture));
        source.BeforeRead = reads.HoldAsync;
        BackupOptions access = new() { Passphrase = Fixtures.Info(Fixture).GetProperty("passphrase").GetString() };
        await using Backup backup = await Backup.OpenAsync(source, access, cancellation);
        RestoreReport report = await backup.RestoreAsync(backup.Versions[0], options, cancellation);
        Assert.True(report.IsComplete);
        return report;
    }
}
