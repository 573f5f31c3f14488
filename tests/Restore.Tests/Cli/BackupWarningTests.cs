using System.Text.Json;
using Restore.Cli;
using Restore.Tests.Ends;
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

    [Fact]
    public async Task Mode_bits_that_are_not_stored_are_counted_and_named_in_the_report()
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "the modes of Unix");
        File.WriteAllText(In("plain"), "x");
        Assert.DoesNotContain("setuid", (await BackUpAsync("--no-encryption")).Output, StringComparison.Ordinal);

        const int SetUser = 0x9ED;
        const int Sticky = 0x3FF;
        foreach (string name in new[] { "a", "b", "c" })
        {
            File.WriteAllText(In(name), name);
            Native.SetMode(In(name), SetUser);
        }

        Directory.CreateDirectory(In("shared"));
        Native.SetMode(In("shared"), Sticky);
        CliRun run = await BackUpAsync("--no-encryption");
        Assert.Equal(ExitCodes.Complete, run.ExitCode);
        Assert.Contains(
            $"  Modes     setuid, setgid and sticky of 3 files and 1 folder are not stored, as in Duplicati: {In("a")}, {In("b")}, {In("c")}, ...\n",
            run.Output,
            StringComparison.Ordinal
        );
        Assert.Empty(run.Error);

        // Files that are not read again still have them.
        CliRun again = await BackUpAsync("--json", "--upload-unchanged-backups");
        JsonElement bits = JsonDocument.Parse(again.Output).RootElement.GetProperty("unstoredModeBits");
        Assert.Equal((3, 1), (bits.GetProperty("files").GetInt32(), bits.GetProperty("folders").GetInt32()));
        Assert.Equal(In("a"), bits.GetProperty("paths")[0].GetString());
    }

    private string In(string name) => Path.Combine(trip.Source, name);

    private Task<CliRun> BackUpAsync(params string[] options) =>
        CliRun.OfAsync(
            environment => environment with { Clock = TimeProvider.System },
            ["backup", trip.Source, trip.Destination, .. options]
        );
}
