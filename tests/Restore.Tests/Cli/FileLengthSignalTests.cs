using System.Diagnostics;
using Restore.Cli;
using Restore.Tests.Support.Machine;

namespace Restore.Tests.Cli;

/// <summary>
/// A limit of the length of files (<c>ulimit -f</c>), beyond which the system would end the program
/// without a word.
/// </summary>
[NeedsLinux]
public sealed class FileLengthSignalTests : IDisposable
{
    // Of 1024 bytes in the shells that are usual.
    private const int LimitInBlocks = 1000;

    private readonly TempFolder folder = new();

    private string Source => folder.In("source");

    private string Backup => folder.In("backup");

    public void Dispose() => folder.Dispose();

    [Fact]
    public async Task A_restore_loses_only_the_file_that_is_too_long_and_says_what_to_do()
    {
        await MakeBackupAsync();
        (int code, string text) = await LimitedAsync(Backup, $"--restore-path={folder.In("out")}");
        Assert.True(code == ExitCodes.Incomplete, $"{code}: {text}");
        Assert.Contains("it is larger than the file system or the user's limit allows", text, StringComparison.Ordinal);
        Assert.Contains("ulimit -f", text, StringComparison.Ordinal);
        Assert.Equal(["small"], Directory.GetFiles(folder.In("out")).Select(Path.GetFileName));
        Assert.Equal(
            File.ReadAllBytes(Path.Join(Source, "small")),
            File.ReadAllBytes(Path.Join(folder.In("out"), "small"))
        );
    }

    [Fact]
    public async Task A_backup_fails_with_advice_and_leaves_no_lock_and_no_part_of_a_volume()
    {
        MakeSource();
        (int code, string text) = await LimitedAsync("backup", Source, Backup, "--no-encryption");
        Assert.True(code == ExitCodes.TargetNotWritable, $"{code}: {text}");
        Assert.Contains("ulimit -f", text, StringComparison.Ordinal);
        Assert.Empty(Directory.GetFiles(Backup, "restore-*"));
        Assert.Empty(Directory.GetFiles(Backup, "incomplete_*"));
    }

    [Theory]
    [InlineData("--tar")]
    [InlineData("--zip")]
    public async Task An_export_fails_with_advice_and_leaves_no_file(string format)
    {
        await MakeBackupAsync();
        string archives = folder.In("archives");
        Directory.CreateDirectory(archives);
        (int code, string text) = await LimitedAsync("export", Backup, format, $"--output={archives}/archive");
        Assert.True(code == ExitCodes.TargetNotWritable, $"{code}: {text}");
        Assert.Contains("ulimit -f", text, StringComparison.Ordinal);
        Assert.Empty(Directory.GetFileSystemEntries(archives));
    }

    [Fact]
    public async Task A_log_that_is_too_long_costs_its_lines_alone()
    {
        await MakeBackupAsync();
        string log = folder.In("log");
        await File.WriteAllBytesAsync(log, new byte[LimitInBlocks << 10]);
        (int code, string text) = await LimitedAsync("versions", Backup, $"--log-file={log}");
        Assert.True(code == ExitCodes.Complete, $"{code}: {text}");
        Assert.Contains("--log-file: lines are lost", text, StringComparison.Ordinal);
    }

    private void MakeSource()
    {
        Directory.CreateDirectory(Source);
        Random random = new(1);
        foreach ((string name, int length) in ((string, int)[])[("large", 3_000_000), ("small", 5000)])
        {
            byte[] content = new byte[length];
            random.NextBytes(content);
            File.WriteAllBytes(Path.Join(Source, name), content);
        }
    }

    private async Task MakeBackupAsync()
    {
        MakeSource();
        CliRun run = await CliRun.OfAsync("backup", Source, Backup, "--no-encryption", "--quiet");
        Assert.True(run.ExitCode == ExitCodes.Complete, run.Error);
    }

    private static async Task<(int ExitCode, string Text)> LimitedAsync(params string[] arguments)
    {
        ProcessStartInfo start = new(
            "bash",
            ["-c", $"ulimit -f {LimitInBlocks}; exec \"$@\"", "bash", .. ProgramRun.CommandOf(arguments)]
        )
        {
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };

        // The memory of compiled methods would be a file too.
        start.Environment["DOTNET_EnableWriteXorExecute"] = "0";
        using Process process = Process.Start(start)!;
        Task<string> error = process.StandardError.ReadToEndAsync(TestContext.Current.CancellationToken);
        string output = await process.StandardOutput.ReadToEndAsync(TestContext.Current.CancellationToken);
        await process.WaitForExitAsync(TestContext.Current.CancellationToken);
        return (process.ExitCode, output + await error);
    }
}
