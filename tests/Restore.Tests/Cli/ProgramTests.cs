using System.Diagnostics;
using System.Globalization;
using Restore.Cli;

namespace Restore.Tests.Cli;

/// <summary>
/// What a program that is native code in one file could lose: options, native libraries, and code
/// that only a process runs.
/// </summary>
public sealed class ProgramTests
{
    // OpenSSL's bits of AES-NI, PCLMULQDQ, AVX and SHA; what .NET's own code looks for.
    private static readonly Dictionary<string, string> OldProcessor = new()
    {
        ["OPENSSL_ia32cap"] = "~0x1200000200000000:~0x20000000",
        ["DOTNET_EnableHWIntrinsic"] = "0",
    };

    [Fact]
    public async Task The_program_says_its_version_and_its_commands()
    {
        var version = await ProgramRun.OfAsync("--version");
        Assert.Matches(@"^restore \d+\.\d+\.\d+", version.Output);
        var help = await ProgramRun.OfAsync("--help");
        Assert.Equal(await CliRun.OfAsync("--help"), new CliRun(help.ExitCode, help.Output, help.Error));
    }

    [Theory]
    [InlineData("aes-100kb")]
    [InlineData("zip-zstd")]
    [InlineData("tgz")]
    public async Task The_program_restores_a_backup(string fixture) =>
        await ProgramRun.AssertRestoresAsync(fixture, Fixtures.Backup(fixture));

    [Theory]
    [InlineData("aes-100kb")]
    [InlineData("aes-v3")]
    [InlineData("hashes")]
    public async Task A_processor_without_instructions_for_SHA_AES_and_vectors_restores_the_same(string fixture) =>
        await ProgramRun.AssertRestoresAsync(OldProcessor, fixture, Fixtures.Backup(fixture));

    [Fact]
    public async Task The_program_reads_a_local_database() =>
        await ProgramRun.AssertRestoresAsync(
            "with-database",
            Fixtures.Backup("with-database"),
            "--dbpath",
            Path.Combine(Fixtures.Folder("with-database"), "database", "backup.sqlite")
        );

    [Fact]
    public async Task The_program_reports_as_json()
    {
        var run = await ProgramRun.OfAsync("versions", Fixtures.Backup("plain-1mb"), "--json");
        Assert.Equal(
            await CliRun.OfAsync("versions", Fixtures.Backup("plain-1mb"), "--json"),
            new CliRun(run.ExitCode, run.Output, run.Error)
        );
    }

    [Fact]
    public async Task The_program_serves_a_page()
    {
        using var process = ProgramRun.Start(
            new Dictionary<string, string>(),
            "browse",
            Fixtures.Backup("plain-1mb"),
            "--quiet"
        );
        try
        {
            var page = await process.StandardOutput.ReadLineAsync(TestContext.Current.CancellationToken);
            using var client = new HttpClient();
            var folder = await client.GetStringAsync(
                new Uri(page!.Split(' ')[^1] + "api/folder?version=0"),
                TestContext.Current.CancellationToken
            );
            Assert.Contains("\"kind\":\"Folder\"", folder, StringComparison.Ordinal);
        }
        finally
        {
            process.Kill();
        }
    }

    [Theory]
    [InlineData("kill -HUP $0")]
    [InlineData("kill -HUP $0; kill -HUP $0")]
    [InlineData("kill -TERM $0")]
    public async Task The_end_of_its_terminal_ends_it_as_SIGTERM_does(string signals)
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "There are no such signals.");
        using var process = ProgramRun.Start(
            new Dictionary<string, string>(),
            "browse",
            Fixtures.Backup("plain-1mb"),
            "--quiet"
        );
        try
        {
            Assert.NotNull(await process.StandardOutput.ReadLineAsync(TestContext.Current.CancellationToken));
            using var kill = Process.Start(
                "/bin/sh",
                ["-c", signals, process.Id.ToString(CultureInfo.InvariantCulture)]
            );
            await process
                .WaitForExitAsync(TestContext.Current.CancellationToken)
                .WaitAsync(TimeSpan.FromMinutes(1), TestContext.Current.CancellationToken);
            Assert.Equal(ExitCodes.Complete, process.ExitCode);
        }
        finally
        {
            process.Kill();
        }
    }

    [Theory]
    [InlineData(">/dev/full", ExitCodes.Complete, "verify")]
    [InlineData(">/dev/full 2>&1", ExitCodes.Complete, "verify")]
    [InlineData(">&- 2>&-", ExitCodes.Complete, "verify")]
    [InlineData(">/dev/full", ExitCodes.Failed, "versions")]
    [InlineData(">/dev/full 2>&1", ExitCodes.Failed, "versions")]
    public async Task Output_that_cannot_be_written_leaves_the_result_of_the_work_and_is_the_failure_of_a_list(
        string redirection,
        int code,
        string command
    )
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Others have no such device.");
        ProcessStartInfo start = new(
            "/bin/sh",
            ["-c", $"\"$@\" {redirection}", "sh", .. ProgramRun.CommandOf(command, Fixtures.Backup("plain-1mb"))]
        )
        {
            RedirectStandardError = true,
        };
        using var process = Process.Start(start)!;
        var error = await process.StandardError.ReadToEndAsync(TestContext.Current.CancellationToken);
        await process.WaitForExitAsync(TestContext.Current.CancellationToken);
        Assert.Equal(code, process.ExitCode);
        const string Told = "The standard output could not be written (No space left on device";
        Assert.Equal(redirection == ">/dev/full", error.Contains(Told, StringComparison.Ordinal));
    }

    [Fact]
    public async Task A_failure_has_its_exit_code()
    {
        var run = await ProgramRun.OfAsync("ls", "/there/is/no/such/folder");
        Assert.Equal(ExitCodes.NotFound, run.ExitCode);
        Assert.NotEmpty(run.Error);
    }
}
