using System.Diagnostics;
using Restore.Cli;

namespace Restore.Tests.Cli;

/// <summary>
/// The program as a separate process: the published one that the variable RESTORE_PROGRAM names (as
/// in .ci/run), else the one that was built with the tests.
/// </summary>
internal sealed record ProgramRun(int ExitCode, string Output, string Error)
{
    public static Task<ProgramRun> OfAsync(params string[] arguments) =>
        OfAsync(new Dictionary<string, string>(), arguments);

    public static async Task<ProgramRun> OfAsync(
        IReadOnlyDictionary<string, string> environment,
        params string[] arguments
    )
    {
        using var process = Start(environment, arguments);
        var error = process.StandardError.ReadToEndAsync(TestContext.Current.CancellationToken);
        var output = await process.StandardOutput.ReadToEndAsync(TestContext.Current.CancellationToken);
        await process.WaitForExitAsync(TestContext.Current.CancellationToken);
        return new ProgramRun(process.ExitCode, output, await error);
    }

    /// <summary>Starts the program; the caller reads its output, and ends it.</summary>
    public static Process Start(IReadOnlyDictionary<string, string> environment, params string[] arguments)
    {
        string[] command = CommandOf(arguments);
        var start = new ProcessStartInfo(command[0], command[1..]);
        (start.RedirectStandardOutput, start.RedirectStandardError) = (true, true);

        // On a machine in need there may be no place to write to but the target. Nobody can create
        // a folder below a device, not even root.
        (start.Environment["HOME"], start.Environment["TMPDIR"]) = ("/dev/null/home", "/dev/null/tmp");
        foreach ((string name, string value) in environment)
        {
            start.Environment[name] = value;
        }

        return Process.Start(start)!;
    }

    /// <summary>The program with arguments, as a shell would start it.</summary>
    public static string[] CommandOf(params string[] arguments)
    {
        var published = Environment.GetEnvironmentVariable("RESTORE_PROGRAM");
        return string.IsNullOrEmpty(published)
            ? ["dotnet", typeof(ExitCodes).Assembly.Location, .. arguments]
            : [published, .. arguments];
    }

    /// <summary>Restores the newest version of a fixture and compares the tree.</summary>
    public static Task AssertRestoresAsync(string fixture, string location, params string[] options) =>
        AssertRestoresAsync(new Dictionary<string, string>(), fixture, location, options);

    public static async Task AssertRestoresAsync(
        IReadOnlyDictionary<string, string> environment,
        string fixture,
        string location,
        params string[] options
    )
    {
        using var folder = new TempFolder();
        var passphrase = Fixtures.Info(fixture).GetProperty("passphrase").GetString();
        var run = await OfAsync(
            environment,
            [
                location,
                $"--passphrase={passphrase}",
                $"--restore-path={folder.Root}",
                "--quiet",
                "--allow-restore-outside-target-directory",
                .. options,
            ]
        );
        Assert.True(run.ExitCode == ExitCodes.Complete, $"{run.ExitCode}: {run.Error}{run.Output}");
        var expected = Path.Combine(Fixtures.Folder(fixture), "expected-0.json");
        RestoredTree.AssertEqual(
            expected,
            folder.Root,
            TreeChecks.Content,
            path => path.StartsWith("links/", StringComparison.Ordinal)
        );
    }
}
