using Restore.Cli;
using Restore.Tests.Storage.Servers;
using Restore.Tests.Writing;

namespace Restore.Tests.Cli;

/// <summary>The command, to real servers and back.</summary>
public abstract class BackupToServer(StoreServer server) : IDisposable
{
    private readonly RoundTrip trip = new();

    public void Dispose()
    {
        trip.Dispose();
        GC.SuppressFinalize(this);
    }

    [Fact]
    public async Task Two_versions_go_there_and_come_back()
    {
        SourceTree.Make(trip.Source, seed: 12, blockSizeBytes: 1024);
        SortedDictionary<string, TreeEntry> first = RestoredTree.Read(trip.Source);
        string parent = $"v-{Guid.NewGuid():N}";
        await server.MakeWritableFolderAsync(parent);
        string url = server.UrlOf($"{parent}/backup", server.Port);
        string[] access =
        [
            .. server.Options.Select(option => $"--{option.Key}={option.Value}"),
            "--passphrase=p",
            "--retry-delay=20ms",
        ];

        string[] command = ["backup", trip.Source, url, .. access, "--blocksize=10kb", "--dblock-size=100kb"];
        await RunAsync(command);
        File.WriteAllBytes(Path.Combine(trip.Source, "new"), SourceTree.Bytes(new Random(1), 300_000));
        string output = await RunAsync(command);
        Assert.DoesNotContain(", of these 0 not read again", output, StringComparison.Ordinal);

        string newest = Path.Combine(trip.Folder, "newest");
        string oldest = Path.Combine(trip.Folder, "oldest");
        string[] restore = [url, .. access, "--restore-permissions", "--allow-restore-outside-target-directory"];
        await RunAsync([.. restore, $"--restore-path={newest}"]);
        await RunAsync([.. restore, $"--restore-path={oldest}", "--version=1"]);
        trip.AssertLikeSource(newest);
        RoundTrip.AssertSame(first, oldest);
        await RunAsync(["check", url, .. access]);
    }

    private static async Task<string> RunAsync(string[] arguments)
    {
        var run = await CliRun
            .OfAsync(environment => environment with { Clock = TimeProvider.System }, arguments)
            .WaitAsync(TimeSpan.FromSeconds(60), TestContext.Current.CancellationToken);
        Assert.True(run.ExitCode == ExitCodes.Complete, run.Output + run.Error);
        return run.Output;
    }
}

[Trait("Suite", "server")]
public sealed class BackupToS3Tests(S3Server server) : BackupToServer(server), IClassFixture<S3Server>;

[Trait("Suite", "server")]
public sealed class BackupToWebDavTests(ApacheServer server) : BackupToServer(server), IClassFixture<ApacheServer>;

[Trait("Suite", "server")]
public sealed class BackupToSshTests(SshServer server) : BackupToServer(server), IClassFixture<SshServer>;

[Trait("Suite", "server")]
public sealed class BackupToFtpTests(FtpServer server) : BackupToServer(server), IClassFixture<FtpServer>;

[Trait("Suite", "server")]
public sealed class BackupToAzureTests(AzureServer server) : BackupToServer(server), IClassFixture<AzureServer>;
