using Restore.Cli;
using Restore.Cli.Options;
using Restore.Restoring;

namespace Restore.Tests.Cli;

public sealed class OptionTableTests
{
    private static readonly Dictionary<string, Func<HostRequest, bool>> IsOn = new()
    {
        ["--overwrite"] = request => request.Restore.Overwrite,
        ["--overwrite-in-place"] = request => request.Restore is { Overwrite: true, OverwriteInPlace: true },
        ["--skip-metadata"] = request => request.Restore.SkipMetadata,
        ["--restore-permissions"] = request => request.Restore.RestorePermissions,
        ["--dont-compress-restore-paths"] = request => request.Restore.DontCompressRestorePaths,
        ["--allow-restore-outside-target-directory"] = request =>
            request.Restore.AllowRestoreOutsideTargetDirectory == true,
        ["--restore-with-local-blocks"] = request => request.Restore.RestoreWithLocalBlocks,
        ["--trust-times"] = request => request.Restore.TrustTimes,
        ["--salvage-versions"] = request => request.Restore.SalvageVersions,
        ["--no-sync"] = request => request.Execution.SkipFlush,
        ["--restore-preallocate-size"] = request => request.Execution.Tuning.PreallocateSize,
        ["--restore-legacy"] = request => request.Execution.Legacy,
        ["--dry-run"] = request => request.DryRun,
        ["--list-volumes"] = request => request.DryRun && request.Run.ListVolumes,
        ["--internal-profiling"] = request => request.Execution.Profile,
        ["--allow-unencrypted"] = request => request.Backup.AllowUnencrypted,
        ["--allow-gpg-keys"] = request => request.Backup.AllowGpgKeys,
        ["--allow-unauthentic-lists"] = request => request.Backup.AllowUnauthenticLists,
        ["--quiet"] = request => request.Quiet,
        ["-q"] = request => request.Quiet,
        ["--verbose"] = request => request.Verbose,
        ["-v"] = request => request.Verbose,
        ["--json"] = request => request.Json,
        ["--verify-after"] = request => request.Execution.VerifyAfter,
        ["--delete"] = request => request.Run.Delete,
        ["--yes"] = request => request.Yes,
        ["-y"] = request => request.Yes,
    };

    private static readonly Dictionary<string, Func<HostRequest, object?>> ValueOf = new()
    {
        ["--restore-path"] = request => request.Restore.Target,
        ["--target"] = request => request.Restore.Target,
        ["-t"] = request => request.Restore.Target,
        ["--prefix"] = request => request.Backup.Prefix,
        ["--dbpath"] = request => request.Backup.DatabasePath,
        ["--gpg-program-path"] = request => request.Backup.GpgProgramPath,
        ["--par2-program-path"] = request => request.Backup.Par2ProgramPath,
        ["--cache-dir"] = request => request.Backup.CacheDirectory,
        ["--egress-price"] = request =>
            request.Run.EgressPrice?.ToString(System.Globalization.CultureInfo.InvariantCulture),
        ["--passphrase"] = request => request.Backup.Passphrase,
        ["--log-file"] = request => request.LogFile,
        ["--report"] = request => request.Run.ReportFile,
        ["--notify-command"] = request => request.Run.NotifyCommand,
        ["--version"] = request => request.Version,
        ["--max-key-iterations"] = request => request.Backup.MaxKeyIterations,
        ["--max-block-size"] = request => request.Backup.MaxBlockSizeBytes,
        ["--restore-file-processors"] = request => request.Execution.Tuning.FileProcessors,
        ["--restore-volume-downloaders"] = request => request.Execution.Tuning.VolumeDownloaders,
        ["--restore-volume-decryptors"] = request => request.Execution.Tuning.VolumeDecryptors,
        ["--restore-volume-decompressors"] = request => request.Execution.Tuning.VolumeDecompressors,
        ["--restore-channel-buffer-size"] = request => request.Execution.Tuning.ChannelBufferSize,
        ["--restore-cache-evict"] = request => request.Execution.Tuning.CacheEvictPercent,
        ["--restory-cache-evict"] = request => request.Execution.Tuning.CacheEvictPercent,
        ["--restore-cache-max"] = request => request.Execution.Tuning.CacheMaxBytes,
        ["--restore-volume-cache-hint"] = request => request.Execution.Tuning.VolumeCacheHintBytes,
        ["--range-reads"] = request => request.Execution.Tuning.RangeReads,
        ["--request-cost"] = request => request.Execution.Tuning.RequestCostBytes,
    };

    public static TheoryData<string> Switches => new(IsOn.Keys);

    [Theory]
    [InlineData("restore", "--min-size=1mb")]
    [InlineData("export", "--max-size=1mb")]
    [InlineData("plan", "--changed-since=2W")]
    [InlineData("restore", "--changed-before=2W")]
    [InlineData("verify", "--hash=ab")]
    [InlineData("restore", "--sample=1%")]
    [InlineData("delete", "--since=2W")]
    [InlineData("delete", "--exclude-version=0")]
    [InlineData("export", "--exclude-version=0", "--last-good")]
    [InlineData("mount", "--as-of-before=2W")]
    public async Task An_option_that_leaves_something_out_is_refused_where_it_would_not(params string[] line)
    {
        var run = await CliRun.OfAsync([line[0], Fixtures.Backup("plain-1mb"), .. line[1..]]);
        var taken = line.Length > 2;
        Assert.Equal(taken, !run.Error.Contains("would take more than it selects", StringComparison.Ordinal));
        Assert.Equal(ExitCodes.Usage, run.ExitCode);
    }

    [Fact]
    public void Without_options_everything_has_the_default_of_the_library()
    {
        var request = CliRun.Request("/backup");
        Assert.Equal("/backup", request.Storage);
        Assert.Empty(request.Operands);
        Assert.Equal(new RestoreOptions(), request.Restore);
        Assert.Equal(new ExecuteOptions(), request.Execution);
        BackupOptions given = request.Backup;
        Assert.Equal(
            new BackupOptions
            {
                Stores = HostStores.Registry,
                StoreOptions = given.StoreOptions,
                TimeProvider = given.TimeProvider,
            },
            given
        );
        Assert.False(request.Quiet || request.Verbose || request.Json || request.DryRun || request.Execution.Profile);
    }

    [Theory]
    [MemberData(nameof(Switches))]
    public void A_switch_is_on_when_given_and_takes_the_words_Duplicati_takes(string name)
    {
        var isOn = IsOn[name];
        Assert.False(isOn(CliRun.Request("/backup")));
        Assert.All(
            ["", "=true", "=1", "=yes", "=on", "=True"],
            value => Assert.True(isOn(CliRun.Request("/backup", name + value)), value)
        );
        Assert.All(
            ["=false", "=0", "=no", "=off", "=False"],
            value => Assert.False(isOn(CliRun.Request("/backup", name + value)), value)
        );
    }

    [Theory]
    [MemberData(nameof(Switches))]
    public async Task A_switch_with_another_word_is_a_usage_error(string name)
    {
        var run = await CliRun.OfAsync("/backup", name + "=perhaps");
        Assert.Equal(ExitCodes.Usage, run.ExitCode);
        Assert.Matches(": 'perhaps' cannot be used; give (if-newer, never, always, )?true or false\n", run.Error);
    }

    [Theory]
    [InlineData("=always", true, KeptAtTarget.None)]
    [InlineData("=if-newer", true, KeptAtTarget.NotOlder)]
    [InlineData("=If-Newer", true, KeptAtTarget.NotOlder)]
    [InlineData("=never", false, KeptAtTarget.All)]
    public void Overwrite_takes_words_too(string word, bool overwrites, KeptAtTarget keep)
    {
        var request = CliRun.Request("/backup", "--overwrite" + word, "notes.txt");
        Assert.Equal((overwrites, keep), (request.Restore.Overwrite, request.Restore.Keep));
        Assert.Equal(["notes.txt"], request.Operands);
    }

    [Fact]
    public async Task What_is_kept_and_a_change_in_place_exclude_each_other()
    {
        var run = await CliRun.OfAsync("/backup", "--overwrite=if-newer", "--overwrite-in-place");
        Assert.Equal(ExitCodes.Usage, run.ExitCode);
        Assert.StartsWith(
            "--overwrite-in-place and --overwrite=if-newer or =never exclude each other",
            run.Error,
            StringComparison.Ordinal
        );
    }

    [Theory]
    [InlineData("--restore-path", "/out", "/out")]
    [InlineData("--target", "/out", "/out")]
    [InlineData("-t", "/out", "/out")]
    [InlineData("--prefix", "duplicati2", "duplicati2")]
    [InlineData("--dbpath", "a.sqlite", "a.sqlite")]
    [InlineData("--gpg-program-path", "/usr/bin/gpg", "/usr/bin/gpg")]
    [InlineData("--par2-program-path", "/usr/bin/par2", "/usr/bin/par2")]
    [InlineData("--cache-dir", "/var/cache/restore", "/var/cache/restore")]
    [InlineData("--egress-price", "0.09", "0.09")]
    [InlineData("--passphrase", "--a=b:c d", "--a=b:c d")]
    [InlineData("--log-file", "restore.log", "restore.log")]
    [InlineData("--report", "report.html", "report.html")]
    [InlineData("--notify-command", "/usr/bin/true", "/usr/bin/true")]
    [InlineData("--version", "3", 3)]
    [InlineData("--max-key-iterations", "8192", 8192)]
    [InlineData("--max-block-size", "256mb", 256L << 20)]
    [InlineData("--restore-file-processors", "3", 3)]
    [InlineData("--restore-volume-downloaders", "256", 256)]
    [InlineData("--restore-volume-decryptors", "1", 1)]
    [InlineData("--restore-volume-decompressors", "7", 7)]
    [InlineData("--restore-channel-buffer-size", "4096", 4096)]
    [InlineData("--restore-channel-buffer-size", "0", 1)]
    [InlineData("--restore-channel-buffer-size", "99999999999999999999", 4096)]
    [InlineData("--restore-cache-evict", "100", 100)]
    [InlineData("--restore-cache-evict", "0", 1)]
    [InlineData("--restore-cache-evict", "101", 100)]
    [InlineData("--restory-cache-evict", "25", 25)]
    [InlineData("--restore-cache-max", "0", 0L)]
    [InlineData("--restore-cache-max", "100", 100L << 20)]
    [InlineData("--restore-cache-max", "2GB", 2L << 30)]
    [InlineData("--restore-volume-cache-hint", "50mb", 50L << 20)]
    [InlineData("--restore-volume-cache-hint", "0", 1L)]
    [InlineData("--range-reads", "never", RangeReads.Never)]
    [InlineData("--range-reads", "Always", RangeReads.Always)]
    [InlineData("--request-cost", "64", 64L << 10)]
    [InlineData("--request-cost", "1mb", 1L << 20)]
    public void A_value_is_taken_joined_or_apart_and_reaches_the_library(string name, string text, object expected)
    {
        var value = ValueOf[name];
        Assert.Equal(expected, value(CliRun.Request("/backup", $"{name}={text}")));
        Assert.Equal(expected, value(CliRun.Request("/backup", name, text)));
        Assert.Equal(expected, value(CliRun.Request(name, text, "/backup")));
    }

    [Theory]
    [InlineData("--restore-file-processors", "0", "a whole number from 1 to 256")]
    [InlineData("--restore-file-processors", "many", "a whole number from 1 to 256")]
    [InlineData("--restore-volume-downloaders", "257", "a whole number from 1 to 256")]
    [InlineData("--restore-volume-decryptors", "-1", "a whole number from 1 to 256")]
    [InlineData("--restore-volume-decompressors", "1.5", "a whole number from 1 to 256")]
    [InlineData("--restore-channel-buffer-size", "", "a whole number")]
    [InlineData("--restore-cache-evict", "half", "a whole number")]
    [InlineData("--max-key-iterations", "0", "a whole number from 1 to 2147483647")]
    [InlineData("--restore-cache-max", "-1mb", "a size from 0b to 64tb")]
    [InlineData("--restore-cache-max", "65tb", "a size from 0b to 64tb")]
    [InlineData("--restore-cache-max", "4gigs", "a size from 0b to 64tb")]
    [InlineData("--restore-volume-cache-hint", "lots", "a size from 0b to 64tb")]
    [InlineData("--range-reads", "sometimes", "one of auto, never, always")]
    [InlineData("--range-reads", "1", "one of auto, never, always")]
    [InlineData("--request-cost", "-1", "a size from 0b to 1tb")]
    [InlineData("--egress-price", "cheap", "a price such as 0.09")]
    [InlineData("--egress-price", "-1", "a price such as 0.09")]
    [InlineData("--time", "yesterday", "a time such as now, 2026-01-31")]
    public async Task A_value_out_of_range_is_a_usage_error_that_says_the_range(string name, string value, string range)
    {
        var run = await CliRun.OfAsync("/backup", $"{name}={value}");
        Assert.Equal(ExitCodes.Usage, run.ExitCode);
        Assert.StartsWith($"{name}: '{value}' cannot be used; give {range}", run.Error, StringComparison.Ordinal);
        Assert.EndsWith("'restore --help' shows the usage\n", run.Error, StringComparison.Ordinal);
        Assert.Empty(run.Output);
    }

    [Theory]
    [InlineData("newest", "--version: 'newest' is not a version number; 0 is the newest version, 1 the one before it")]
    [InlineData("-1", "--version: '-1' is not a version number; 0 is the newest version, 1 the one before it")]
    [InlineData("0-2", "--version: '0-2' names several versions; a restore takes one")]
    public async Task A_version_that_is_not_a_number_is_a_usage_error(string value, string sentence)
    {
        var run = await CliRun.OfAsync("/backup", "--version=" + value);
        Assert.Equal(ExitCodes.Usage, run.ExitCode);
        Assert.StartsWith(sentence + "\n", run.Error, StringComparison.Ordinal);
    }

    [Fact]
    public void A_time_is_read_by_the_clock_of_the_host() =>
        Assert.Equal(
            new DateTimeOffset(2026, 11, 29, 12, 0, 0, TimeSpan.Zero),
            CliRun.Request("/backup", "--time=2D").Time
        );

    [Fact]
    public async Task Version_and_time_together_are_a_usage_error()
    {
        var run = await CliRun.OfAsync("/backup", "--version=1", "--time=now");
        Assert.Equal(ExitCodes.Usage, run.ExitCode);
        Assert.StartsWith(
            "--version and --time both name a version; give one of them\n",
            run.Error,
            StringComparison.Ordinal
        );
    }

    [Theory]
    [InlineData("--restore-file-processors", "1", "256")]
    [InlineData("--restore-volume-downloaders", "1", "256")]
    [InlineData("--restore-volume-decryptors", "1", "256")]
    [InlineData("--restore-volume-decompressors", "1", "256")]
    [InlineData("--restore-channel-buffer-size", "1", "4096")]
    [InlineData("--restore-cache-evict", "1", "100")]
    [InlineData("--restore-cache-max", "0", "64tb")]
    [InlineData("--restore-volume-cache-hint", "1b", "64tb")]
    public void The_library_takes_what_the_host_lets_through(string name, string lowest, string highest)
    {
        foreach (var value in new[] { lowest, highest })
        {
            Assert.NotNull(
                FlowSettings.Resolve(
                    CliRun.Request("/backup", name, value).Execution.Tuning,
                    cores: 4,
                    memoryBytes: 8L << 30,
                    isLocal: true
                )
            );
        }
    }

    [Fact]
    public async Task Every_option_that_takes_a_value_says_so_when_it_gets_none()
    {
        foreach (var option in CliRun.Options().Where(option => option.TakesValue))
        {
            var run = await CliRun.OfAsync("/backup", option.Name);
            Assert.Equal(ExitCodes.Usage, run.ExitCode);
            Assert.StartsWith(
                $"{option.Name} needs a value: {option.Name}=<value>\n",
                run.Error,
                StringComparison.Ordinal
            );
        }
    }

    [Fact]
    public void Every_option_is_covered_by_these_tests_or_named_here()
    {
        string[] elsewhere =
        [
            "--include",
            "--exclude",
            "--time",
            "--passphrase-file",
            "--passphrase-command",
            "--help",
            "--program-version",
            "--offset",
            "--count",
            "--no-local-db",
            "--output",
            "--include-from",
            "--long",
            "--recursive",
            "--tree",
            "--port",
            "--allow-original-places",
            "--open",
            "--index-folder",
            "--read-volumes",
            "--purge-broken-files",
            "--rebuild-missing-dblock-files",
            "--rebuild-from",
            "--exclude-from",
            "--parameters-file",
            .. Maintenance.PassphraseChangeTests.Options,
            .. Mount.MountProgramTests.Options,
            .. BackupCommandTests.Options,
            .. BackupSelectionTests.Options,
            .. OperationScriptsTests.Options,
            .. VerifyCommandTests.Options,
            .. LastGoodTests.Options,
            .. OwnerPairTests.Options,
            .. LookInsideTests.Options,
            .. ShardCommandTests.Options,
        ];
        Assert.Empty(
            CliRun
                .Options()
                .Select(option => option.Name)
                .Except(IsOn.Keys)
                .Except(ValueOf.Keys)
                .Except(elsewhere)
                .Except(JobsCommandTests.Options)
                .Except(DiffCommandTests.Options)
                .Except(ExportCommandTests.Options)
                .Except(FindCommandTests.Options)
                .Except(FirstOptionTests.Options)
                .Except(KeepingCommandTests.Options)
        );
    }
}
