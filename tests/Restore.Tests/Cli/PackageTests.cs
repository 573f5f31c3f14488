using System.Diagnostics;
using Restore.Cli;
using Restore.Tests.Support.Machine;

namespace Restore.Tests.Cli;

/// <summary>What brings the program to a machine.</summary>
public sealed class PackageTests
{
    [Fact]
    [NeedsPrograms(".ci/install-packages", "dpkg-deb", "dpkg", "gzip")]
    public async Task The_Debian_package_installs_the_program_its_manual_and_its_completions()
    {
        Assert.SkipUnless(Environment.IsPrivilegedProcess, "Only the root user can install a package.");
        using var folder = new TempFolder();
        var (program, package, root) = (
            Path.Combine(folder.Path, "program"),
            Path.Combine(folder.Path, "restore.deb"),
            Path.Combine(folder.Path, "installed")
        );
        Directory.CreateDirectory(program);
        MakeProgram(Path.Combine(program, "restore"));
        await RunAsync("bash", Path.Combine(Fixtures.RepositoryRoot(), "deploy", "make-deb"), program, package);

        var content = await RunAsync("dpkg-deb", "--contents", package);
        Assert.Contains("./usr/share/man/man1/restore.1.gz", content, StringComparison.Ordinal);
        Assert.DoesNotContain(
            content.Split('\n', StringSplitOptions.RemoveEmptyEntries),
            line => !line.Contains(" root/root ", StringComparison.Ordinal)
        );
        Assert.Matches("Version: [0-9]+\\.[0-9]+", await RunAsync("dpkg-deb", "--field", package));

        foreach (var needed in new[] { "var/lib/dpkg/info", "var/lib/dpkg/updates" })
        {
            Directory.CreateDirectory(Path.Combine(root, needed));
        }

        File.WriteAllText(Path.Combine(root, "var/lib/dpkg/status"), "");
        await RunAsync("dpkg", "--root=" + root, "--force-depends", "--log=/dev/null", "--install", package);
        Assert.StartsWith(
            "restore ",
            await RunAsync(Path.Combine(root, "usr/bin/restore"), "--program-version"),
            StringComparison.Ordinal
        );
        Assert.All(
            [
                "usr/share/bash-completion/completions/restore",
                "usr/share/zsh/vendor-completions/_restore",
                "usr/share/fish/vendor_completions.d/restore.fish",
            ],
            file =>
                Assert.Contains("restore-path", File.ReadAllText(Path.Combine(root, file)), StringComparison.Ordinal)
        );
        await RunAsync("dpkg", "--root=" + root, "--log=/dev/null", "--purge", "restore-duplicati");
        Assert.False(Path.Exists(Path.Combine(root, "usr/bin/restore")));
    }

    [Theory]
    [InlineData("End", 0, "  /")]
    [InlineData("Store", 0, "0  2026-11-21 13:30:33Z\n1  2026-11-21 13:30:30Z\n2  2026-11-21 13:30:26Z\n")]
    [InlineData("Nightly", 0, " files verified, 0 issues\n")]
    [InlineData("Verify", 0, "0 issues\n")]
    public async Task An_example_of_the_library_does_what_it_says(string name, int exitCode, string expected)
    {
        var example = Path.Combine(AppContext.BaseDirectory, $"Restore.Examples.{name}.dll");
        var output = await RunAsync(
            exitCode,
            "dotnet",
            example,
            Fixtures.Backup("plain-1mb"),
            name == "Nightly" ? "--now" : ""
        );
        Assert.Contains(expected, output, StringComparison.Ordinal);
    }

    /// <summary>
    /// The published program, if CI has one; else a script that starts the one that was built with
    /// the tests.
    /// </summary>
    private static void MakeProgram(string path)
    {
        string[] command = ProgramRun.CommandOf();
        if (command.Length == 1)
        {
            File.Copy(command[0], path);
        }
        else
        {
            File.WriteAllText(path, $"#!/bin/sh\nexec {string.Join(' ', command)} \"$@\"\n");
        }

        if (!OperatingSystem.IsWindows())
        {
            File.SetUnixFileMode(path, UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute);
        }
    }

    private static Task<string> RunAsync(string program, params string[] arguments) => RunAsync(0, program, arguments);

    private static async Task<string> RunAsync(int exitCode, string program, params string[] arguments)
    {
        var start = new ProcessStartInfo(program, arguments)
        {
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
        using var process = Process.Start(start)!;
        var error = process.StandardError.ReadToEndAsync(TestContext.Current.CancellationToken);
        var output = await process.StandardOutput.ReadToEndAsync(TestContext.Current.CancellationToken);
        await process.WaitForExitAsync(TestContext.Current.CancellationToken);
        Assert.True(process.ExitCode == exitCode, $"{program} ended with {process.ExitCode}: {await error}{output}");
        return output;
    }
}
