using System.Diagnostics;
using System.Formats.Tar;
using System.IO.Compression;
using System.Runtime.Versioning;
using System.Text;
using Restore.Cli;
using Restore.Tests.Ends;
using Restore.Tests.FixtureTests;
using Restore.Tests.Support.Machine;
using Restore.Tests.Trust;
using Restore.Tests.Writing;

namespace Restore.Tests.Cli;

/// <summary>Archives, unpacked by the programs that people have.</summary>
public sealed class ExportCommandTests : IDisposable
{
    public static readonly string[] Options = ["--tar", "--zip", "--output"];

    private const string Fixture = "plain-1mb";
    private const string Root = "tmp/fx/src/plain-1mb/data";

    // The id of a row of an access list that names neither a user nor a group.
    private const uint None = uint.MaxValue;

    private readonly TempFolder folder = new();

    private string Archive => Path.Combine(folder.Path, "archive");

    [Fact]
    [NeedsPrograms(".ci/install-packages", "tar")]
    public async Task Tar_unpacks_an_archive_to_the_tree_of_the_backup()
    {
        var run = await CliRun.OfAsync("export", Fixtures.Backup(Fixture), "--tar", "--output", Archive);
        Assert.True(run.ExitCode == ExitCodes.Complete, run.Error);
        Assert.Contains("Exported 86 files, 59 folders, 12 links", run.Error, StringComparison.Ordinal);
        await RunAsync("tar", "-xpf", Archive, "-C", Directory.CreateDirectory(folder.Root).FullName);
        AssertTree(TreeChecks.Times | TreeChecks.Modes);
        Assert.Equal(["archive", "root"], Directory.GetFileSystemEntries(folder.Path).Select(Path.GetFileName).Order());
    }

    [Fact]
    [NeedsPrograms(".ci/install-packages", "unzip")]
    public async Task Unzip_unpacks_an_archive_to_the_tree_of_the_backup()
    {
        var run = await CliRun.OfAsync("export", Fixtures.Backup(Fixture), "--zip", "--output", Archive);
        Assert.True(run.ExitCode == ExitCodes.Complete, run.Error);
        await RunAsync("unzip", "-tq", Archive);
        await RunAsync("unzip", "-q", "-^", Archive, "-d", folder.Root);
        AssertTree(TreeChecks.Content);
    }

    [Theory]
    [InlineData("--tar")]
    [InlineData("--zip")]
    public async Task The_same_files_give_the_same_bytes(string format)
    {
        var backup = FixtureCatalog.BackupsOf("blocklists-1kb").Single();
        var first = await ToOutputAsync(backup.Location, format);
        var second = await ToOutputAsync(backup.Location, format);
        Assert.Equal(ExitCodes.Complete, first.Run.ExitCode);
        Assert.NotEmpty(first.Archive);
        Assert.Equal(first.Archive, second.Archive);
    }

    [Fact]
    [NeedsPrograms(".ci/install-packages", "tar")]
    [UnsupportedOSPlatform("windows")]
    public async Task Times_modes_long_names_and_links_are_kept_in_a_tar()
    {
        var source = Directory.CreateDirectory(Path.Combine(folder.Path, "source")).FullName;
        var name = new string('n', 200) + "-\u00e4.txt";
        var file = Path.Combine(source, name);
        await File.WriteAllTextAsync(file, "content");
        File.SetUnixFileMode(file, UnixFileMode.UserRead | UnixFileMode.GroupExecute);
        var time = DateTime.UnixEpoch.AddYears(40).AddTicks(1234567);
        File.SetLastWriteTimeUtc(file, time);
        File.CreateSymbolicLink(Path.Combine(source, "link"), new string('t', 150));
        await new BackupWriter(
            new BackupWriterOptions { Sources = [source], Destination = Path.Combine(folder.Path, "backup") }
        ).WriteAsync();

        var run = await CliRun.OfAsync("export", Path.Combine(folder.Path, "backup"), "--tar", "--output", Archive);
        Assert.True(run.ExitCode == ExitCodes.Complete, run.Error);
        await RunAsync("tar", "-xpf", Archive, "-C", Directory.CreateDirectory(folder.Root).FullName);
        var unpacked = folder.In(source.TrimStart('/'));
        Assert.Equal("content", await File.ReadAllTextAsync(Path.Combine(unpacked, name)));
        Assert.Equal(time, File.GetLastWriteTimeUtc(Path.Combine(unpacked, name)));
        Assert.Equal(
            UnixFileMode.UserRead | UnixFileMode.GroupExecute,
            File.GetUnixFileMode(Path.Combine(unpacked, name))
        );
        Assert.Equal(new string('t', 150), new FileInfo(Path.Combine(unpacked, "link")).LinkTarget);
    }

    [Fact]
    [NeedsPrograms(".ci/install-packages", "tar")]
    [SupportedOSPlatform("linux")]
    public async Task Access_lists_come_out_of_a_tar_and_the_mode_grants_the_group_no_more_than_its_own_rights()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Access lists of POSIX are of Linux");
        var source = Directory.CreateDirectory(Path.Combine(folder.Path, "source")).FullName;
        var file = Path.Combine(source, "file");
        await File.WriteAllTextAsync(file, "content");
        File.SetUnixFileMode(file, UnixFileMode.UserRead | UnixFileMode.UserWrite);
        var access = Native.AccessList(
            (1, 6, None),
            (2, 4, 1000),
            (4, 0, None),
            (8, 6, 33),
            (16, 6, None),
            (32, 0, None)
        );
        var inherited = Native.AccessList((1, 7, None), (2, 5, 7), (4, 5, None), (16, 5, None), (32, 0, None));
        SourceTree.SetAttribute(file, "system.posix_acl_access", access);
        SourceTree.SetAttribute(source, "system.posix_acl_default", inherited);
        var backup = Path.Combine(folder.Path, "backup");
        await new BackupWriter(new BackupWriterOptions { Sources = [source], Destination = backup }).WriteAsync();
        Assert.True(
            File.GetUnixFileMode(file).HasFlag(UnixFileMode.GroupWrite),
            "The mask shows in the mode of the source"
        );

        var run = await CliRun.OfAsync("export", backup, "--tar", "--output", Archive);

        Assert.True(run.ExitCode == ExitCodes.Complete, run.Error);
        await RunAsync("tar", "--acls", "-xpf", Archive, "-C", Directory.CreateDirectory(folder.Root).FullName);
        var unpacked = folder.In(source.TrimStart('/'));
        Assert.Equal(AsText(access), Native.Attribute(Path.Combine(unpacked, "file"), "system.posix_acl_access"));
        Assert.Equal(AsText(inherited), Native.Attribute(unpacked, "system.posix_acl_default"));

        var plain = Directory.CreateDirectory(Path.Combine(folder.Path, "plain")).FullName;
        await RunAsync("tar", "--no-acls", "-xpf", Archive, "-C", plain);
        var withoutList = Path.Combine(plain, source.TrimStart('/'), "file");
        Assert.Equal(UnixFileMode.UserRead | UnixFileMode.UserWrite, File.GetUnixFileMode(withoutList));
    }

    [Theory]
    [InlineData("--tar", "tar", "-xf", "-C")]
    [InlineData("--zip", "unzip", "-q", "-d")]
    [NeedsPrograms(".ci/install-packages", "tar", "unzip")]
    public async Task Lost_bytes_are_zeros_and_the_archive_names_them(
        string format,
        string program,
        string unpack,
        string into
    )
    {
        var damaged = FixtureCatalog.BackupsOf("damaged/blocklist-lost-plain").Single();
        var path = damaged.OriginalPath("mail/archive-v2");
        var run = await CliRun.OfAsync("export", damaged.Location, path, format, "--output", Archive);
        Assert.Equal(ExitCodes.Incomplete, run.ExitCode);
        Assert.Contains($"partial: {path}: ", run.Error, StringComparison.Ordinal);
        await RunAsync(program, unpack, Archive, into, Directory.CreateDirectory(folder.Root).FullName);
        var content = await File.ReadAllBytesAsync(folder.In(path.TrimStart('/')));
        var named = (await File.ReadAllLinesAsync(folder.In("restore-damaged-ranges.txt")))[1].Split('\t');
        Assert.Equal((path, "32768"), (named[0], named[1]));
        Assert.Contains(content[..32768], value => value != 0);
        Assert.All(
            content[32768..int.Parse(named[2], System.Globalization.CultureInfo.InvariantCulture)],
            value => Assert.Equal(0, value)
        );
    }

    [Theory]
    [InlineData("--tar")]
    [InlineData("--zip")]
    public async Task A_file_of_which_nothing_is_there_is_not_in_the_archive_under_its_name(string format)
    {
        using RoundTrip trip = new();
        await File.WriteAllTextAsync(Path.Join(trip.Source, "kept.txt"), "kept");
        await trip.WriteAsync(trip.Options);
        var before = Directory.GetFiles(trip.Destination, "*.dblock.*");
        await File.WriteAllTextAsync(Path.Join(trip.Source, "gone.txt"), "gone");
        await trip.WriteAsync(trip.Options);
        Array.ForEach([.. Directory.GetFiles(trip.Destination, "*.dblock.*").Except(before)], File.Delete);

        var run = await CliRun.OfAsync("export", trip.Destination, format, "--output", Archive, "--no-encryption");
        Assert.Equal(ExitCodes.Incomplete, run.ExitCode);
        Assert.Contains("gone.txt: All of its 4 bytes are lost", run.Error, StringComparison.Ordinal);
        Dictionary<string, string> texts = [];
        if (format == "--zip")
        {
            using var archive = ZipFile.OpenRead(Archive);
            foreach (var entry in archive.Entries.Where(entry => entry.Name.Length > 0))
            {
                using StreamReader reader = new(await entry.OpenAsync(TestContext.Current.CancellationToken));
                texts.Add(entry.Name, await reader.ReadToEndAsync(TestContext.Current.CancellationToken));
            }
        }
        else
        {
            using TarReader archive = new(File.OpenRead(Archive));
            while (await archive.GetNextEntryAsync(copyData: true, TestContext.Current.CancellationToken) is { } entry)
            {
                if (entry.EntryType == TarEntryType.RegularFile)
                {
                    using StreamReader reader = new(entry.DataStream!);
                    texts.Add(
                        Path.GetFileName(entry.Name),
                        await reader.ReadToEndAsync(TestContext.Current.CancellationToken)
                    );
                }
            }
        }

        Assert.Equal(["kept.txt", "restore-left-out.txt"], texts.Keys.Order());
        Assert.Equal("kept", texts["kept.txt"]);
        Assert.Contains(
            "/gone.txt\tAll of its 4 bytes are lost\n",
            texts["restore-left-out.txt"],
            StringComparison.Ordinal
        );
    }

    [Fact]
    public async Task A_reader_that_goes_ends_the_export_without_a_word()
    {
        using var process = ProgramRun.Start(
            new Dictionary<string, string>(),
            "export",
            Fixtures.Backup(Fixture),
            "--tar",
            "--quiet"
        );
        var error = process.StandardError.ReadToEndAsync(TestContext.Current.CancellationToken);
        await process.StandardOutput.BaseStream.ReadExactlyAsync(new byte[100], TestContext.Current.CancellationToken);
        process.StandardOutput.Close();
        await process.WaitForExitAsync(TestContext.Current.CancellationToken);
        Assert.Equal((ExitCodes.Failed, ""), (process.ExitCode, await error));
    }

    [Fact]
    public async Task A_full_disk_is_an_error_with_its_own_code_and_leaves_nothing()
    {
        var full = await CliRun.OfAsync(
            environment =>
                environment with
                {
                    OpenOutput = () =>
                        new FileStream("/dev/full", FileMode.Open, FileAccess.Write, FileShare.ReadWrite, 0),
                },
            "export",
            Fixtures.Backup(Fixture),
            "--tar"
        );
        Assert.Equal(ExitCodes.TargetNotWritable, full.ExitCode);
        Assert.Contains("The archive cannot be written (", full.Error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task What_cannot_be_used_is_refused()
    {
        var backup = Fixtures.Backup(Fixture);
        Assert.Equal(ExitCodes.Usage, (await CliRun.OfAsync("export", backup)).ExitCode);
        Assert.Equal(
            ExitCodes.Usage,
            (await CliRun.OfAsync("export", backup, "--output", Path.Combine(folder.Path, "x.rar"))).ExitCode
        );
        var terminal = await CliRun.OfAsync(
            environment => environment with { OutputIsTerminal = true },
            "export",
            backup,
            "--tar"
        );
        Assert.Equal((ExitCodes.Usage, ""), (terminal.ExitCode, terminal.Output));
        Assert.StartsWith(
            "An archive is not written to a terminal: give --output=FILE",
            terminal.Error,
            StringComparison.Ordinal
        );
        Assert.Equal(
            ExitCodes.Complete,
            (await CliRun.OfAsync("export", backup, "--output", Path.Combine(folder.Path, "named.ZIP"))).ExitCode
        );
        Assert.Equal("PK"u8.ToArray(), File.ReadAllBytes(Path.Combine(folder.Path, "named.ZIP"))[..2]);
        File.Delete(Path.Combine(folder.Path, "named.ZIP"));
        Assert.Equal(ExitCodes.Usage, (await CliRun.OfAsync("export", backup, "--tar", "--zip")).ExitCode);
        Assert.Equal(
            ExitCodes.Usage,
            (
                await CliRun.OfAsync("export", backup, "--tar", "--output", Path.Combine(folder.Path, "no", "folder"))
            ).ExitCode
        );
        Assert.Equal(
            ExitCodes.NotFound,
            (await CliRun.OfAsync("export", backup, "no-such-file", "--tar", "--output", Archive)).ExitCode
        );
        Assert.Empty(Directory.GetFileSystemEntries(folder.Path));
        await File.WriteAllTextAsync(Archive, "mine");
        Assert.Equal(ExitCodes.Usage, (await CliRun.OfAsync("export", backup, "--tar", "--output", Archive)).ExitCode);
        Assert.Equal("mine", await File.ReadAllTextAsync(Archive));
    }

    [Theory]
    [InlineData("--tar")]
    [InlineData("--zip")]
    public async Task A_file_with_a_wrong_hash_is_in_the_archive_and_named_there_and_nothing_behind_it_is_out_of_place(
        string format
    )
    {
        var backup = FixtureCatalog.BackupsOf("damaged/file-hash-wrong-plain").Single();
        using var whole = new TempFolder();
        await CliRun.OfAsync(backup.Location, "-t", whole.Root);

        var run = await CliRun.OfAsync("export", backup.Location, format, "--output", Archive);

        Assert.Equal(ExitCodes.Incomplete, run.ExitCode);
        var entries = await FilesAsync(format);
        var wrong = entries.Keys.Single(name => name.EndsWith("letters/v1.txt", StringComparison.Ordinal));
        Assert.Contains(
            $"/{wrong}\t0\t{entries[wrong].Length}\n",
            Encoding.UTF8.GetString(entries["restore-damaged-ranges.txt"]),
            StringComparison.Ordinal
        );
        foreach (
            var file in Directory
                .GetFiles(whole.Root, "*", SearchOption.AllDirectories)
                .Where(file => new FileInfo(file).LinkTarget is null)
        )
        {
            var name = entries.Keys.Single(name =>
                name.EndsWith("/" + Path.GetRelativePath(whole.Root, file), StringComparison.Ordinal)
            );
            Assert.Equal(File.ReadAllBytes(file), entries[name]);
        }
    }

    [Fact]
    public async Task A_file_of_no_length_with_the_hash_of_another_one_is_damaged()
    {
        using MadeBackup backup = new();
        backup.File("/data/a", [1, 2, 3])["size"] = 0;
        backup.WriteList();

        var run = await CliRun.OfAsync("export", backup.Source, "--tar", "--output", Archive);
        Assert.Equal(ExitCodes.Incomplete, run.ExitCode);
        Assert.Contains("does not have the recorded hash", run.Output + run.Error, StringComparison.Ordinal);
        Assert.Equal(ExitCodes.Incomplete, (await CliRun.OfAsync("cat", backup.Source, "/data/a")).ExitCode);
    }

    [Theory]
    [InlineData("--tar")]
    [InlineData("--zip")]
    public async Task What_a_restore_refuses_is_not_in_the_archive_and_is_named_in_it(string format)
    {
        using MadeBackup backup = new();
        byte[] mine = [1, 2, 3];
        byte[] theirs = [4, 5];
        backup.File("/s/one", mine);
        backup.File("/s/one", theirs);
        backup.Link("/s/way", "/etc");
        backup.File("/s/way/cron", theirs);
        backup.Folder("/s/way/");
        backup.File("/s/folder/below", mine);
        backup.Link("/s/folder", "/etc");
        backup.File("/s/../../out", theirs);
        backup.File("/s/nul\0.txt", theirs);
        backup.File("/s/" + new string('x', 66_000), theirs);
        backup.Link("/s/nowhere", "");
        backup.File("/s/.restore-0123456789abcdef.unfinished", theirs);
        backup.Write();
        var run = await CliRun.OfAsync("export", backup.Source, format, "--output", Archive);
        Assert.Equal(ExitCodes.Incomplete, run.ExitCode);
        var names = await NamesAsync(format);
        Assert.Equal(["restore-left-out.txt", "s/folder/below", "s/one", "s/way"], names.Order(StringComparer.Ordinal));

        var restored = await backup.RestoreAsync();
        string[] refused =
        [
            .. restored
                .Issues.Where(issue => issue.IsLoss && issue.Code != IssueCode.LinkOutsideTarget)
                .Select(issue => $": {issue.Reason}"),
        ];
        Assert.Equal(8, refused.Length);
        Assert.All(refused, line => Assert.Contains(line, run.Error.ReplaceLineEndings(" "), StringComparison.Ordinal));

        await using var opened = await Backup.OpenAsync(backup.Source);
        using MemoryStream output = new();
        var report = await opened.ExportArchiveAsync(
            opened.Versions[0],
            output,
            format == "--zip" ? ArchiveFormat.Zip : ArchiveFormat.Tar
        );
        Assert.Equal((2L, 1L, 6L, 0L), (report.Files, report.Symlinks, report.Bytes, report.Folders));
    }

    public void Dispose() => folder.Dispose();

    private static async Task<(CliRun Run, byte[] Archive)> ToOutputAsync(string location, string format)
    {
        using var output = new MemoryStream();
        var run = await CliRun.OfAsync(
            environment => environment with { OpenOutput = () => output },
            "export",
            location,
            format
        );
        return (run, output.ToArray());
    }

    private async Task<IReadOnlyList<string>> NamesAsync(string format) => [.. (await FilesAsync(format)).Keys];

    private async Task<Dictionary<string, byte[]>> FilesAsync(string format)
    {
        Dictionary<string, byte[]> files = [];
        if (format == "--zip")
        {
            using var archive = System.IO.Compression.ZipFile.OpenRead(Archive);
            foreach (var entry in archive.Entries)
            {
                await using var content = entry.Open();
                files.Add(entry.FullName, await BytesAsync(content));
            }

            return files;
        }

        await using var file = File.OpenRead(Archive);
        using System.Formats.Tar.TarReader tar = new(file);
        while (tar.GetNextEntry() is { } entry)
        {
            files.Add(entry.Name, entry.DataStream is null ? [] : await BytesAsync(entry.DataStream));
        }

        return files;

        static async Task<byte[]> BytesAsync(Stream content)
        {
            using MemoryStream bytes = new();
            await content.CopyToAsync(bytes, TestContext.Current.CancellationToken);
            return bytes.ToArray();
        }
    }

    private static string AsText(byte[] attribute) => Encoding.UTF8.GetString(attribute);

    private static async Task RunAsync(string program, params string[] arguments)
    {
        using var process = Process.Start(
            new ProcessStartInfo(program, arguments) { RedirectStandardError = true, RedirectStandardOutput = true }
        )!;
        var error = process.StandardError.ReadToEndAsync(TestContext.Current.CancellationToken);
        await process.StandardOutput.ReadToEndAsync(TestContext.Current.CancellationToken);
        await process.WaitForExitAsync(TestContext.Current.CancellationToken);
        Assert.True(process.ExitCode == 0, await error);
    }

    private void AssertTree(TreeChecks checks) =>
        RestoredTree.AssertEqual(
            Path.Combine(Fixtures.Folder(Fixture), "expected-0.json"),
            folder.In(Root),
            checks,
            path => path.StartsWith("links/", StringComparison.Ordinal)
        );
}
