using System.Diagnostics;
using System.Text.RegularExpressions;
using Restore.Cli;
using Restore.Tests.Cli;

namespace Restore.Tests.Systems;

/// <summary>
/// The program for Windows, under Wine: by drives, in both directions, and with what only Windows
/// has.
/// </summary>
[NeedsOtherProgram(NeedsOtherProgramAttribute.Windows)]
public sealed partial class WindowsProgramTests() : OtherSystemTests(OtherProgram.Windows)
{
    private const string Passphrase = "--passphrase=correct horse";

    private readonly OtherProgram windows = OtherProgram.Windows;

    private static string Encrypted => Fixtures.Backup("aes-v3");

    [Theory]
    [InlineData("versions", "--long")]
    [InlineData("versions", "--json")]
    [InlineData("ls", "-R")]
    [InlineData("ls", "-l", "-R")]
    [InlineData("ls", "--json")]
    [InlineData("find", "*.bin", "--json")]
    [InlineData("diff", "0", "2")]
    [InlineData("check", "--json")]
    public async Task What_it_shows_of_a_backup_is_what_is_shown_here(params string[] words)
    {
        string[] Line(string location) => [words[0], location, .. words[1..], "--passphrase=correct horse 密码"];
        ProgramResult run = await windows.RunAsync(Line(windows.PathOf(Encrypted)));
        CliRun here = await CliRun.OfAsync(Line(Encrypted));
        Assert.True(run.ExitCode == here.ExitCode, Said(run));
        Assert.Equal(Seconds().Replace(here.Output, ""), Seconds().Replace(run.Output, ""));
    }

    [Fact]
    public async Task A_file_and_an_archive_have_the_same_bytes_as_here()
    {
        string location = windows.PathOf(Fixtures.Backup("windows-paths"));
        const string File = @"C:\Users\Ann\Documents\letter.docx";
        ProgramResult file = await windows.RunAsync("cat", location, File);
        Assert.True(file.ExitCode == ExitCodes.Complete, Said(file));
        Assert.Equal(3081, file.Bytes.Length);
        foreach (string format in (string[])["tar", "zip"])
        {
            using TempFolder folder = new();
            string archive = Path.Combine(folder.Path, "archive");
            await windows.RunAsync("export", location, $"--{format}", $"--output={windows.PathOf(archive)}", "--quiet");
            await CliRun.OfAsync(
                "export",
                Fixtures.Backup("windows-paths"),
                $"--{format}",
                $"--output={archive}.here",
                "--quiet"
            );
            Assert.Equal(
                await System.IO.File.ReadAllBytesAsync($"{archive}.here"),
                await System.IO.File.ReadAllBytesAsync(archive)
            );
        }
    }

    [Fact]
    public async Task A_backup_of_a_drive_is_kept_there_and_restored_on_both_systems()
    {
        string drive = Directory.CreateDirectory(Path.Combine(OtherProgram.DriveC, $"try-{Guid.NewGuid():N}")).FullName;
        string name = Path.GetFileName(drive);
        try
        {
            string source = Directory
                .CreateDirectory(
                    Path.Combine(drive, "source", "Ünicode 文", new string('d', 120), new string('e', 120))
                )
                .FullName;
            string text = Path.Combine(source, "text.txt");
            await File.WriteAllTextAsync(text, "first");
            await File.WriteAllBytesAsync(
                Path.Combine(source, "large.bin"),
                [.. Enumerable.Range(0, 300_000).Select(i => (byte)(i * 7 >> 3))]
            );
            File.SetLastWriteTimeUtc(text, new DateTime(2011, 2, 3, 4, 5, 6, DateTimeKind.Utc));
            Directory.SetLastWriteTimeUtc(source, new DateTime(2012, 2, 3, 4, 5, 6, DateTimeKind.Utc));
            string[] backup =
            [
                "backup",
                $@"C:\{name}\source",
                $@"C:\{name}\made",
                Passphrase,
                "--blocksize=10kb",
                "--quiet",
            ];
            await ExpectAsync(ExitCodes.Complete, backup);
            await File.WriteAllTextAsync(text, "second");
            await ExpectAsync(ExitCodes.Complete, backup);
            await ExpectAsync(ExitCodes.Complete, "verify", $@"C:\{name}\made", Passphrase, "--quiet");
            await ExpectAsync(
                ExitCodes.Complete,
                "delete",
                $@"C:\{name}\made",
                Passphrase,
                "--version=1",
                "--quiet",
                "--yes"
            );
            await ExpectAsync(ExitCodes.Complete, "compact", $@"C:\{name}\made", Passphrase, "--quiet");
            await ExpectAsync(
                ExitCodes.Complete,
                "database",
                $@"C:\{name}\made",
                Passphrase,
                $@"--output=C:\{name}\backup.sqlite",
                "--quiet"
            );

            await ExpectAsync(
                ExitCodes.Complete,
                $@"C:\{name}\made",
                Passphrase,
                $@"--dbpath=C:\{name}\backup.sqlite",
                $@"--restore-path=C:\{name}\out",
                "--quiet"
            );
            using TempFolder here = new();
            CliRun run = await CliRun.OfAsync(
                Path.Combine(drive, "made"),
                Passphrase,
                $"--restore-path={here.Root}",
                "--quiet"
            );
            Assert.True(run.ExitCode == ExitCodes.Complete, run.Error);
            AssertEqual(Path.Combine(drive, "source"), Path.Combine(drive, "out"));
            AssertEqual(Path.Combine(drive, "source"), here.Root);

            Directory.Delete(Path.Combine(drive, "source"), recursive: true);
            await ExpectAsync(ExitCodes.Complete, $@"C:\{name}\made", Passphrase, "--quiet");
            AssertEqual(here.Root, Path.Combine(drive, "source"));
            await ExpectAsync(
                ExitCodes.Complete,
                $@"\\?\C:\{name}\made",
                Passphrase,
                $@"--restore-path=\\?\C:\{name}\unlimited",
                "--quiet"
            );
            AssertEqual(here.Root, Path.Combine(drive, "unlimited"));
        }
        finally
        {
            Directory.Delete(drive, recursive: true);
        }
    }

    [Fact]
    public async Task A_backup_made_here_has_the_same_content_there()
    {
        using TempFolder folder = new();
        string source = Directory.CreateDirectory(Path.Combine(folder.Path, "source", "inner")).FullName;
        await File.WriteAllTextAsync(Path.Combine(source, "CON"), "no device");
        await File.WriteAllTextAsync(Path.Combine(source, "a:b"), "no stream");
        await File.WriteAllTextAsync(Path.Combine(source, "end."), "no dot");
        string made = Path.Combine(folder.Path, "made");
        Assert.Equal(
            ExitCodes.Complete,
            (
                await CliRun.OfAsync("backup", Path.Combine(folder.Path, "source"), made, "--no-encryption", "--quiet")
            ).ExitCode
        );
        await ExpectAsync(
            ExitCodes.Complete,
            windows.PathOf(made),
            $"--restore-path={windows.PathOf(folder.Root)}",
            "--quiet"
        );
        string[] found = Directory.GetFiles(folder.Root, "*", SearchOption.AllDirectories);
        Assert.Equal(
            ["%43ON", "a%3Ab", "end%2E"],
            found.Select(file => Path.GetFileName(file)).Order(StringComparer.Ordinal)
        );
        await ExpectAsync(ExitCodes.Usage, windows.PathOf(made), "--quiet");
    }

    [Fact]
    public async Task The_page_is_served_to_programs_of_this_system()
    {
        using Process process = windows.Start("browse", windows.PathOf(Fixtures.Backup("plain-1mb")), "--quiet");
        try
        {
            string? page = await process.StandardOutput.ReadLineAsync(TestContext.Current.CancellationToken);
            string? webDav = await process.StandardOutput.ReadLineAsync(TestContext.Current.CancellationToken);
            using HttpClient client = new();
            string folder = await client.GetStringAsync(
                new Uri(page!.Trim().Split(' ')[^1] + "api/folder?version=0"),
                TestContext.Current.CancellationToken
            );
            Assert.Contains("\"kind\":\"Folder\"", folder, StringComparison.Ordinal);
            Uri file = new(webDav!.Trim().Split(' ')[^1] + "latest/tmp/fx/src/plain-1mb/data/docs/readme.txt");
            Assert.NotEmpty(await client.GetByteArrayAsync(file, TestContext.Current.CancellationToken));
        }
        finally
        {
            process.Kill(entireProcessTree: true);
        }
    }

    [Fact]
    public async Task A_console_shows_names_in_all_languages()
    {
        using TempFolder folder = new();
        string source = Directory.CreateDirectory(Path.Combine(folder.Path, "source")).FullName;
        await File.WriteAllTextAsync(Path.Combine(source, "żółw 日本.txt"), "turtle");
        string backup = Path.Combine(folder.Path, "backup");
        await new BackupWriter(new() { Sources = [source], Destination = backup }).WriteAsync();

        // A terminal of this system is a console of Wine.
        OtherProgram terminal = new("/usr/bin/script", IsWindows: false);
        ProgramResult run = await terminal.RunAsync(
            "-qec",
            $"stty cols 200; '{windows.Path}' ls '{windows.PathOf(backup)}' -R",
            "/dev/null"
        );
        Assert.Contains("żółw 日本.txt", run.Output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_console_asks_for_the_passphrase_and_its_Ctrl_C_ends_a_restore_that_can_go_on()
    {
        using TempFolder folder = new();
        string backup = windows.PathOf(Fixtures.Backup("aes-100kb"));
        string restore =
            $"'{windows.Path}' '{backup}' '--restore-path={windows.PathOf(folder.Root)}' --throttle-download=50kb";
        using RealTerminal terminal = new(restore);
        await terminal.WaitForAsync("assphrase");
        await terminal.TypeAsync("correct horse\r");
        await terminal.WaitForAsync("Restoring: ");
        await terminal.TypeAsync("\x03");
        await terminal.WaitForAsync("the same command restores the rest");
        Assert.Equal(ExitCodes.Interrupted, await terminal.ExitCodeAsync());
    }

    [Fact]
    public async Task Failures_have_their_exit_codes_and_a_mount_names_what_there_is_instead()
    {
        await ExpectAsync(ExitCodes.NotFound, "ls", @"C:\no\such\folder");
        await ExpectAsync(ExitCodes.NotFound, "ls", @"Q:\no\such\drive");
        await ExpectAsync(ExitCodes.WrongPassphrase, "ls", windows.PathOf(Encrypted), "--passphrase=wrong");
        await ExpectAsync(ExitCodes.Usage, "ls", windows.PathOf(Encrypted), "--no-such-option");
        ProgramResult mount = await windows.RunAsync("mount", windows.PathOf(Encrypted), @"C:\mounted");
        Assert.Equal(ExitCodes.Failed, mount.ExitCode);
        Assert.Contains(
            "'restore browse' shows a backup as a page, and by WebDAV as a drive: net use R: ADDRESS",
            mount.Error,
            StringComparison.Ordinal
        );
    }

    private static void AssertEqual(string expected, string found) =>
        Assert.Equal(Comparable(expected), Comparable(found));

    private static IEnumerable<TreeEntry> Comparable(string folder) =>
        RestoredTree
            .Read(folder)
            .Values.Where(entry => entry.Path != ".")
            .Select(entry => entry with { Mode = null, Owner = null, Attributes = null });

    private async Task ExpectAsync(int code, params string[] arguments)
    {
        ProgramResult run = await windows.RunAsync(arguments);
        Assert.True(run.ExitCode == code, $"restore {string.Join(' ', arguments)}: {Said(run)}");
    }

    [GeneratedRegex("\"seconds\":[0-9.]+,")]
    private static partial Regex Seconds();
}
