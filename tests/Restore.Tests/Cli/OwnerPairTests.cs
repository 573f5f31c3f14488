using Restore.Cli;
using Restore.Tests.Support.Machine;

namespace Restore.Tests.Cli;

public sealed class OwnerPairTests
{
    public static readonly string[] Options = ["--map-owner"];

    /// <summary>
    /// A user may give their own files to nobody else, so everything of the backup becomes theirs.
    /// </summary>
    [Fact]
    public async Task Files_of_an_owner_of_the_backup_get_an_account_of_this_system()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "It asks Linux for the owner");
        using TempFolder folder = new();
        var (user, group) = await OwnIdsAsync();
        var run = await RestoreAsync(
            folder.Root,
            "--restore-permissions",
            $"--map-owner=12345={user}",
            $"--map-owner=:54321=:{group}"
        );
        Assert.True(run.ExitCode == ExitCodes.Complete, run.Error + run.Output);
        Assert.Equal($"{user}:{group}", await OwnerAsync(folder.In("owner-12345-54321")));
        Assert.DoesNotContain("owner", run.Error, StringComparison.OrdinalIgnoreCase);
    }

    [Fact]
    public async Task An_account_that_is_not_here_is_refused_before_anything_is_written()
    {
        using TempFolder folder = new();
        var run = await RestoreAsync(folder.Root, "--restore-permissions", "--map-owner=12345=no such account");
        Assert.Equal(ExitCodes.Usage, run.ExitCode);
        Assert.Contains("does not know the account", run.Error, StringComparison.Ordinal);
        Assert.False(Directory.Exists(folder.Root));
    }

    [Theory]
    [InlineData("--map-owner needs --restore-permissions", "--map-owner=a=b")]
    [InlineData("'a' cannot be used", "--restore-permissions", "--map-owner=a")]
    [InlineData("'a=b=c' cannot be used", "--restore-permissions", "--map-owner=a=b=c")]
    [InlineData("'=b' cannot be used", "--restore-permissions", "--map-owner==b")]
    [InlineData("':=:b' cannot be used", "--restore-permissions", "--map-owner=:=:b")]
    [InlineData("makes a group of a user", "--restore-permissions", "--map-owner=:a=b")]
    [InlineData("is mapped to 'b' and to 'c'", "--restore-permissions", "--map-owner=a=b", "--map-owner=a=c")]
    public async Task A_value_that_is_no_pair_is_an_error(string message, params string[] options)
    {
        using TempFolder folder = new();
        var run = await RestoreAsync(folder.Root, options);
        Assert.Equal(ExitCodes.Usage, run.ExitCode);
        Assert.Contains(message, run.Error, StringComparison.Ordinal);
    }

    private static Task<CliRun> RestoreAsync(string target, params string[] options) =>
        CliRun.OfAsync([Fixtures.Backup("plain-1mb"), "*/owner-12345-54321", $"--restore-path={target}", .. options]);

    private static async Task<(string User, string Group)> OwnIdsAsync() =>
        ((await OutputAsync("id", "-u")).Trim(), (await OutputAsync("id", "-g")).Trim());

    private static async Task<string> OwnerAsync(string path) =>
        (await OutputAsync("stat", "-c", "%u:%g", path)).Trim();

    private static async Task<string> OutputAsync(string program, params string[] arguments)
    {
        using var process = System.Diagnostics.Process.Start(
            new System.Diagnostics.ProcessStartInfo(program, arguments) { RedirectStandardOutput = true }
        )!;
        var text = await process.StandardOutput.ReadToEndAsync();
        await process.WaitForExitAsync();
        return text;
    }
}
