using System.Diagnostics;
using System.Runtime.Versioning;
using Restore.Tests.Support.Machine;

namespace Restore.Tests.Cli;

/// <summary>
/// What becomes of the secrets that the program got: no other program sees them, and no dump of its
/// memory is left.
/// </summary>
[UnsupportedOSPlatform("windows")]
public sealed class ProgramSecretsTests
{
    private static readonly Dictionary<string, string> Secrets = new()
    {
        ["PASSPHRASE"] = "of another backup",
        ["AUTH_PASSWORD"] = "of the store",
        ["AWS_SECRET_ACCESS_KEY"] = "of the cloud",
        ["RCLONE_CONFIG_PASS"] = "of the remotes",
    };

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    [Fact]
    [NeedsGpg]
    public async Task Gpg_gets_no_secret_in_its_environment()
    {
        using var folder = new TempFolder();
        string seen = Path.Combine(folder.Path, "seen");
        string program = Script(folder, $"env > '{seen}'\nexec gpg \"$@\"");
        string passphrase = Fixtures.Info("gpg").GetProperty("passphrase").GetString()!;

        ProgramRun run = await ProgramRun.OfAsync(
            Secrets,
            "ls",
            Fixtures.Backup("gpg"),
            $"--passphrase={passphrase}",
            $"--gpg-program-path={program}"
        );

        Assert.Equal((0, ""), (run.ExitCode, run.Error));
        AssertSees(seen, "PATH");
    }

    [Theory]
    [InlineData("", "RCLONE_CONFIG_PASS")]
    [InlineData("--rclone-variables=AWS_SECRET_ACCESS_KEY", "RCLONE_CONFIG_PASS", "AWS_SECRET_ACCESS_KEY")]
    public async Task Rclone_gets_its_own_variables_and_those_that_an_option_names(
        string option,
        params string[] expected
    )
    {
        using var folder = new TempFolder();
        string seen = Path.Combine(folder.Path, "seen");
        string program = Script(folder, $"env > '{seen}'\nexit 1");

        string[] options =
        [
            $"--rclone-executable={program}",
            "--number-of-retries=0",
            .. option.Length > 0 ? [option] : Array.Empty<string>(),
        ];
        await ProgramRun.OfAsync(Secrets, ["ls", "rclone://remote/folder", .. options]);

        AssertSees(seen, ["PATH", .. expected]);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task A_program_that_is_killed_leaves_no_core_dump(bool isRestore)
    {
        Assert.SkipUnless(
            OperatingSystem.IsLinux() && File.ReadAllText("/proc/sys/kernel/core_pattern").Trim() is "core",
            "The system puts core dumps elsewhere"
        );
        using var folder = new TempFolder();

        // A shell ignores SIGQUIT in what it starts in the background, and a program inherits that:
        // the tests themselves may run so.
        string killer = Script(folder, "kill -QUIT $PPID\nsleep 1");
        string[] command = isRestore
            ? ProgramRun.CommandOf(
                "ls",
                "rclone://remote/folder",
                $"--rclone-executable={killer}",
                "--number-of-retries=0"
            )
            : ["/bin/sh", "-c", $"{killer}; true"];

        var start = new ProcessStartInfo(
            "env",
            [
                "--default-signal=QUIT",
                "/bin/sh",
                "-c",
                "ulimit -c unlimited; cd \"$0\"; exec \"$@\"",
                folder.Path,
                .. command,
            ]
        )
        {
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
        using Process process = Process.Start(start)!;
        Task read = Task.WhenAll(
            process.StandardOutput.ReadToEndAsync(Token),
            process.StandardError.ReadToEndAsync(Token)
        );
        try
        {
            await process.WaitForExitAsync(Token).WaitAsync(TimeSpan.FromMinutes(1), Token);
            await read.WaitAsync(TimeSpan.FromMinutes(1), Token);
        }
        finally
        {
            process.Kill(entireProcessTree: true);
        }

        const int Quit = 128 + 3;
        Assert.Equal(Quit, process.ExitCode);
        Assert.Equal(
            isRestore ? [] : ["core"],
            Directory.GetFiles(folder.Path, "core*").Select(path => Path.GetFileName(path)[..4])
        );
    }

    private static void AssertSees(string seen, params string[] expected)
    {
        string[] names = [.. File.ReadLines(seen).Select(line => line.Split('=')[0])];
        Assert.Equal(expected.Where(name => name != "PATH").Order(), names.Where(Secrets.ContainsKey).Order());
        Assert.Contains("PATH", names);
    }

    private static string Script(TempFolder folder, string commands)
    {
        string path = Path.Combine(folder.Path, "program");
        File.WriteAllText(path, "#!/bin/sh\n" + commands + "\n");
        File.SetUnixFileMode(path, UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute);
        return path;
    }
}
