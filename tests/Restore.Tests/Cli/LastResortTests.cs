using Restore.Cli;
using Restore.Tests.Reported;
using Restore.Tests.Support.Machine;

namespace Restore.Tests.Cli;

/// <summary>
/// A process that the system gives too little of something: it ends with a message and its exit
/// code, and not with a stack trace.
/// </summary>
[NeedsLinux]
public sealed class LastResortTests
{
    [Theory]
    [InlineData(40)]
    [InlineData(96)]
    public async Task Too_few_open_files_to_begin_with_are_a_message(int limit)
    {
        ShellRun run = await ShellRun.WithOpenFilesAsync(limit, "versions", Fixtures.Backup("plain-1mb"));
        Assert.True(run.ExitCode == ExitCodes.Failed, $"{run.ExitCode}: {run.Text}");
        Assert.DoesNotContain("Unhandled exception", run.Text, StringComparison.Ordinal);
        Assert.DoesNotContain("   at ", run.Text, StringComparison.Ordinal);
        Assert.InRange(run.Text.Split('\n', StringSplitOptions.RemoveEmptyEntries).Length, 1, 2);
    }
}
