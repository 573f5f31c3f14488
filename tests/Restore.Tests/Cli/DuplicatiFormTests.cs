using System.Text.RegularExpressions;
using Restore.Cli;
using Restore.Cli.Options;

namespace Restore.Tests.Cli;

public sealed partial class DuplicatiFormTests
{
    [Fact]
    public void The_parser_gets_the_command_then_each_option_with_its_value_then_everything_else()
    {
        string[] given =
        [
            "--LONG",
            "list",
            "/backup",
            "--Include",
            "@x",
            "--include=--json",
            "[suggest]",
            "--version=",
            "--tempdir",
            "/t",
            "--",
            "-t",
        ];
        var commands = CliRun.Commands();
        var form = new DuplicatiForm(new OptionTable(commands), commands, path => path);
        form.Read(given);
        ForeignOptions.Judge(form.Command.Name, form.Foreign, form.Errors, form.WithoutEffect);
        Assert.Empty(form.Errors);
        Assert.Equal(["--tempdir"], form.WithoutEffect);
        Assert.Equal(
            [
                "ls",
                "--long=true",
                "--include=@x",
                "--include=--json",
                "--version",
                "",
                "--",
                "/backup",
                "[suggest]",
                "-t",
            ],
            form.ToArguments()
        );
    }

    [Fact]
    public void The_parser_names_no_option_and_no_command()
    {
        var commands = CliRun.Commands().Select(command => $"\"{command.Name}\"").ToList();
        foreach (var name in new[] { "DuplicatiForm", "OptionTable", "CommandTree", "CommandLine" })
        {
            var file = Path.Combine(Fixtures.RepositoryRoot(), "src", "Restore.Cli", "Options", name + ".cs");
            string[] code =
            [
                .. File.ReadLines(file).Where(line => !line.TrimStart().StartsWith("//", StringComparison.Ordinal)),
            ];
            Assert.NotEmpty(code);
            Assert.DoesNotContain(code, line => OptionName().IsMatch(line));
            Assert.DoesNotContain(
                code,
                line => commands.Any(command => line.Contains(command, StringComparison.Ordinal))
            );
            Assert.True(
                name != "DuplicatiForm" || code.Count(line => line.Trim().Length > 0) <= 170,
                "The form has more than 170 lines of code"
            );
        }
    }

    [Fact]
    public void Includes_and_excludes_keep_their_order()
    {
        var request = CliRun.Request(
            "/backup",
            "--exclude=*.tmp",
            "--include",
            "*.txt",
            "--overwrite",
            "--exclude=--odd",
            "--include= "
        );
        Assert.Equal(
            [new(false, "*.tmp"), new(true, "*.txt"), new(false, "--odd"), new FilterRule(true, " ")],
            request.Rules
        );
    }

    [Fact]
    public async Task Filters_come_from_files_in_their_place()
    {
        using var folder = new TempFolder();
        var (wanted, unwanted) = (Path.Combine(folder.Path, "wanted"), Path.Combine(folder.Path, "unwanted"));
        await File.WriteAllTextAsync(wanted, "# mine\n*.txt\r\n\n[.*\\.jpg]\n");
        await File.WriteAllTextAsync(unwanted, "*.tmp\n# all others");
        var request = CliRun.Request(
            "/backup",
            "--include=a",
            "--include-from=" + wanted,
            "--exclude-from",
            unwanted,
            "--include=b"
        );
        Assert.Equal(
            [
                new(true, "a"),
                new(true, "*.txt"),
                new(true, "[.*\\.jpg]"),
                new(false, "*.tmp"),
                new FilterRule(true, "b"),
            ],
            request.Rules
        );

        var run = await CliRun.OfAsync("/backup", "--exclude-from=/a/missing");
        Assert.Equal(ExitCodes.Usage, run.ExitCode);
        Assert.StartsWith("--exclude-from: /a/missing cannot be read (", run.Error, StringComparison.Ordinal);
    }

    [Fact]
    public void What_follows_the_storage_are_filters_even_if_they_look_like_something_else()
    {
        var request = CliRun.Request("/backup", "ls", "@/a b", "[.*]", "verify", "--", "--include=x", "-t");
        Assert.Equal("/backup", request.Storage);
        Assert.Equal(["ls", "@/a b", "[.*]", "verify", "--include=x", "-t"], request.Operands);
        Assert.Empty(request.Rules);
        Assert.Null(request.Restore.Target);
    }

    [Fact]
    public void The_last_of_several_values_counts_as_it_does_in_Duplicati()
    {
        var request = CliRun.Request(
            "/backup",
            "--restore-path=/a",
            "--overwrite",
            "-t",
            "/b",
            "--overwrite=no",
            "--s3-server-name=a",
            "--s3-server-name=b"
        );
        Assert.Equal("/b", request.Restore.Target);
        Assert.False(request.Restore.Overwrite);
        Assert.Equal("b", request.Backup.StoreOptions["s3-server-name"]);
    }

    [Fact]
    public async Task A_tilde_before_the_name_of_a_file_is_the_home_folder()
    {
        using var folder = new TempFolder();
        await File.WriteAllTextAsync(Path.Combine(folder.Path, "key"), "");
        await File.WriteAllTextAsync(Path.Combine(folder.Path, "more"), "--log-file=~/log\n--include=~/x");
        var home = CliRun.Environment() with { Variable = name => name == "HOME" ? folder.Path : null };
        HostRequest Of(params string[] arguments) => CliRun.Request(home, ["/backup", .. arguments]);

        var request = Of(
            "--restore-path=~/x",
            "--parameters-file=~/more",
            "--ssh-keyfile=~/key",
            "--auth-password=~/sesame",
            "--report",
            "~/r.json"
        );
        Assert.Equal(Path.Combine(folder.Path, "x"), request.Restore.Target);
        Assert.Equal(Path.Combine(folder.Path, "log"), request.LogFile);
        Assert.Equal(Path.Combine(folder.Path, "r.json"), request.Run.ReportFile);
        Assert.Equal(Path.Combine(folder.Path, "key"), request.Backup.StoreOptions["ssh-keyfile"]);
        Assert.Equal("~/sesame", request.Backup.StoreOptions["auth-password"]);
        Assert.Equal([new FilterRule(true, "~/x")], request.Rules);

        Assert.Equal(folder.Path, Of("--target=~").Restore.Target);
        Assert.Equal("./~/x", Of("-t", "./~/x").Restore.Target);
        Assert.Equal("~ann/x", Of("-t", "~ann/x").Restore.Target);
        Assert.Equal("~/x", CliRun.Request("/backup", "-t", "~/x").Restore.Target);
    }

    [Fact]
    public void Names_of_options_ignore_case() =>
        Assert.True(CliRun.Request("/backup", "--OverWrite").Restore.Overwrite);

    [Fact]
    public void An_empty_passphrase_counts_as_none() =>
        Assert.Null(CliRun.Request("/backup", "--passphrase=").Backup.Passphrase);

    [Theory]
    [InlineData("restore", "--restore-path=")]
    [InlineData("restore", "--restore-path=\"\"")]
    [InlineData("restore", "--restore-path", "")]
    [InlineData("plan", "--restore-path=")]
    [InlineData("restore", "--dbpath=")]
    [InlineData("restore", "--prefix=")]
    [InlineData("restore", "--log-file=")]
    [InlineData("restore", "--report=")]
    [InlineData("restore", "--from-config=")]
    [InlineData("database", "--output=")]
    [InlineData("restore", "--include-from=")]
    [InlineData("restore", "--parameters-file=")]
    public async Task Any_other_empty_value_is_a_usage_error_as_a_script_leaves_it_whose_variable_is_not_set(
        string command,
        params string[] option
    )
    {
        var run = await CliRun.OfAsync([command, "/backup", .. option]);
        Assert.Equal(ExitCodes.Usage, run.ExitCode);
        Assert.StartsWith($"{option[0].Split('=')[0]}: the value is empty\n", run.Error, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("--restore-path", "--overwrite")]
    [InlineData("-t", "--overwrite=if-newer")]
    [InlineData("--exclude", "-t", "/out")]
    [InlineData("--auth-password", "--dry-run")]
    public async Task The_name_of_an_option_is_no_value_as_a_script_leaves_it_whose_variable_is_not_set(
        params string[] arguments
    )
    {
        var run = await CliRun.OfAsync(["restore", "/backup", .. arguments]);
        Assert.Equal(ExitCodes.Usage, run.ExitCode);
        Assert.StartsWith(
            $"{arguments[0]} needs a value, and {arguments[1]} is an option",
            run.Error,
            StringComparison.Ordinal
        );
        Assert.Equal("--overwrite", CliRun.Request("restore", "/backup", "--restore-path=--overwrite").Restore.Target);
    }

    [Fact]
    public void Options_of_stores_go_to_the_store()
    {
        var request = CliRun.Request(
            "s3://bucket/folder",
            "--auth-username=ann",
            "--auth-password",
            "se=cret",
            "--use-ssl",
            "*.txt",
            "--s3-server-name=localhost:9000",
            "--number-of-retries=2",
            "--AWS-access-key-id=k",
            "--ssh-keyfile=/k",
            "--rclone-executable=/usr/bin/rclone"
        );
        Assert.Equal(["*.txt"], request.Operands);
        Assert.Equal(
            new Dictionary<string, string>
            {
                ["auth-username"] = "ann",
                ["auth-password"] = "se=cret",
                ["use-ssl"] = "true",
                ["s3-server-name"] = "localhost:9000",
                ["number-of-retries"] = "2",
                ["aws-access-key-id"] = "k",
                ["ssh-keyfile"] = "/k",
                ["rclone-executable"] = "/usr/bin/rclone",
            },
            request.Backup.StoreOptions
        );
    }

    [Fact]
    public void Credentials_of_a_store_come_from_variables_when_no_option_has_them()
    {
        var environment = CliRun.Environment() with
        {
            Variable = name => name.StartsWith("AUTH_", StringComparison.Ordinal) ? name : null,
        };
        var options = CliRun.Request(environment, "/backup", "--auth-username=ann").Backup.StoreOptions;
        Assert.Equal(
            new Dictionary<string, string> { ["auth-username"] = "ann", ["auth-password"] = "AUTH_PASSWORD" },
            options
        );
    }

    [Theory]
    [InlineData("--tempdir=/tmp")]
    [InlineData("--encryption-module=aes")]
    [InlineData("--compression-module=zip")]
    [InlineData("--no-backend-verification=true")]
    [InlineData("--blocksize=100kb")]
    [InlineData("--dblock-size=50mb")]
    [InlineData("--disable-module=console-password-input")]
    [InlineData("--send-mail-to=ann@example.org")]
    [InlineData("--skip-restore-verification")]
    public async Task Options_of_Duplicati_that_are_not_needed_are_accepted_with_one_line(string option)
    {
        var name = option.Split('=')[0];
        var run = await CliRun.OfAsync("/there/is/no/such/folder", option, option, "--tempdir=x");
        var (reported, names) = run.Error.Split('\n')[0].Split(": ") is [var start, var rest]
            ? (start, rest)
            : (run.Error, "");
        Assert.Equal("Not needed here, no effect", reported);
        Assert.Equal(
            new[] { name, "--tempdir" }.Distinct().Order(StringComparer.Ordinal),
            names.Split(", ").Order(StringComparer.Ordinal)
        );
        Assert.DoesNotContain(
            "Not needed",
            (await CliRun.OfAsync("/there/is/no/such/folder", option, "--quiet")).Error,
            StringComparison.Ordinal
        );
        Assert.NotEqual(ExitCodes.Usage, run.ExitCode);
    }

    [Theory]
    [InlineData("--overwite", "--overwite is not an option. Did you mean --overwrite?")]
    [InlineData("--restore-pth=/x", "--restore-pth is not an option. Did you mean --restore-path?")]
    [InlineData("--frobnicate", "--frobnicate is not an option")]
    [InlineData("-x", "-x is not an option")]
    public async Task An_unknown_option_is_a_usage_error_with_a_suggestion(string option, string sentence)
    {
        var run = await CliRun.OfAsync("/backup", option);
        Assert.Equal(ExitCodes.Usage, run.ExitCode);
        Assert.Equal(sentence + "\n'restore --help' shows the usage\n", run.Error);
    }

    [Theory]
    [InlineData("verisons", "There is no help on 'verisons'. Did you mean 'restore help versions'?\n")]
    [InlineData("filter", "There is no help on 'filter'. Did you mean 'restore help filters'?\n")]
    [InlineData(
        "nothing",
        "There is no help on 'nothing'; topics are options, filters, exit-codes, stores, and each command\n"
    )]
    public async Task Help_on_what_does_not_exist_says_what_there_is(string topic, string message)
    {
        var run = await CliRun.OfAsync("help", topic);
        Assert.Equal(ExitCodes.Usage, run.ExitCode);
        Assert.StartsWith(message, run.Error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_target_that_is_not_in_UTF_8_is_refused()
    {
        var run = await CliRun.OfAsync("/b", "--restore-path=/mnt/caf\uFFFD");
        Assert.Equal(ExitCodes.Usage, run.ExitCode);
        Assert.StartsWith("--restore-path: /mnt/caf\uFFFD is not in UTF-8", run.Error, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("verisons", "versions")]
    [InlineData("verfy", "verify")]
    [InlineData("compat", "compact")]
    [InlineData("restor", "restore")]
    public async Task A_misspelled_command_is_a_usage_error_with_a_suggestion(string word, string command)
    {
        var run = await CliRun.OfAsync(word, "/backup");
        Assert.Equal(ExitCodes.Usage, run.ExitCode);
        Assert.StartsWith(
            $"There is no command and no folder '{word}'. Did you mean 'restore {command}'?\n",
            run.Error,
            StringComparison.Ordinal
        );
        Assert.Equal([word], CliRun.Request("/backup", word).Operands);
        Assert.Equal(word, CliRun.Request("--", word).Storage);
    }

    [Fact]
    public void A_path_without_a_separator_at_its_end_takes_the_folder_too()
    {
        var filter = CliRun.Request("/backup", "/home/ann").Restore.Filter;
        Assert.All(["/home/ann", "/home/ann/", "/home/ann/a/b"], path => Assert.True(filter.Matches(path), path));
        Assert.False(filter.Matches("/home/annette"));
        Assert.True(CliRun.Request("/backup", "@/home/ann").Restore.Filter.Matches("/home/ann/a"));
        Assert.False(CliRun.Request("/backup", "@/home/a*").Restore.Filter.Matches("/home/ann/a"));
    }

    [Fact]
    public async Task All_errors_are_reported_at_once()
    {
        var run = await CliRun.OfAsync("/backup", "--frobnicate", "--restore-cache-max=-1", "--overwrite=maybe");
        Assert.Equal(4, run.Error.TrimEnd().Split('\n').Length);
    }

    [Theory]
    [InlineData]
    [InlineData("ls")]
    [InlineData("--overwrite")]
    public async Task Without_a_storage_it_is_a_usage_error(params string[] arguments)
    {
        var run = await CliRun.OfAsync(arguments);
        Assert.Equal(ExitCodes.Usage, run.ExitCode);
        Assert.StartsWith(
            "The location of the backup is missing: a folder or a storage URL, or the variable RESTORE_LOCATION\n",
            run.Error,
            StringComparison.Ordinal
        );
    }

    [Fact]
    public async Task A_filter_that_cannot_be_used_is_a_usage_error()
    {
        var run = await CliRun.OfAsync("/backup", "--include=[(]");
        Assert.Equal(ExitCodes.Usage, run.ExitCode);
        Assert.Contains("[(]", run.Error, StringComparison.Ordinal);
    }

    [GeneratedRegex("\"[^\"]*--[a-z]")]
    private static partial Regex OptionName();
}
