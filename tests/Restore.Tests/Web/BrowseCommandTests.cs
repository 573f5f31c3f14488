using System.Net;
using System.Net.Sockets;
using System.Text.Json;
using Restore.Cli;
using Restore.Tests.Cli;

namespace Restore.Tests.Web;

/// <summary>The command <c>restore browse</c>.</summary>
public sealed class BrowseCommandTests
{
    [Fact]
    public async Task The_addresses_are_printed_and_an_interruption_ends_the_server()
    {
        using CancellationTokenSource interruption = new();
        using InterruptingText output = new("WebDAV", interruption);
        CliRun run = await CliRun.OfAsync(
            environment => environment with { Output = output, StopToken = interruption.Token },
            "browse",
            Fixtures.Backup("plain-1mb")
        );
        Assert.Equal(ExitCodes.Complete, run.ExitCode);
        Assert.Matches(
            @"^Page    http://127\.0\.0\.1:\d+/[0-9a-f]{32}/\nWebDAV  http://127\.0\.0\.1:\d+/[0-9a-f]{32}/dav/\n$",
            output.ToString()
        );
        Assert.Contains("Ctrl-C ends the server", run.Error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task The_addresses_come_as_json()
    {
        using CancellationTokenSource interruption = new();
        using InterruptingText output = new("{", interruption);
        CliRun run = await CliRun.OfAsync(
            environment => environment with { Output = output, StopToken = interruption.Token },
            "browse",
            Fixtures.Backup("plain-1mb"),
            "--json",
            "--quiet"
        );
        Assert.Equal((ExitCodes.Complete, ""), (run.ExitCode, run.Error));
        JsonElement addresses = JsonDocument.Parse(output.ToString()).RootElement;
        Assert.Equal(addresses.GetProperty("page").GetString() + "dav/", addresses.GetProperty("webDav").GetString());
    }

    [Fact]
    public async Task Open_starts_the_browser_with_an_address_that_has_no_token()
    {
        if (OperatingSystem.IsWindows() || OperatingSystem.IsMacOS())
        {
            Assert.Skip("their browsers cannot be replaced by a script");
            return;
        }

        using TempFolder folder = new();
        string program = folder.In("bin/xdg-open");
        Directory.CreateDirectory(folder.In("bin"));
        CancellationToken cancellation = TestContext.Current.CancellationToken;
        await File.WriteAllTextAsync(
            program,
            $"#!/bin/sh\necho \"$1 ${{PASSPHRASE:-no secret}}\" > '{folder.In("opened")}'\n",
            cancellation
        );
        File.SetUnixFileMode(program, UnixFileMode.UserRead | UnixFileMode.UserExecute);
        CliRun run = await OpenAsync(folder.In("bin"));
        Assert.DoesNotContain("--open", run.Error, StringComparison.Ordinal);
        Assert.Matches(
            @"^http://127\.0\.0\.1:\d+/open/[0-9a-f]{32} no secret\n$",
            await File.ReadAllTextAsync(folder.In("opened"), cancellation)
        );

        CliRun none = await OpenAsync(folder.In("no-such-folder"));
        Assert.Contains(
            "--open: there is no program xdg-open; open the address of the page yourself\n",
            none.Error,
            StringComparison.Ordinal
        );
        await File.WriteAllTextAsync(folder.In("other"), "#!/bin/sh\nexit 3\n", TestContext.Current.CancellationToken);
        File.SetUnixFileMode(folder.In("other"), UnixFileMode.UserRead | UnixFileMode.UserExecute);
        File.Move(folder.In("other"), program, overwrite: true);
        Assert.Contains(
            "--open: xdg-open ended with exit code 3",
            (await OpenAsync(folder.In("bin"))).Error,
            StringComparison.Ordinal
        );
    }

    private static async Task<CliRun> OpenAsync(string path)
    {
        using CancellationTokenSource interruption = new();
        using InterruptingText output = new("WebDAV", interruption);
        return await CliRun.OfAsync(
            environment =>
                environment with
                {
                    Output = output,
                    StopToken = interruption.Token,
                    Variable = name => name == "PATH" ? path : null,
                },
            "browse",
            Fixtures.Backup("plain-1mb"),
            "--open"
        );
    }

    [Fact]
    public async Task A_port_that_is_taken_is_an_error_of_the_command_line()
    {
        using TcpListener other = new(IPAddress.Loopback, 0);
        other.Start();
        int port = ((IPEndPoint)other.LocalEndpoint).Port;
        CliRun run = await CliRun.OfAsync("browse", Fixtures.Backup("plain-1mb"), $"--port={port}");
        Assert.Equal(ExitCodes.Usage, run.ExitCode);
        Assert.StartsWith($"--port: {port} is in use by another program", run.Error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_missing_or_wrong_passphrase_is_asked_for_before_anything_is_served()
    {
        string backup = Fixtures.Backup("aes-100kb");
        CliRun missing = await CliRun.OfAsync("browse", backup);
        Assert.Equal((ExitCodes.WrongPassphrase, ""), (missing.ExitCode, missing.Output));
        Assert.Equal(
            ExitCodes.WrongPassphrase,
            (await CliRun.OfAsync("browse", backup, "--passphrase=wrong")).ExitCode
        );

        string passphrase = Fixtures.Info("aes-100kb").GetProperty("passphrase").GetString()!;
        using CancellationTokenSource interruption = new();
        using InterruptingText output = new("WebDAV", interruption);
        CliRun asked = await CliRun.OfAsync(
            environment =>
                environment with
                {
                    Output = output,
                    StopToken = interruption.Token,
                    AskSecret = _ => passphrase,
                },
            "browse",
            backup
        );
        Assert.Equal(ExitCodes.Complete, asked.ExitCode);
    }

    [Fact]
    public async Task A_filter_and_a_missing_backup_are_refused()
    {
        CliRun filter = await CliRun.OfAsync("browse", Fixtures.Backup("plain-1mb"), "*.txt");
        Assert.Equal((ExitCodes.Usage, ""), (filter.ExitCode, filter.Output));
        Assert.StartsWith("'*.txt' is one argument too many", filter.Error, StringComparison.Ordinal);
        CliRun missing = await CliRun.OfAsync("browse", "/there/is/no/such/folder");
        Assert.Equal((ExitCodes.NotFound, ""), (missing.ExitCode, missing.Output));
        Assert.StartsWith("There is no such folder (/there/is/no/such/folder)", missing.Error, StringComparison.Ordinal);
    }
}
