using System.Text.Json;
using Restore.Cli;
using Restore.Cli.Options;
using Restore.Tests.Ends;
using Restore.Tests.FixtureTests;

namespace Restore.Tests.Cli;

/// <summary>Backups that are found by what Duplicati knows about them.</summary>
public sealed class JobsCommandTests : IDisposable
{
    public static readonly string[] Options =
    [
        "--job",
        "--from-config",
        "--location",
        "--server-datafolder",
        "--job-key",
        "--job-key-file",
        "--commands",
    ];

    private const string Key = "key of the settings";
    private const string StorePassword = "of-the-store";

    private static readonly FixtureBackup Backup = FixtureCatalog.BackupsOf("aes-100kb").Single();
    private static readonly string Passphrase = Fixtures.Info("aes-100kb").GetProperty("passphrase").GetString()!;

    private readonly TempFolder folder = new();

    private string Disk => Path.Combine(folder.Path, "disk");

    private string Server => Path.Combine(Disk, "home", "ann", ".config", "Duplicati", "Duplicati-server.sqlite");

    [Theory]
    [InlineData("")]
    [InlineData("home/ann/.config/Duplicati")]
    [InlineData("home/ann/.config/Duplicati/Duplicati-server.sqlite")]
    [InlineData("home/ann")]
    public async Task The_jobs_of_a_disk_a_folder_or_a_database_are_listed_without_secrets(string place)
    {
        WriteServer(key: null);
        var run = await CliRun.OfAsync("jobs", Path.Combine(Disk, place));
        Assert.Equal((ExitCodes.Complete, ""), (run.ExitCode, run.Error));
        Assert.Contains(
            "Letters (number 7)\n    target      " + Backup.Location + "\n    passphrase  in the job\n",
            run.Output,
            StringComparison.Ordinal
        );
        const string Photos =
            "    target      s3://bucket/photos?s3-server-name=example.org\n    passphrase  not in the job\n";
        Assert.Contains(Photos, run.Output, StringComparison.Ordinal);
        Assert.Contains(
            $"    database    {Path.Combine(Path.GetDirectoryName(Server)!, "ABC.sqlite")} (not there)\n",
            run.Output,
            StringComparison.Ordinal
        );
        AssertNoSecret(run);
    }

    [Fact]
    public async Task As_JSON_a_job_is_an_object_without_secrets()
    {
        WriteServer(key: null);
        var run = await CliRun.OfAsync("jobs", Disk, "--json");
        AssertNoSecret(run);
        var jobs = run.Output.TrimEnd().Split('\n').Select(line => JsonDocument.Parse(line).RootElement).ToList();
        Assert.Equal(["Letters", "Photos"], jobs.Select(job => job.GetProperty("name").GetString()));
        Assert.True(jobs[0].GetProperty("hasPassphrase").GetBoolean());
        Assert.Equal("s3://bucket/photos?s3-server-name=example.org", jobs[1].GetProperty("target").GetString());
        Assert.Equal("@/mnt|ftp://ben@host/x", jobs[1].GetProperty("sources")[0].GetString());
    }

    [Fact]
    public async Task The_filters_of_a_job_come_in_its_order_and_options_of_all_jobs_come_first()
    {
        WriteServer(
            key: null,
            new ServerJob(1, "One", "/backup", new Dictionary<string, string> { ["number-of-retries"] = "9" }, [], "")
        );
        var job = Assert.Single(
            await DuplicatiJobs.ReadServerAsync(Server, null, TestContext.Current.CancellationToken)
        );
        Assert.Equal([new FilterRule(true, "*/keep.tmp"), new FilterRule(false, "*.tmp")], job.Filters);
        Assert.Equal("9", Assert.Single(job.Options).Value);
        Assert.DoesNotContain("9", job.ToString(), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("Letters", false)]
    [InlineData("letters", true)]
    [InlineData("7", true)]
    public async Task A_job_names_backup_and_passphrase_of_every_command(string name, bool isEncrypted)
    {
        WriteServer(isEncrypted ? Key : null);
        string[] job =
        [
            "--job",
            name,
            "--server-datafolder",
            Disk,
            .. isEncrypted ? ["--job-key=" + Key] : Array.Empty<string>(),
        ];
        Assert.Equal(ExitCodes.Complete, (await CliRun.OfAsync(["versions", .. job])).ExitCode);
        Assert.Contains("readme.txt", (await CliRun.OfAsync(["ls", "-R", .. job])).Output, StringComparison.Ordinal);
        Assert.Contains(
            "readme.txt",
            (await CliRun.OfAsync(["find", "readme.txt", .. job])).Output,
            StringComparison.Ordinal
        );
        var restored = await CliRun.OfAsync(["readme.txt", "--restore-path", folder.Root, .. job]);
        Assert.Equal(ExitCodes.Complete, restored.ExitCode);
        Assert.NotEmpty(Directory.GetFiles(folder.Root, "readme.txt", SearchOption.AllDirectories));
        AssertNoSecret(restored);
    }

    [Fact]
    public async Task The_variables_of_Duplicati_name_its_folder_and_the_key()
    {
        WriteServer(Key);
        var run = await CliRun.OfAsync(
            environment =>
                environment with
                {
                    Variable = name =>
                        name == "DUPLICATI_HOME" ? Path.GetDirectoryName(Server)
                        : name == "SETTINGS_ENCRYPTION_KEY" ? Key
                        : null,
                },
            "versions",
            "--job=Letters"
        );
        Assert.Equal((ExitCodes.Complete, ""), (run.ExitCode, run.Error));
    }

    [Fact]
    public async Task Without_the_key_or_with_another_one_encrypted_jobs_are_named_and_cannot_be_used()
    {
        WriteServer(Key);
        var listed = await CliRun.OfAsync("jobs", Disk);
        Assert.Equal(ExitCodes.Incomplete, listed.ExitCode);
        Assert.Contains("Letters (number 7)\n    target      not known\n", listed.Output, StringComparison.Ordinal);
        var missing = await CliRun.OfAsync("versions", "--job=Letters", "--server-datafolder", Disk);
        Assert.Equal(ExitCodes.WrongPassphrase, missing.ExitCode);
        Assert.Contains("are encrypted and no key was given: 'Letters'", missing.Error, StringComparison.Ordinal);
        Assert.Contains("--job-key-file", missing.Error, StringComparison.Ordinal);
        var wrong = await CliRun.OfAsync(
            "versions",
            "--job=Letters",
            "--server-datafolder",
            Disk,
            "--settings-encryption-key=another key"
        );
        Assert.Equal(ExitCodes.WrongPassphrase, wrong.ExitCode);
        Assert.Contains("are encrypted with another key", wrong.Error, StringComparison.Ordinal);

        var asked = await CliRun.OfAsync(
            environment => environment with { AskSecret = _ => Key },
            "versions",
            "--job=Letters",
            "--server-datafolder",
            Disk
        );
        Assert.Equal(ExitCodes.Complete, asked.ExitCode);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task An_exported_configuration_opens_the_backup(bool isEncrypted)
    {
        var file = Path.Combine(folder.Path, "job.json.aes");
        var text = Letters().ToExport();
        await File.WriteAllBytesAsync(
            file,
            isEncrypted ? ServerJob.Encrypt(text, Key) : [.. "\uFEFF"u8, .. System.Text.Encoding.UTF8.GetBytes(text)]
        );
        string[] key = isEncrypted ? ["--job-key=" + Key] : [];
        var run = await CliRun.OfAsync(["versions", "--from-config", file, .. key]);
        Assert.Equal((ExitCodes.Complete, ""), (run.ExitCode, run.Error));
        Assert.Contains("Letters", (await CliRun.OfAsync(["jobs", file, .. key])).Output, StringComparison.Ordinal);
        if (isEncrypted)
        {
            var wrong = await CliRun.OfAsync("versions", "--from-config", file, "--job-key=another");
            Assert.Equal(
                (ExitCodes.WrongPassphrase, true),
                (wrong.ExitCode, wrong.Error.Contains("does not open", StringComparison.Ordinal))
            );
            Assert.Equal(ExitCodes.WrongPassphrase, (await CliRun.OfAsync("versions", "--from-config", file)).ExitCode);
            Assert.Equal(
                ExitCodes.Complete,
                (
                    await CliRun.OfAsync(
                        environment => environment with { AskSecret = _ => Key },
                        "versions",
                        "--from-config",
                        file
                    )
                ).ExitCode
            );
        }
    }

    [Fact]
    public async Task The_command_line_wins_over_the_job()
    {
        var file = Path.Combine(folder.Path, "job.json");
        var options = new Dictionary<string, string>
        {
            ["passphrase"] = "of the job",
            ["--prefix"] = "of-the-job",
            ["number-of-retries"] = "3",
            ["rclone-executable"] = "/tmp/evil",
            ["auth-password"] = "****",
        };
        var url =
            $"webdav://ben:{StorePassword}@host/x?auth-password=y&number-of-retries=4&rclone-executable=/tmp/evil";
        await File.WriteAllTextAsync(file, (Letters() with { Location = url, Options = options }).ToExport());

        var parsed = await ParsedAsync("restore.txt", "--from-config", file);
        Assert.Equal(
            ("restore.txt", "of the job", "of-the-job"),
            (Assert.Single(parsed.Operands), parsed.Backup.Passphrase, parsed.Backup.Prefix)
        );
        Assert.Equal(url.Replace("&rclone-executable=/tmp/evil", "", StringComparison.Ordinal), parsed.Storage);
        Assert.Equal("3", Assert.Single(parsed.Backup.StoreOptions).Value);

        var given = await ParsedAsync(
            "--from-config",
            file,
            "--passphrase=mine",
            "--prefix=my",
            "--number-of-retries=5",
            "--auth-username=ann",
            "--auth-password=p"
        );
        Assert.Equal(("webdav://host/x", "mine", "my"), (given.Storage, given.Backup.Passphrase, given.Backup.Prefix));
        Assert.Equal("5", given.Backup.StoreOptions["number-of-retries"]);

        var elsewhere = await ParsedAsync("--from-config", file, "--location=/mnt/copy");
        Assert.Equal(
            ("/mnt/copy", "of the job", 0),
            (elsewhere.Storage, elsewhere.Backup.Passphrase, elsewhere.Backup.StoreOptions.Count)
        );
    }

    [Theory]
    [InlineData("rclone://:webdav,bearer_token_command=")]
    [InlineData("rclone://%3Asftp%2Cssh=")]
    [InlineData("RClone://mine,bearer_token_command=")]
    [InlineData("rclone://ann:pw@:webdav,bearer_token_command=")]
    public async Task A_job_starts_no_program_by_the_settings_of_a_remote_that_it_brings(string url)
    {
        var file = Path.Combine(folder.Path, "job.json");
        var started = Path.Combine(folder.Path, "started");
        var whole = $"{url}touch%20{Uri.EscapeDataString(started)},url=http%3A%2F%2Flocalhost:1:/x";
        await File.WriteAllTextAsync(file, (Letters() with { Location = whole }).ToExport());
        var run = await CliRun.OfAsync("versions", "--from-config", file);
        Assert.Equal((ExitCodes.Usage, false), (run.ExitCode, File.Exists(started)));
        Assert.Contains("give its storage URL with --location", run.Error, StringComparison.Ordinal);
        Assert.DoesNotContain("bearer", run.Error, StringComparison.Ordinal);
        WriteServer(key: null, new ServerJob(1, "One", whole, new Dictionary<string, string>(), [], ""));
        Assert.Equal(
            ExitCodes.Usage,
            (await CliRun.OfAsync("versions", "--job=One", "--server-datafolder", Disk)).ExitCode
        );
    }

    [Theory]
    [InlineData("rclone://drive/folder")]
    [InlineData("rclone://My Drive_2.b-c+d:/a,b=c:d")]
    [InlineData("webdav://host/a,b=c")]
    public async Task A_job_can_name_a_remote_of_the_users(string url)
    {
        var file = Path.Combine(folder.Path, "job.json");
        await File.WriteAllTextAsync(file, (Letters() with { Location = url }).ToExport());
        Assert.Equal(url, (await ParsedAsync("--from-config", file)).Storage);
        Assert.Equal(
            "rclone://:local/x",
            (await ParsedAsync("--from-config", file, "--location=rclone://:local/x")).Storage
        );
    }

    [Theory]
    [InlineData("{\"Backup\": 5}", "has no object 'Backup'")]
    [InlineData("[1]", "has no object 'Backup'")]
    [InlineData("{\"Backup\": {\"Name\": \"secret \\ud800\"}}", "has a text that is not valid Unicode")]
    [InlineData("{\"Backup\": {\n\"secret", "is not valid JSON (line 2)")]
    [InlineData("AES\u0002 and no more", "is damaged")]
    [InlineData("{\"Backup\": {\"Name\": \"x\", \"Settings\": {}, \"Filters\": [3]}}", "has no storage URL")]
    public async Task A_file_that_is_no_exported_job_is_refused_with_the_reason(string content, string reason)
    {
        var file = Path.Combine(folder.Path, "job.json");
        await File.WriteAllTextAsync(file, content);
        var run = await CliRun.OfAsync("versions", "--from-config", file, "--job-key=x");
        Assert.Equal(ExitCodes.Failed, run.ExitCode);
        Assert.Contains(reason, run.Error, StringComparison.Ordinal);
        Assert.DoesNotContain("secret", run.Error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task An_exported_configuration_can_come_through_a_pipe()
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "Windows has no pipes in folders.");
        var pipe = MakePipe(Path.Combine(folder.Path, "pipe"));
        var writing = Task.Run(
            () => File.WriteAllText(pipe, Letters().ToExport()),
            TestContext.Current.CancellationToken
        );
        var run = await CliRun.OfAsync("versions", "--from-config", pipe);
        Assert.Equal((ExitCodes.Complete, ""), (run.ExitCode, run.Error));
        await writing;
    }

    [Fact]
    public async Task A_pipe_that_nothing_writes_into_is_refused_and_nobody_waits_for_it()
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "Windows has no pipes in folders.");
        var pipe = MakePipe(Path.Combine(folder.Path, "pipe.sqlite"));
        Directory.CreateDirectory(Path.Combine(folder.Path, "server"));
        MakePipe(Path.Combine(folder.Path, "server", "Duplicati-server.sqlite"));
        WriteServer(key: null);
        MakePipe(Server + "-journal");
        string[][] commands =
        [
            ["versions", "--from-config", pipe],
            ["jobs", pipe],
            ["jobs", Path.Combine(folder.Path, "server")],
            ["jobs", Server],
        ];
        foreach (var command in commands)
        {
            var run = await CliRun
                .OfAsync(command)
                .WaitAsync(TimeSpan.FromSeconds(60), TestContext.Current.CancellationToken);
            Assert.True(
                run.ExitCode != ExitCodes.Complete && run.Error.Contains("a pipe", StringComparison.Ordinal),
                $"{command[0]}: {run.Error}"
            );
        }

        // The volumes are enough: a database that cannot be read is a warning.
        var versions = await CliRun
            .OfAsync("versions", Backup.Location, "--dbpath", pipe)
            .WaitAsync(TimeSpan.FromSeconds(60), TestContext.Current.CancellationToken);
        Assert.Equal(ExitCodes.Complete, versions.ExitCode);
        Assert.Contains("a pipe", versions.Error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_database_cannot_fill_the_memory_with_options_of_all_jobs()
    {
        var shared = Enumerable.Range(0, 1100).ToDictionary(i => $"option-{i}", _ => "x");
        var jobs = Enumerable
            .Range(1, 1000)
            .Select(i => Letters() with { Id = i, Options = new Dictionary<string, string>() });
        WriteServer(key: null, [.. jobs, Letters() with { Id = -1, Options = shared }]);
        var run = await CliRun.OfAsync("jobs", Disk);
        Assert.Equal((ExitCodes.Failed, ""), (run.ExitCode, run.Output));
        Assert.Contains("more settings than Duplicati makes", run.Error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task What_cannot_be_found_is_named()
    {
        WriteServer(key: null);
        var unknown = await CliRun.OfAsync("versions", "--job=Music", "--server-datafolder", Disk);
        Assert.Equal(ExitCodes.NotFound, unknown.ExitCode);
        Assert.StartsWith(
            "No job has the name 'Music', only: 'Letters', 'Photos'\n",
            unknown.Error,
            StringComparison.Ordinal
        );
        Assert.Equal(ExitCodes.NotFound, (await CliRun.OfAsync("jobs", folder.Root)).ExitCode);
        Assert.Equal(ExitCodes.NotFound, (await CliRun.OfAsync("versions", "--from-config", folder.Root)).ExitCode);
        Assert.Equal(ExitCodes.Usage, (await CliRun.OfAsync("versions", "--from-config=x", "--job=y")).ExitCode);
        Assert.Equal(ExitCodes.Usage, (await CliRun.OfAsync("versions", "--location=/mnt")).ExitCode);
        Assert.Equal(ExitCodes.Usage, (await CliRun.OfAsync("jobs", "a", "b")).ExitCode);

        var other = Path.Combine(Disk, "var", "lib", "Duplicati");
        Directory.CreateDirectory(other);
        File.Copy(Server, Path.Combine(other, "Duplicati-server.sqlite"));
        var several = await CliRun.OfAsync("versions", "--job=Letters", "--server-datafolder", Disk);
        Assert.Equal(ExitCodes.NotFound, several.ExitCode);
        Assert.Contains("Several jobs have the name 'Letters': number 7", several.Error, StringComparison.Ordinal);
        File.WriteAllText(Path.Combine(other, "Duplicati-server.sqlite"), "damaged");
        var one = await CliRun.OfAsync("jobs", Disk);
        Assert.Equal(
            (ExitCodes.Incomplete, true),
            (one.ExitCode, one.Output.Contains("Letters", StringComparison.Ordinal))
        );
        Assert.Contains("is left out: The file is not an SQLite database", one.Error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_server_database_is_read_without_a_trace()
    {
        WriteServer(key: null);
        var data = Path.GetDirectoryName(Server)!;
        File.SetLastWriteTimeUtc(Server, DateTime.UnixEpoch.AddYears(40));
        var before = await File.ReadAllBytesAsync(Server);
        await CliRun.OfAsync("jobs", Disk);
        Assert.Equal([Server], Directory.GetFileSystemEntries(data));
        Assert.Equal(DateTime.UnixEpoch.AddYears(40), File.GetLastWriteTimeUtc(Server));
        Assert.Equal(before, await File.ReadAllBytesAsync(Server));
    }

    [Theory]
    [InlineData("enc-v1:")]
    [InlineData("enc-v1:00")]
    [InlineData("{sealed}00")]
    public async Task A_damaged_setting_is_a_problem_of_its_job_alone(string location)
    {
        var damaged = Letters() with
        {
            Location = location.Replace("{sealed}", ServerJob.Seal("x", Key), StringComparison.Ordinal),
            Id = 8,
            Name = "Bad",
        };
        WriteServer(key: null, Letters(), damaged);
        var jobs = await DuplicatiJobs.ReadServerAsync(Server, Key, TestContext.Current.CancellationToken);
        Assert.Equal([null, RestoreErrorCode.ServerDatabaseUnusable], jobs.Select(job => job.Problem));
        Assert.Throws<RestoreException>(jobs[1].RequireReadable);
    }

    public void Dispose() => folder.Dispose();

    private static ServerJob Letters() =>
        new(
            7,
            "Letters",
            Backup.Location,
            new Dictionary<string, string> { ["passphrase"] = Passphrase, ["encryption-module"] = "aes" },
            ["/src/"],
            "ABC.sqlite"
        );

    private static ServerJob Photos() =>
        new(
            8,
            "Photos",
            $"s3://bucket/photos?s3-server-name=example.org&auth-password={StorePassword}&unknown-token={StorePassword}",
            new Dictionary<string, string> { ["auth-password"] = StorePassword },
            [$"@/mnt|ftp://ben:{StorePassword}@host/x?auth-password={StorePassword}"],
            "/x.sqlite"
        );

    private static void AssertNoSecret(CliRun run)
    {
        Assert.DoesNotContain(Passphrase, run.Output + run.Error, StringComparison.Ordinal);
        Assert.DoesNotContain(StorePassword, run.Output + run.Error, StringComparison.Ordinal);
        Assert.DoesNotContain("of the web page", run.Output + run.Error, StringComparison.Ordinal);
    }

    private static async Task<HostRequest> ParsedAsync(params string[] arguments)
    {
        var parsed = CommandLine.Parse(arguments, CliRun.Commands(), CliRun.Environment());
        Assert.Empty(parsed.Errors);
        return (await parsed.WithJobAsync()).ToRequest();
    }

    private void WriteServer(string? key) => WriteServer(key, Letters(), Photos());

    private static string MakePipe(string path)
    {
        Native.Fifo(path);
        return path;
    }

    private void WriteServer(string? key, params ServerJob[] jobs)
    {
        Directory.CreateDirectory(Path.GetDirectoryName(Server)!);
        ServerJob.WriteDatabase(Server, key, jobs);
    }
}
