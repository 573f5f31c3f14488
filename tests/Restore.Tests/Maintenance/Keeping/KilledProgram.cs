using System.Diagnostics;
using Restore.Cli;
using Restore.Tests.Cli;

namespace Restore.Tests.Maintenance.Keeping;

/// <summary>The program, killed while it changes a backup.</summary>
/// <param name="folder">Where the files of the backup are on this machine, also if a server gives
/// them out.</param>
/// <param name="passphrase">The passphrase.</param>
/// <param name="random">Chooses the moments.</param>
internal sealed class KilledProgram(string folder, string passphrase, Random random)
{
    private const int MaxDelay = 150;

    private Dictionary<string, string> Environment =>
        new()
        {
            ["PASSPHRASE"] = passphrase,
            ["TMPDIR"] = Path.GetTempPath(),
            ["DOTNET_TieredPGO"] = "0",
        };

    /// <summary>Starts the program and kills it some time after it locked the backup.</summary>
    /// <returns>Whether it was killed; else it had ended.</returns>
    public async Task<bool> KillAsync(params string[] arguments)
    {
        string[] before = Locks();
        using Process process = ProgramRun.Start(Environment, arguments);
        try
        {
            Task output = Task.WhenAll(process.StandardOutput.ReadToEndAsync(), process.StandardError.ReadToEndAsync());
            using CancellationTokenSource limit = new(TimeSpan.FromMinutes(1));
            while (!process.HasExited && Locks().All(before.Contains))
            {
                await Task.Delay(1, limit.Token);
            }

            await Task.WhenAny(process.WaitForExitAsync(), Task.Delay(random.Next(MaxDelay)));
            bool isKilled = !process.HasExited;
            process.Kill(entireProcessTree: true);
            await process.WaitForExitAsync().WaitAsync(TimeSpan.FromSeconds(30));
            await output.WaitAsync(TimeSpan.FromSeconds(30));
            return isKilled;
        }
        finally
        {
            process.Kill(entireProcessTree: true);
        }
    }

    /// <summary>Runs the program to its end, which must be a good one.</summary>
    public async Task RunAsync(params string[] arguments)
    {
        ProgramRun run = await ProgramRun.OfAsync(Environment, arguments);
        Assert.True(
            run.ExitCode == ExitCodes.Complete,
            $"{string.Join(' ', arguments)}: {run.ExitCode}: {run.Error}{run.Output}"
        );
    }

    private string[] Locks() => Directory.GetFiles(folder, "*restore-lock*", SearchOption.AllDirectories);
}
