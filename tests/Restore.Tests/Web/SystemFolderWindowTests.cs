using Restore.Cli;
using Restore.Cli.Commands;
using Restore.Tests.Cli;
using Restore.Tests.Ends;
using Restore.Tests.Support.Machine;

namespace Restore.Tests.Web;

/// <summary>The window that shows the folder of a restore.</summary>
public sealed class SystemFolderWindowTests : IDisposable
{
    private readonly TempFolder folder = new();

    public void Dispose() => folder.Dispose();

    [Fact]
    [NeedsLinux]
    public async Task A_folder_is_one_argument_of_the_program_whatever_its_name_says()
    {
        await WriteProgramAsync("printf '%s|%s|%s' \"$#\" \"$1\" \"${PASSPHRASE:-no secret}\" > \"$HOME/shown\"");
        CliEnvironment environment = EnvironmentOf(("DISPLAY", ":0"));
        Assert.True(SystemFolderWindow.IsThere(environment));
        string hostile = folder.In("a'; touch x; $(touch y) \"b\" -c");
        Assert.Null(await SystemFolderWindow.ShowAsync(hostile, environment));
        Assert.Equal(
            $"1|{hostile}|no secret",
            await File.ReadAllTextAsync(folder.In("shown"), TestContext.Current.CancellationToken)
        );
    }

    [Fact]
    [NeedsLinux]
    public async Task A_machine_without_windows_or_without_the_program_has_none()
    {
        Assert.False(SystemFolderWindow.IsThere(EnvironmentOf(("WAYLAND_DISPLAY", "wayland-0"))));
        await WriteProgramAsync("exit 4");
        Assert.False(SystemFolderWindow.IsThere(EnvironmentOf()));
        CliEnvironment environment = EnvironmentOf(("WAYLAND_DISPLAY", "wayland-0"));
        Assert.True(SystemFolderWindow.IsThere(environment));
        Assert.Equal("xdg-open ended with exit code 4", await SystemFolderWindow.ShowAsync(folder.Root, environment));
    }

    private async Task WriteProgramAsync(string line)
    {
        string program = folder.In("bin/xdg-open");
        Directory.CreateDirectory(folder.In("bin"));
        await File.WriteAllTextAsync(
            program,
            $"#!/bin/sh\nHOME='{folder.Root}'\n{line}\n",
            TestContext.Current.CancellationToken
        );
        Native.SetMode(program, 0x140);
    }

    private CliEnvironment EnvironmentOf(params (string Name, string Value)[] variables) =>
        CliRun.Environment() with
        {
            Variable = name =>
                name == "PATH" ? folder.In("bin") : variables.FirstOrDefault(one => one.Name == name).Value,
        };
}
