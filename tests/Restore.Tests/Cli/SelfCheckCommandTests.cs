using System.Text.Json;
using Restore.Cli;
using Restore.Cli.Commands;

namespace Restore.Tests.Cli;

public sealed class SelfCheckCommandTests
{
    [Fact]
    public async Task Each_part_of_the_machine_is_a_line_and_a_small_backup_is_made_and_read()
    {
        using var folder = new TempFolder();
        var run = await CliRun.OfAsync("self-check", folder.In("not there yet"));
        Assert.True(run.ExitCode == ExitCodes.Complete, run.Output + run.Error);
        string[] parts =
        [
            .. run.Output.Split('\n', StringSplitOptions.RemoveEmptyEntries).Select(line => line[9..20].Trim()),
        ];
        Assert.Equal(
            ["program", "system", "memory", "clock", "room", "gpg", "par2", "rclone", "fuse", "codecs", "trial"],
            parts
        );
        Assert.Matches(
            @"\nok       trial      a backup of 8\.\d+ MiB made, encrypted, read and verified in",
            run.Output
        );
        Assert.Contains($", as {folder.In("not there yet")} does not exist (", run.Output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_program_that_is_not_there_costs_no_exit_code_and_says_what_needs_it()
    {
        var run = await CliRun.OfAsync(environment => environment with { Variable = _ => "" }, "self-check", "--json");
        Assert.Equal(ExitCodes.Complete, run.ExitCode);
        using var document = JsonDocument.Parse(run.Output);
        var par2 = document
            .RootElement.GetProperty("parts")
            .EnumerateArray()
            .Single(part => part.GetProperty("name").GetString() == "par2");
        Assert.Equal("missing", par2.GetProperty("state").GetString());
        Assert.Equal(
            "not installed: damaged volumes are not repaired from .par2 files",
            par2.GetProperty("text").GetString()
        );
    }

    [Fact]
    public void What_makes_a_restore_fail_is_wrong()
    {
        Assert.Equal(PartState.Wrong, MachineParts.Memory(100 << 20).State);
        Assert.Equal(PartState.Ok, MachineParts.Memory(1L << 30).State);
        Assert.Equal(PartState.Wrong, MachineParts.Clock(new FakeClock(), DateTime.MaxValue.AddYears(-1)).State);
        Assert.NotEqual(PartState.Wrong, MachineParts.Clock(new FakeClock(), DateTime.UnixEpoch).State);
        Assert.Equal(PartState.Wrong, MachineParts.Room("/dev/full\0").State);
    }
}
