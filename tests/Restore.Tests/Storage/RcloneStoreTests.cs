using System.Diagnostics;
using System.Security.Cryptography;
using Restore.Interop;
using Restore.Storage;
using Restore.Storage.Rclone;
using Restore.Tests.Storage.Servers;

namespace Restore.Tests.Storage;

/// <summary>What is particular to stores behind rclone: its process and its secrets.</summary>
[Trait("Suite", "server")]
public sealed class RcloneStoreTests(FtpServer ftp) : IClassFixture<FtpServer>
{
    private static CancellationToken Token => TestContext.Current.CancellationToken;

    [Fact]
    public async Task A_missing_rclone_says_how_to_install_it()
    {
        var options = new Dictionary<string, string> { ["rclone-executable"] = "no-such-rclone" };
        await using IVolumeStore store = TestStores.Open("rclone://remote/folder", options);

        RestoreException failure = await Assert.ThrowsAsync<RestoreException>(async () =>
            await store.ListAsync(Token).ToListAsync(Token)
        );

        Assert.Equal(
            "The program no-such-rclone is needed for rclone:// and is not installed (rclone://remote/folder)",
            failure.Message
        );
    }

    [Fact]
    public async Task A_remote_that_is_not_configured_is_not_found()
    {
        await using IVolumeStore store = TestStores.Open("rclone://no-such-remote/folder");

        RestoreException failure = await Assert.ThrowsAsync<RestoreException>(async () =>
            await store.ListAsync(Token).ToListAsync(Token)
        );

        Assert.Equal(RestoreErrorCode.RcloneRemoteNotFound, failure.Code);
        Assert.Contains("rclone has no remote of this name", failure.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_configured_remote_is_listed_and_read()
    {
        byte[] content = RandomNumberGenerator.GetBytes(100_000);
        await ftp.MakeFolderAsync("of-a-remote");
        await ftp.PutAsync("of-a-remote", "a.zip", content);

        // A remote that rclone knows without configuration: this machine's folders.
        await using IVolumeStore store = TestStores.Open($"rclone://:local/{ftp.Root}/of-a-remote");
        byte[] destination = new byte[content.Length];

        Assert.Equal([new("a.zip", content.Length)], await store.ListAsync(Token).ToListAsync(Token));
        Assert.Equal(content.Length, await store.ReadAsync("a.zip", 0, destination, Token));
        Assert.True(content.AsSpan().SequenceEqual(destination));
    }

    [Fact]
    public async Task A_folder_without_a_backup_gets_the_hint_which_folder_in_it_has_one()
    {
        await ftp.MakeFolderAsync("nas");
        await ftp.MakeFolderAsync("nas/pictures");
        await ftp.MakeFolderAsync("nas/job");
        foreach (string file in Directory.GetFiles(Fixtures.Backup("plain-1mb")))
        {
            await ftp.PutAsync("nas/job", Path.GetFileName(file), await File.ReadAllBytesAsync(file, Token));
        }

        string location = $"rclone://:local/{ftp.Root}/nas";
        RestoreException failure = await Assert.ThrowsAsync<RestoreException>(() =>
            Backup.OpenAsync(location, cancellationToken: Token)
        );

        Assert.Equal(RestoreErrorCode.BackupNotFound, failure.Code);
        Assert.Contains(
            $"The folder job in it has a backup: {location}/job",
            failure.Message,
            StringComparison.Ordinal
        );
    }

    [Fact]
    public async Task An_rclone_that_dies_is_started_again()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Children are found through /proc.");
        await ftp.PutAsync("", "a.zip", new byte[1000]);

        // Its end is heard of a moment later; until then it is a server that refuses connections.
        await using IVolumeStore store = ftp.Open("", null, ("number-of-retries", "20"), ("retry-delay", "100ms"));
        Assert.Equal(1000, await store.ReadAsync("a.zip", 0, new byte[1000], Token));
        Process child = Assert.Single(ServersOn(ftp.Port));

        child.Kill();
        await child.WaitForExitAsync(Token);

        Assert.Equal(1000, await store.ReadAsync("a.zip", 0, new byte[1000], Token));
    }

    [Fact]
    public async Task Rclone_is_one_process_for_all_reads_and_gone_at_the_end()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Children are found through /proc.");
        await ftp.PutAsync("", "a.zip", new byte[1000]);
        IVolumeStore store = ftp.Open("");
        await Task.WhenAll(
            Enumerable.Range(0, 10).Select(i => store.ReadAsync("a.zip", i, new byte[10], Token).AsTask())
        );

        Process child = Assert.Single(ServersOn(ftp.Port));
        await store.DisposeAsync();

        Assert.True(child.HasExited);
    }

    [Fact]
    public async Task Rclone_ends_when_its_input_does_as_it_would_if_this_process_died()
    {
        Assert.SkipUnless(File.Exists("/bin/sh"), "There is no shell to watch over rclone.");
        RcloneProgram program = RcloneProgram.Find(TestStores.Context("rclone://:local/x"));
        await using ChildProcess child = program.Start(
            ["serve", "http", "--addr", $"127.0.0.1:{StoreServer.FreePort()}", ftp.Root],
            new Dictionary<string, string>(),
            endsWithUs: true
        );
        await Task.Delay(300, Token);
        Assert.False(child.HasExited);

        child.Input.Close();

        using var patience = new CancellationTokenSource(TimeSpan.FromSeconds(20));
        await child.ExitCodeAsync(patience.Token);
        Assert.True(child.HasExited);
    }

    [Fact]
    public async Task No_secret_is_on_a_command_line()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Command lines are read through /proc.");
        await ftp.PutAsync("", "a.zip", new byte[1000]);
        await using IVolumeStore store = ftp.Open("");
        await store.ReadAsync("a.zip", 0, new byte[10], Token);

        string[] lines = Process.GetProcesses().Select(CommandLine).ToArray();

        Assert.Contains(lines, line => line.Contains("serve\0http", StringComparison.Ordinal));
        Assert.DoesNotContain(lines, line => line.Contains(ftp.Secret!, StringComparison.Ordinal));
    }

    [Fact]
    public void A_certificate_hash_is_refused_where_rclone_cannot_check_it()
    {
        RestoreException failure = Assert.Throws<RestoreException>(() =>
            TestStores.Open("ftp://h/f?accept-specified-ssl-hash=00")
        );

        Assert.Equal(RestoreErrorKind.Usage, failure.Kind);
    }

    [Theory]
    [InlineData("sleep 300", "rclone printed nothing for 1 s, and was ended")]
    [InlineData("exec cat /dev/zero", "What rclone printed is no list of files, and it did not end (no reason given)")]
    [InlineData("echo '['; sleep 300", "rclone printed nothing for 1 s, and was ended")]
    public async Task An_rclone_that_hangs_or_prints_without_an_end_is_ended_and_named(string script, string message)
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "The imitation is a script.");
        using var folder = new TempFolder();
        string program = Path.Combine(folder.Path, "rclone");
        await File.WriteAllTextAsync(program, $"#!/bin/sh\n{script}\n", Token);
        if (!OperatingSystem.IsWindows())
        {
            File.SetUnixFileMode(program, UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute);
        }

        var options = new Dictionary<string, string>
        {
            ["rclone-executable"] = program,
            ["read-write-timeout"] = "1s",
            ["number-of-retries"] = "0",
        };
        await using IVolumeStore store = TestStores.Open("rclone://remote/folder", options);

        Exception failure = await Assert.ThrowsAnyAsync<Exception>(async () =>
            await store.ListAsync(Token).ToListAsync(Token).AsTask().WaitAsync(TimeSpan.FromSeconds(30), Token)
        );

        Assert.Contains(message, failure.ToString(), StringComparison.Ordinal);
        Assert.DoesNotContain(
            Process.GetProcesses(),
            one => CommandLine(one).Contains(program, StringComparison.Ordinal)
        );
    }

    /// <summary>The rclone servers that this process has started for a store on a port.</summary>
    private static Process[] ServersOn(int port) =>
        Process
            .GetProcesses()
            .Where(process =>
                process.ProcessName == "rclone"
                && CommandLine(process).Contains("serve\0http", StringComparison.Ordinal)
            )
            .Where(process =>
                EnvironmentOf(process).Contains($"RCLONE_CONFIG_RESTORE_PORT={port}\0", StringComparison.Ordinal)
            )
            .ToArray();

    private static string CommandLine(Process process) => ReadProc(process, "cmdline");

    private static string EnvironmentOf(Process process) => ReadProc(process, "environ");

    private static string ReadProc(Process process, string what)
    {
        try
        {
            return File.ReadAllText($"/proc/{process.Id}/{what}") + "\0";
        }
        catch (Exception gone) when (gone is IOException or UnauthorizedAccessException)
        {
            return "";
        }
    }
}
