using Restore.Cli;

namespace Restore.Tests.Cli;

/// <summary>RESTORE_LOCATION names the backup for command lines that do not.</summary>
public sealed class LocationVariableTests
{
    private static readonly string Backup = Fixtures.Backup("plain-1mb");

    [Fact]
    public void What_is_no_backup_is_a_filter_then()
    {
        var environment = With("/mnt/named");
        Assert.Equal("/mnt/named", CliRun.Request(environment, "versions").Storage);
        var request = CliRun.Request(environment, "ls", "/home/ann");
        Assert.Equal("/mnt/named", request.Storage);
        Assert.Equal(["/home/ann"], request.Operands);
        Assert.Equal("/mnt/named", CliRun.Request(environment, "--restore-path=/out").Storage);
    }

    [Fact]
    public void A_backup_on_the_command_line_comes_first()
    {
        Assert.Equal(Backup, CliRun.Request(With("/mnt/named"), "ls", Backup, "/home/ann").Storage);
        Assert.Equal("s3://bucket/folder", CliRun.Request(With("/mnt/named"), "s3://bucket/folder").Storage);
    }

    [Fact]
    public void Where_a_backup_is_written_is_never_taken_from_it() =>
        Assert.Equal(
            ["/home/ann", "/mnt/new"],
            CliRun.Request(With("/mnt/named"), "backup", "/home/ann", "/mnt/new").Operands
        );

    [Fact]
    public async Task A_command_that_takes_no_more_than_a_backup_refuses_another_word()
    {
        var run = await CliRun.OfAsync(
            environment => environment with { Variable = With(Backup).Variable },
            "delete",
            "/mnt/not-mounted",
            "--version=0"
        );
        Assert.Equal(ExitCodes.Usage, run.ExitCode);
        Assert.StartsWith(
            "/mnt/not-mounted is no backup, and the variable RESTORE_LOCATION names one",
            run.Error,
            StringComparison.Ordinal
        );
    }

    [Fact]
    public async Task Commands_work_with_it()
    {
        var run = await CliRun.OfAsync(
            environment => environment with { Variable = With(Backup).Variable },
            "versions"
        );
        Assert.Equal((await CliRun.OfAsync("versions", Backup)).Output, run.Output);
        var missing = await CliRun.OfAsync("versions");
        Assert.Contains("or the variable RESTORE_LOCATION", missing.Error, StringComparison.Ordinal);
    }

    private static CliEnvironment With(string location) =>
        CliRun.Environment() with
        {
            Variable = name => name == "RESTORE_LOCATION" ? location : null,
        };
}
