using Restore.Cli;
using Restore.Cli.Commands;
using Restore.Cli.Options;

namespace Restore.Tests.Cli;

/// <summary>
/// What was written for Duplicati means the same here, or is refused with a reason.
/// </summary>
public sealed class DropInTests
{
    private static readonly string Backup = Path.Combine(
        Fixtures.RepositoryRoot(),
        "tests",
        "fixtures",
        "aes-100kb",
        "backup"
    );

    public static TheoryData<string> DuplicatisOptions()
    {
        var file = Path.Combine(Fixtures.RepositoryRoot(), "tests", "Restore.Tests", "Cli", "duplicati-options.txt");
        return [.. File.ReadLines(file).Where(line => !line.StartsWith('#'))];
    }

    [Theory]
    [MemberData(nameof(DuplicatisOptions))]
    public void Every_option_of_Duplicati_is_known(string name)
    {
        var parsed = CommandLine.Parse(["/backup", $"--{name}=1"], CliRun.Commands(), CliRun.Environment());
        Assert.DoesNotContain(parsed.Errors, error => error.Contains("is not an option", StringComparison.Ordinal));
    }

    [Theory]
    [InlineData("restore", "restore")]
    [InlineData("ls", "ls")]
    [InlineData("list", "versions")]
    [InlineData("list-filesets", "versions")]
    [InlineData("list-folder-contents", "ls")]
    [InlineData("list-file-versions", "history")]
    [InlineData("search-files", "find")]
    [InlineData("test", "verify")]
    public void The_first_word_can_be_that_of_Duplicati(string word, string command)
    {
        var parsed = Parse(word, "file:///backup");
        Assert.Equal(command, parsed.Command.Name);
        Assert.Equal(["file:///backup"], parsed.Operands);
    }

    [Theory]
    [InlineData("ls", "list", "/backup", "*.txt")]
    [InlineData("ls", "list", "/backup", "--include=*.txt")]
    [InlineData("find", "list", "/backup", "*.txt", "--all-versions")]
    [InlineData("find", "--all-versions=true", "list", "/backup", "*.txt")]
    [InlineData("versions", "list", "/backup", "--all-versions")]
    [InlineData("restore", "/backup", "list")]
    public void List_is_what_its_arguments_ask_for(string command, params string[] arguments) =>
        Assert.Equal(command, Parse(arguments).Command.Name);

    [Fact]
    public void A_number_of_samples_does_not_become_a_filter()
    {
        var parsed = Parse("test", "/backup", "3");
        Assert.Equal(["/backup"], parsed.Operands);
        Assert.Equal(
            ["3 (the version is verified as a whole; --sample=5% verifies a share, 'all' all versions)"],
            parsed.WithoutEffect
        );
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false, "--version=1")]
    [InlineData(false, "--time=now")]
    [InlineData(false, "--since=1W")]
    public void A_test_of_all_is_one_of_all_versions_unless_some_are_named(bool isAll, params string[] options)
    {
        var parsed = Parse(["test", "/backup", "all", .. options]);
        Assert.Equal(["/backup"], parsed.Operands);
        Assert.Equal(isAll, parsed.Given.Any(given => given is { Option.Name: "--all-versions", Text: "true" }));
        Assert.Empty(parsed.WithoutEffect);
    }

    [Theory]
    [InlineData("list", "/backup", "*.txt", "--all-versions")]
    [InlineData("list", "/backup", "--all-versions")]
    public void What_decides_the_meaning_of_list_has_an_effect(params string[] arguments) =>
        Assert.Empty(Parse(arguments).WithoutEffect);

    [Theory]
    [InlineData("list-broken-files", "'restore verify --all-versions'")]
    [InlineData("purge-broken-files", "'restore repair --purge-broken-files'")]
    [InlineData("purge", "'restore delete'")]
    [InlineData("vacuum", "'restore database'")]
    [InlineData("recreate", "'restore database'")]
    [InlineData("sync", "'restore backup'")]
    [InlineData("set-locks", "retention of the bucket")]
    [InlineData("readlockinfo", "console of the store")]
    [InlineData("system-info", "--program-version")]
    [InlineData("send-mail", "--notify-command")]
    [InlineData("changelog", "CHANGELOG.md")]
    [InlineData("examples", "'restore help'")]
    [InlineData("list-changes", "'restore diff'")]
    public async Task A_word_of_Duplicati_without_a_command_says_what_does_it(string word, string instead)
    {
        var run = await CliRun.OfAsync(word, "/backup");
        Assert.Equal(run, await CliRun.OfAsync(word, "--job=Photos"));
        Assert.Equal(ExitCodes.Usage, run.ExitCode);
        Assert.StartsWith($"{word} is no command here: ", run.Error, StringComparison.Ordinal);
        Assert.Contains(instead, run.Error, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("help")]
    [InlineData("help", "restore")]
    public async Task Help_as_the_first_word_is_the_help(params string[] arguments) =>
        Assert.Equal(await CliRun.OfAsync("--help"), await CliRun.OfAsync(arguments));

    [Fact]
    public async Task Help_of_a_command_can_be_asked_for_by_Duplicatis_name() =>
        Assert.Equal(await CliRun.OfAsync("verify", "--help"), await CliRun.OfAsync("help", "test"));

    [Theory]
    [InlineData("--tempdir", "/a/b")]
    [InlineData("--blocksize", "100kb")]
    [InlineData("--send-mail-to", "ann@example.org")]
    [InlineData("--suppress-warnings", "MissingFile")]
    public void An_option_without_effect_takes_its_value_apart_too(string name, string value)
    {
        var parsed = Parse(name, value, "/backup", "notes.txt");
        Assert.Equal(["/backup", "notes.txt"], parsed.Operands);
        Assert.Equal([name], parsed.WithoutEffect);
        Assert.Empty(parsed.Errors);
    }

    [Theory]
    [InlineData("--no-backend-verification")]
    [InlineData("--log-http-requests")]
    [InlineData("--portable-mode")]
    [InlineData("--restore-symlink-metadata")]
    [InlineData("--sparse")]
    public void A_switch_without_effect_takes_no_value(string name) =>
        Assert.Equal(["/backup"], Parse(name, "/backup").Operands);

    [Theory]
    [InlineData("--restore-all-files", "a restore takes one version; run it for each, with --version")]
    [InlineData("--restore-all-files=True", "a restore takes one version; run it for each, with --version")]
    [InlineData("--control-files", "the files that Duplicati attaches to a file list are neither stored nor restored")]
    [InlineData(
        "--append-filter=+a",
        "they count in a file of --parameters-file; on the command line give --include and --exclude"
    )]
    [InlineData("--alternate-target-paths=/a", "give the folder where the backup is now")]
    [InlineData(
        "--all-versions",
        "this command takes one version, by --version or --time; 'restore find' and 'restore verify' take all"
    )]
    public async Task An_option_that_would_change_the_result_is_refused_with_the_reason(string option, string reason)
    {
        var run = await CliRun.OfAsync("/backup", option);
        Assert.Equal(ExitCodes.Usage, run.ExitCode);
        var purpose = option == "--all-versions" ? "" : " for a restore";
        Assert.Equal(
            $"{option.Split('=')[0]} cannot be used{purpose}: {reason}\n'restore --help' shows the usage\n",
            run.Error
        );
    }

    [Theory]
    [InlineData("--restore-all-files=false")]
    [InlineData("--restore-all-files=False")]
    [InlineData("--control-files=false")]
    [InlineData("--disable-ads-restore=no")]
    public void A_refused_option_that_is_off_has_no_effect(string option)
    {
        var parsed = Parse("/backup", option);
        Assert.Empty(parsed.Errors);
        Assert.Equal([option], parsed.WithoutEffect);
    }

    [Fact]
    public void Without_a_local_database_its_path_has_no_effect()
    {
        Assert.Null(CliRun.Request("/backup", "--no-local-db", "--dbpath=/a/missing").Backup.DatabasePath);
        Assert.Equal(
            "/a/missing",
            CliRun.Request("/backup", "--no-local-db=false", "--dbpath=/a/missing").Backup.DatabasePath
        );
    }

    [Fact]
    public async Task A_target_is_a_folder_and_its_quotes_do_not_count()
    {
        Assert.Equal("/out folder", CliRun.Request("/backup", "--restore-path=\"/out folder\"").Restore.Target);
        var run = await CliRun.OfAsync("/backup", "--restore-path=@file:///a");
        Assert.Equal(ExitCodes.Usage, run.ExitCode);
        Assert.StartsWith(
            "--restore-path: @file:///a names a storage, and entries are restored to folders only",
            run.Error,
            StringComparison.Ordinal
        );
    }

    [Fact]
    public async Task Filters_that_take_more_than_they_seem_to_say_so()
    {
        var run = await CliRun.OfAsync("/backup", "/src/docs/", "--exclude=*.tmp");
        Assert.StartsWith(
            "Taken: everything but '*.tmp', because there is an --exclude; --exclude='*' as the last filter takes only '/src/docs/'\n",
            run.Error,
            StringComparison.Ordinal
        );
        string[][] plain =
        [
            ["/backup", "/src/docs/"],
            ["/backup", "--exclude=*.tmp"],
            ["/backup", "/src/docs/", "--exclude=*.tmp", "--exclude=*"],
            ["/backup", "/src/docs/", "--exclude=*.tmp", "--quiet"],
        ];
        foreach (var arguments in plain)
        {
            Assert.DoesNotContain("Taken:", (await CliRun.OfAsync(arguments)).Error, StringComparison.Ordinal);
        }
    }

    [Fact]
    public async Task A_command_line_of_Duplicati_restores_the_content_of_a_folder()
    {
        using var folder = new TempFolder();
        var run = await CliRun.OfAsync(
            "restore",
            "file://" + Backup,
            "--exclude=*/links/*",
            "--passphrase=correct horse",
            "--restore-path=\"" + folder.Path + "/out\"",
            "--no-local-db",
            "--dbpath=/a/missing",
            "--tempdir",
            folder.Path,
            "--restore-volume-cache-hint=0",
            "--restore-cache-evict=0",
            "--restore-channel-buffer-size=0",
            "--restore-all-files=false",
            "--disable-module",
            "console-password-input"
        );
        Assert.True(run.ExitCode == ExitCodes.Complete, run.Error + run.Output);
        Assert.NotEmpty(Directory.EnumerateFiles(Path.Combine(folder.Path, "out"), "*", SearchOption.AllDirectories));
    }

    [Fact]
    public void No_name_is_declared_twice()
    {
        var names = DuplicatiOptions.All.SelectMany(group => group.Names).ToList();
        Assert.Empty(
            FirstWord.NotHere.Select(word => word.Word).Intersect(CliRun.Commands().Select(command => command.Name))
        );
        Assert.Equal(names.Distinct().Count(), names.Count);
        Assert.Empty(names.Intersect(CliRun.Options().Select(option => option.Name.TrimStart('-'))));
        Assert.DoesNotContain(names, ForeignOptions.IsStoreOption);
    }

    /// <summary>The first words that Duplicati's command line knows.</summary>
    [Theory]
    [InlineData(
        "help example examples find list list-filesets list-folder-content list-folder-contents list-file-versions search-entries search-files"
    )]
    [InlineData(
        "delete backup restore repair purge list-broken-files purge-broken-files compact create-report compare test verify test-filters test-filter"
    )]
    [InlineData(
        "affected vacuum set-locks setlocks read-lock-info readlockinfo system-info systeminfo send-mail sync search"
    )]
    public void Every_command_of_Duplicati_is_one_here_or_says_what_does_it(string words) =>
        Assert.All(
            words.Split(' '),
            word =>
                Assert.True(
                    DuplicatiForm.IsCommand(word, CliRun.Commands())
                        || FirstWord.NotHere.Any(other => other.Word == word),
                    word
                )
        );

    [Theory]
    [InlineData("--snapshot-policy=required", "backup")]
    [InlineData("--usn-policy=required", "backup")]
    [InlineData("--backupread-policy=required", "backup")]
    [InlineData("--remote-sync-json-config=/a", "backup")]
    [InlineData("--enable-ads-backup", "backup")]
    [InlineData("--photos-handling=PhotosOnly", "backup")]
    [InlineData("--run-script-post-backup=/a", "backup")]
    [InlineData("--zip-compression-method=lzma", "backup", "compact")]
    [InlineData("--compression-module=7z", "backup", "delete", "compact", "repair")]
    [InlineData("--parity-module=par2", "backup", "delete", "compact", "repair")]
    [InlineData("--remote-file-lock-duration=30D", "backup", "delete", "compact", "repair")]
    [InlineData("--new-passphrase=x", "backup", "delete", "compact")]
    [InlineData("--allow-passphrase-change", "backup", "delete", "compact", "repair")]
    [InlineData("--upload-verification-file", "backup", "delete", "compact", "repair")]
    [InlineData("--alternate-destination-marker=x", "backup", "delete", "compact", "repair")]
    [InlineData("--control-files=/a", "backup", "delete", "compact", "repair")]
    [InlineData("--soft-delete-prefix=x", "delete", "compact", "repair")]
    public async Task What_is_asked_of_a_change_and_not_done_is_refused_before_anything_is_written(
        string option,
        params string[] commands
    )
    {
        using var folder = new TempFolder();
        Directory.CreateDirectory(Path.Join(folder.Path, "s"));
        foreach (var command in commands)
        {
            var run = await CliRun.OfAsync(
                command == "backup"
                    ? [command, Path.Join(folder.Path, "s"), Path.Join(folder.Path, "b"), "--no-encryption", option]
                    : [command, Path.Join(folder.Path, "b"), option]
            );
            Assert.Equal(ExitCodes.Usage, run.ExitCode);
            var purpose = command == "backup" ? "for a backup" : $"with 'restore {command}'";
            Assert.Contains($" cannot be used {purpose}: ", run.Error, StringComparison.Ordinal);
            Assert.False(Directory.Exists(Path.Join(folder.Path, "b")));
        }

        Assert.Contains(
            option.Split('=')[0],
            string.Join(' ', Parse("ls", "/backup", option).WithoutEffect.Concat(Parse("ls", "/backup", option).Errors))
        );
    }

    [Theory]
    [InlineData("--snapshot-policy=auto")]
    [InlineData("--snapshot-policy=On")]
    [InlineData("--parity-module=none")]
    [InlineData("--parity-module=")]
    [InlineData("--compression-module=zip")]
    [InlineData("--zip-compression-method=Deflate")]
    [InlineData("--upload-verification-file=false")]
    [InlineData("--no-auto-compact")]
    [InlineData("--backup-test-samples=1")]
    public void What_changes_nothing_in_a_backup_has_no_effect(string option)
    {
        var parsed = Parse("backup", "/s", "/b", option);
        Assert.Empty(parsed.Errors);
        Assert.Contains(
            parsed.WithoutEffect,
            given => given.StartsWith(option.Split('=')[0], StringComparison.Ordinal)
        );
    }

    /// <summary>
    /// Of each option a command that changes a backup does what it says, refuses it with the
    /// reason, or says why it changes nothing.
    /// </summary>
    [Theory]
    [InlineData("backup")]
    [InlineData("delete")]
    [InlineData("compact")]
    [InlineData("repair")]
    public void Each_option_of_Duplicati_has_its_effect_or_a_reason(string name)
    {
        var command = CliRun.Commands().Single(command => command.Name == name);
        var declared = command
            .Options.SelectMany(group => group.Options)
            .SelectMany(option => option.Names)
            .ToHashSet();
        var elsewhere = CliRun.Options().SelectMany(option => option.Names).ToHashSet();
        Assert.All(
            DuplicatisOptions().Select(row => row.Data),
            option =>
            {
                if (
                    declared.Contains("--" + option)
                    || elsewhere.Contains("--" + option)
                    || ForeignOptions.IsStoreOption(option)
                )
                {
                    return;
                }

                var found = DuplicatiOptions.Find(option);
                Assert.True(found is not null, option);
                Assert.DoesNotContain("a restore changes nothing", found.Value.Group.Reason, StringComparison.Ordinal);
                var refusal = DuplicatiOptions.Refusal(name, option, "x");
                Assert.Equal(
                    found.Value.Group.IsRefusedBy(name),
                    refusal?.EndsWith(found.Value.Group.Reason, StringComparison.Ordinal) == true
                );
            }
        );
    }

    /// <summary>
    /// What the commands that change a backup share with others of Duplicati's options, and what
    /// backup alone decides.
    /// </summary>
    [Fact]
    public void What_decides_about_a_backup_is_declared_by_backup()
    {
        string[] deciding =
        [
            "ignore-filenames",
            "exclude-empty-folders",
            "prevent-empty-source",
            "allow-missing-source",
            "abort-if-source-missing",
            "changed-files",
            "deleted-files",
            "exclude-files-attributes",
            "exclude-non-local-files",
            "skip-files-larger-than",
            "skip-metadata",
            "symlink-policy",
            "hardlink-policy",
            "disable-backup-exclusion-xattr",
            "disable-filetime-check",
            "disable-autocreate-folder",
            "upload-unchanged-backups",
            "quota-size",
            "quota-warning-threshold",
            "run-script-before",
            "run-script-before-required",
            "run-script-after",
            "run-script-timeout",
            "run-script-with-arguments",
            "blocksize",
            "dblock-size",
            "encryption-module",
            "no-encryption",
            "include",
            "exclude",
            "prefix",
        ];
        var declared = CliRun
            .Commands()
            .Single(command => command.Name == "backup")
            .Options.SelectMany(group => group.Options)
            .Select(option => option.Name);
        Assert.Empty(deciding.Select(name => "--" + name).Except(declared));
    }

    [Fact]
    public async Task The_page_has_every_option_and_every_word()
    {
        string[] names = [.. DuplicatisOptions().Select(row => row.Data)];
        var page = await File.ReadAllTextAsync(Path.Combine(Fixtures.RepositoryRoot(), "docs", "duplicati.md"));
        if (!string.IsNullOrEmpty(Environment.GetEnvironmentVariable("RESTORE_APPROVE")))
        {
            await Approved.AssertAsync(
                new DuplicatiTables(CliRun.Commands(), names).Renew(page),
                "docs",
                "duplicati.md"
            );
            return;
        }

        var families = DuplicatiOptions.All.SelectMany(group => group.Names).Where(name => name.EndsWith('*')).ToList();
        Assert.All(
            names,
            name =>
                Assert.True(
                    page.Contains($"`--{name}`", StringComparison.Ordinal)
                        || families.Any(family =>
                            name.StartsWith(family[..^1], StringComparison.Ordinal)
                            && page.Contains($"`--{family}`", StringComparison.Ordinal)
                        ),
                    name
                )
        );
        Assert.All(
            DuplicatiTables.Words(CliRun.Commands()),
            name => Assert.Contains($"| `{name.Word}` |", page, StringComparison.Ordinal)
        );
        Assert.All(FirstWord.NotHere, name => Assert.Contains($"| `{name.Word}` |", page, StringComparison.Ordinal));
    }

    private static CommandLine Parse(params string[] arguments) =>
        CommandLine.Parse(arguments, CliRun.Commands(), CliRun.Environment());
}
