using Restore.Cli;
using Restore.Tests.Writing;

namespace Restore.Tests.Cli;

/// <summary>
/// What a backup says, with an exit code of its own, although everything that it found is stored.
/// </summary>
public sealed class BackupWarningTests : IDisposable
{
    private readonly RoundTrip trip = new();

    public void Dispose() => trip.Dispose();

    [Fact]
    public async Task A_backup_without_a_file_has_an_exit_code_of_its_own_and_says_why()
    {
        CliRun first = await BackUpAsync("--no-encryption");
        Assert.Equal(ExitCodes.NothingTaken, first.ExitCode);
        Assert.StartsWith("No file was taken, so no version was made", first.Output, StringComparison.Ordinal);
        Assert.DoesNotContain("Complete", first.Output, StringComparison.Ordinal);
        Assert.Contains("Warning: No file was taken", first.Error, StringComparison.Ordinal);

        File.WriteAllText(In("file.txt"), "x");
        Assert.Equal(ExitCodes.Complete, (await BackUpAsync("--no-encryption")).ExitCode);
        CliRun third = await BackUpAsync("--no-encryption", "--include=*.jpg");
        Assert.Equal(ExitCodes.NothingTaken, third.ExitCode);
        Assert.Contains("Retention does not count this version", third.Output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_source_that_is_a_link_gets_a_warning_and_an_exit_code_of_its_own()
    {
        string link = Path.Join(trip.Folder, "link");
        File.WriteAllText(In("file.txt"), "x");
        Directory.CreateSymbolicLink(link, trip.Source);
        CliRun run = await CliRun.OfAsync(
            environment => environment with { Clock = TimeProvider.System },
            ["backup", link, trip.Source, trip.Destination, "--no-encryption"]
        );

        Assert.Equal(ExitCodes.LeftOut, run.ExitCode);
        Assert.Contains(
            $"Warning: {link}: The source is a link: only the link is in the backup",
            run.Error,
            StringComparison.Ordinal
        );
    }

    private string In(string name) => Path.Combine(trip.Source, name);

    private Task<CliRun> BackUpAsync(params string[] options) =>
        CliRun.OfAsync(
            environment => environment with { Clock = TimeProvider.System },
            ["backup", trip.Source, trip.Destination, .. options]
        );
}
