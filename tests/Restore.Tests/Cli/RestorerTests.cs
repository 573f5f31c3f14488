using System.Text.Json;
using Restore.Cli;
using Restore.Tests.FixtureTests;
using Restore.Tests.Writing;

namespace Restore.Tests.Cli;

public sealed class RestorerTests : IDisposable
{
    private static readonly byte[] Html = "<!doctype html><title>restore.html of a test</title>"u8.ToArray();

    private readonly RoundTrip trip = new();

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    private string File => Path.Join(trip.Destination, "restore.html");

    public void Dispose() => trip.Dispose();

    [Fact]
    public async Task It_is_put_beside_the_volumes_left_alone_if_it_is_the_same_and_replaced_if_it_is_another()
    {
        string list = Path.Join(
            Directory.CreateDirectory(trip.Destination).FullName,
            "duplicati-20261126T070000Z.dlist.zip"
        );
        await System.IO.File.WriteAllBytesAsync(list, [], Token);
        Assert.Equal(
            "restore.html would be put beside the backup: it restores in a browser\n",
            (await RunAsync("restorer", trip.Destination, "--dry-run")).Output
        );
        Assert.False(System.IO.File.Exists(File));
        var first = await RunAsync("restorer", trip.Destination);
        Assert.Equal(
            (ExitCodes.Complete, "restore.html is beside the backup now: it restores in a browser\n"),
            (first.ExitCode, first.Output)
        );
        Assert.Equal(Html, await System.IO.File.ReadAllBytesAsync(File, Token));

        var written = System.IO.File.GetLastWriteTimeUtc(File).AddHours(-1);
        System.IO.File.SetLastWriteTimeUtc(File, written);
        Assert.Equal(
            "restore.html is beside the backup already\n",
            (await RunAsync("restorer", trip.Destination)).Output
        );
        Assert.Equal(written, System.IO.File.GetLastWriteTimeUtc(File));

        await System.IO.File.WriteAllTextAsync(File, "<!doctype html><title>restore.html of another</title>", Token);
        Assert.Equal(
            "restore.html beside the backup is another one, and would be replaced\n",
            (await RunAsync("restorer", trip.Destination, "--dry-run")).Output
        );
        Assert.NotEqual(Html, await System.IO.File.ReadAllBytesAsync(File, Token));
        var third = await RunAsync("restorer", trip.Destination, "--json");
        Assert.Equal(("""{"file":"restore.html","state":"replaced"}""" + "\n", ""), (third.Output, third.Error));
        Assert.Equal(Html, await System.IO.File.ReadAllBytesAsync(File, Token));
        Assert.Equal([list, File], Directory.GetFileSystemEntries(trip.Destination).Order(StringComparer.Ordinal));
    }

    [Fact]
    public async Task Where_no_backup_is_nothing_is_put()
    {
        var run = await RunAsync("restorer", trip.Destination);
        Assert.Equal(ExitCodes.NotFound, run.ExitCode);
        Assert.Contains("perhaps the disk is not mounted", run.Error, StringComparison.Ordinal);
        Assert.False(Path.Exists(File));
    }

    [Fact]
    public async Task A_program_that_carries_none_says_so_and_makes_no_backup()
    {
        var alone = await CliRun.OfAsync(
            environment => environment with { OpenRestorer = () => null },
            "restorer",
            trip.Destination
        );
        Assert.Equal(ExitCodes.Failed, alone.ExitCode);
        Assert.StartsWith("This program was built without restore.html\n", alone.Error, StringComparison.Ordinal);
        Assert.Contains("deploy/make-restore-html", alone.Error, StringComparison.Ordinal);

        var backup = await CliRun.OfAsync(
            environment => environment with { OpenRestorer = () => null },
            "backup",
            trip.Source,
            trip.Destination,
            "--no-encryption",
            "--with-restorer"
        );
        Assert.Equal(ExitCodes.Failed, backup.ExitCode);
        Assert.False(Directory.Exists(trip.Destination));
    }

    [Fact]
    public async Task A_backup_with_it_is_read_checked_compacted_and_continued_as_without_it()
    {
        SourceTree.Make(trip.Source, seed: 7, blockSizeBytes: 1024);
        string[] storage = [trip.Destination, "--passphrase=p"];
        string[] backup =
        [
            "backup",
            trip.Source,
            .. storage,
            "--blocksize=1kb",
            "--dblock-size=100kb",
            "--with-restorer",
            "--json",
        ];
        Assert.Equal("written", RestorerOf(await RunAsync(backup)));
        Assert.Equal("unchanged", RestorerOf(await RunAsync(backup)));
        Assert.Equal(
            JsonValueKind.Null,
            JsonDocument
                .Parse((await RunAsync([.. backup, "--dry-run"])).Output)
                .RootElement.GetProperty("restorer")
                .ValueKind
        );

        string[][] commands =
        [
            ["versions", .. storage],
            ["ls", .. storage],
            ["verify", .. storage],
            ["check", .. storage],
            ["repair", .. storage],
            ["compact", .. storage, "--yes"],
            ["delete", .. storage, "--keep-versions=1", "--yes"],
        ];
        foreach (string[] command in commands)
        {
            var run = await RunAsync(command);
            Assert.True(run.ExitCode == ExitCodes.Complete, $"{command[0]}: {run.Output}{run.Error}");
            Assert.DoesNotContain("restore.html", run.Output + run.Error, StringComparison.Ordinal);
        }

        Assert.Equal(Html, await System.IO.File.ReadAllBytesAsync(File, Token));
        trip.AssertLikeSource(await trip.RestoreAsync(passphrase: "p"));
    }

    [Fact]
    public async Task A_store_that_only_takes_new_files_keeps_another_one_and_the_backup_is_made_all_the_same()
    {
        Directory.CreateDirectory(trip.Destination);
        await System.IO.File.WriteAllTextAsync(File, "another", Token);
        SourceTree.Make(trip.Source, seed: 8, blockSizeBytes: 1024);
        var run = await RunAsync(
            "backup",
            trip.Source,
            trip.Destination,
            "--no-encryption",
            "--with-restorer",
            "--immutable"
        );
        Assert.True(run.ExitCode == ExitCodes.Complete, run.Output + run.Error);
        Assert.Contains(
            "Warning: --with-restorer: restore.html is not as it should be there: ",
            run.Error,
            StringComparison.Ordinal
        );
        Assert.Equal("another", await System.IO.File.ReadAllTextAsync(File, Token));
        trip.AssertLikeSource(await trip.RestoreAsync());
    }

    private static string? RestorerOf(CliRun run)
    {
        Assert.True(run.ExitCode == ExitCodes.Complete, run.Output + run.Error);
        return JsonDocument.Parse(run.Output).RootElement.GetProperty("restorer").GetString();
    }

    private static Task<CliRun> RunAsync(params string[] arguments) =>
        CliRun.OfAsync(
            environment =>
                environment with
                {
                    Clock = TimeProvider.System,
                    OpenRestorer = () => new MemoryStream(Html),
                },
            arguments
        );
}
