using Restore.Cli.Interop;
using Restore.Tests.Support.Machine;

namespace Restore.Tests.Cli;

public sealed class SleepInhibitorTests
{
    /// <summary>The part of systemd's program that matters: it runs a program and waits.</summary>
    private const string Script = """
        #!/bin/sh
        here=$(dirname "$0")
        printf '%s\n' "$@" >"$here/arguments.new"
        mv "$here/arguments.new" "$here/arguments"
        for last; do :; done
        "$last"
        touch "$here/ended"
        """;

    [Fact]
    public async Task The_lock_on_sleep_is_held_until_the_command_ends()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Only Linux has systemd");
        using TempFolder folder = new();
        Directory.CreateDirectory(folder.Root);
        var program = folder.In("systemd-inhibit");
        await File.WriteAllTextAsync(program, Script, TestContext.Current.CancellationToken);
        if (!OperatingSystem.IsWindows())
        {
            File.SetUnixFileMode(program, UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute);
        }

        using (var inhibitor = SleepInhibitor.Start(folder.Root, folder.Root))
        {
            Assert.NotNull(inhibitor);
            await Eventually.IsAsync(() => File.Exists(folder.In("arguments")));
            var arguments = await File.ReadAllLinesAsync(folder.In("arguments"), TestContext.Current.CancellationToken);
            Assert.Contains("--what=sleep", arguments);
            Assert.False(File.Exists(folder.In("ended")));
        }

        await Eventually.IsAsync(() => File.Exists(folder.In("ended")));
    }

    [Fact]
    public void Without_systemd_nothing_is_started()
    {
        using TempFolder folder = new();
        Assert.Null(SleepInhibitor.Start(folder.In("no-systemd"), folder.Root));
        Directory.CreateDirectory(folder.Root);
        Assert.Null(SleepInhibitor.Start(folder.Root, folder.Root));
    }
}
