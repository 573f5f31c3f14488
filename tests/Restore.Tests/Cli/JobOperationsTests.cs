using System.Text.Json.Nodes;
using Restore.Cli;
using Restore.Tests.Writing;

namespace Restore.Tests.Cli;

/// <summary>
/// A job of Duplicati says what is backed up and what is kept, without saying it again.
/// </summary>
public sealed class JobOperationsTests : IDisposable
{
    private readonly RoundTrip trip = new();

    public JobOperationsTests()
    {
        foreach (string name in new[] { "a.txt", "b.tmp", "c~", "large" })
        {
            File.WriteAllText(Path.Join(trip.Source, name), name == "large" ? new string('x', 5000) : name);
        }
    }

    public void Dispose() => trip.Dispose();

    [Fact]
    public async Task Sources_filters_and_options_of_a_job_are_taken()
    {
        string job = Job(
            [$"{trip.Source}/"],
            [(false, "*.tmp"), (false, "{TemporaryFiles}")],
            ("passphrase", "secret"),
            ("encryption-module", "aes"),
            ("compression-module", "zip"),
            ("skip-files-larger-than", "4kb"),
            ("blocksize", "2kb"),
            ("send-mail-to", "ann@example.org"),
            ("keep-versions", "3")
        );
        CliRun run = await RunAsync("backup", job);
        Assert.True(run.ExitCode == ExitCodes.Complete, run.Error);
        Assert.Contains("--send-mail-to", run.Error, StringComparison.Ordinal);
        Assert.Contains(
            "Old versions stay: 'restore delete' with --keep-versions",
            run.Error,
            StringComparison.Ordinal
        );
        Assert.Equal(
            ["a.txt"],
            Directory.GetFiles(await trip.RestoreAsync(passphrase: "secret")).Select(Path.GetFileName)
        );
        CliRun list = await RunAsync("test-filters", job);
        Assert.Contains($"- {trip.Source}/b.tmp  (5 bytes): exclude '*.tmp'\n", list.Output, StringComparison.Ordinal);
        Assert.Contains("1 file (", list.Output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task The_command_line_comes_before_the_job()
    {
        string job = Job(
            [Path.Join(trip.Folder, "none")],
            [(false, "*.txt")],
            ("no-encryption", "true"),
            ("skip-files-larger-than", "4kb")
        );
        CliRun run = await CliRun.OfAsync(
            environment => environment with { Clock = TimeProvider.System },
            "backup",
            trip.Source,
            "--from-config=" + job,
            "--include=*/a.txt",
            "--skip-files-larger-than=1gb"
        );
        Assert.True(run.ExitCode == ExitCodes.Complete, run.Error);
        Assert.Equal(
            ["a.txt", "b.tmp", "c~", "large"],
            Directory.GetFiles(await trip.RestoreAsync()).Select(Path.GetFileName).Order(StringComparer.Ordinal)
        );
    }

    [Theory]
    [InlineData("encryption-module", "")]
    [InlineData("no-encryption", "true")]
    public async Task A_job_without_encryption_makes_such_a_backup(string option, string value)
    {
        Assert.Equal(ExitCodes.Complete, (await RunAsync("backup", Job([trip.Source], [], (option, value)))).ExitCode);
        Assert.Single(Directory.GetFiles(trip.Destination, "*.dlist.zip"));
    }

    [Fact]
    public async Task The_retention_of_a_job_is_that_of_delete_unless_versions_are_named()
    {
        string job = Job([trip.Source], [], ("no-encryption", "true"), ("keep-versions", "2"));
        for (int i = 0; i < 4; i++)
        {
            await File.WriteAllTextAsync(
                Path.Join(trip.Source, "a.txt"),
                $"{i}",
                TestContext.Current.CancellationToken
            );
            Assert.Equal(ExitCodes.Complete, (await RunAsync("backup", job)).ExitCode);
        }

        Assert.Equal(ExitCodes.Complete, (await RunAsync("delete", job, "--version=3", "--yes")).ExitCode);
        Assert.Equal(3, trip.VolumesOf("dlist").Count());
        Assert.Equal(ExitCodes.Complete, (await RunAsync("delete", job, "--yes")).ExitCode);
        Assert.Equal(2, trip.VolumesOf("dlist").Count());
        Assert.Equal(ExitCodes.Complete, (await RunAsync("compact", job, "--dry-run")).ExitCode);
    }

    [Theory]
    [InlineData("snapshot-policy", "required", "--snapshot-policy=required cannot be used for a backup")]
    [InlineData("remote-file-lock-duration", "30D", "--remote-file-lock-duration cannot be used for a backup")]
    [InlineData("run-script-before-required", "/bin/true", "needs a program before it, and a job starts none")]
    [InlineData("skip-files-larger-than", "much", "--skip-files-larger-than: 'much' cannot be used")]
    public async Task What_a_job_asks_for_and_is_not_done_is_refused_before_anything_is_written(
        string option,
        string value,
        string reason
    )
    {
        string job = Job([trip.Source], [], ("no-encryption", "true"), (option, value));
        CliRun run = await RunAsync("backup", job);
        Assert.Equal((ExitCodes.Usage, false), (run.ExitCode, Directory.Exists(trip.Destination)));
        Assert.Contains(reason, run.Error, StringComparison.Ordinal);
        string own = option == "skip-files-larger-than" ? "1gb" : "";
        Assert.Equal(ExitCodes.Complete, (await RunAsync("backup", job, $"--{option}={own}")).ExitCode);
    }

    [Fact]
    public async Task A_program_of_a_job_is_named_and_not_started()
    {
        string seen = Path.Join(trip.Folder, "seen");
        CliRun run = await RunAsync(
            "backup",
            Job([trip.Source], [], ("no-encryption", "true"), ("run-script-before", "/usr/bin/touch " + seen))
        );
        Assert.Equal((ExitCodes.Complete, false), (run.ExitCode, File.Exists(seen)));
        Assert.Contains(
            "--run-script-before (a job starts no program; give it here)",
            run.Error,
            StringComparison.Ordinal
        );
    }

    [Fact]
    public async Task Names_of_folders_in_sources_are_those_of_this_machine()
    {
        string job = Job(["%HOME%/"], [(false, "%HOME%/b.tmp")], ("no-encryption", "true"));
        CliRun run = await CliRun.OfAsync(
            environment =>
                environment with
                {
                    Clock = TimeProvider.System,
                    Variable = name => name == "HOME" ? trip.Source : null,
                },
            "backup",
            "--from-config=" + job
        );
        Assert.True(run.ExitCode == ExitCodes.Complete, run.Error);
        Assert.DoesNotContain("b.tmp", Directory.GetFiles(await trip.RestoreAsync()).Select(Path.GetFileName));
        run = await RunAsync("backup", Job(["%NO_SUCH_NAME%/a"], [], ("no-encryption", "true")));
        Assert.Equal(ExitCodes.Usage, run.ExitCode);
        Assert.Contains("The job names %NO_SUCH_NAME% in", run.Error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task The_command_lines_of_a_job_do_what_it_does()
    {
        string job = Job(
            [$"{trip.Source}/"],
            [(false, "*.tmp")],
            ("passphrase", "very secret"),
            ("keep-versions", "2"),
            ("blocksize", "2kb"),
            ("threshold", "40"),
            ("snapshot-policy", "required")
        );
        CliRun run = await CliRun.OfAsync("jobs", job, "--commands");
        Assert.Equal(ExitCodes.Complete, run.ExitCode);
        string place = "file://" + trip.Destination;
        string[] wanted =
        [
            "# Home",
            $"restore backup {trip.Source}/ {place} --blocksize=2kb '--exclude=*.tmp' --passphrase-file=FILE",
            $"restore delete {place} --keep-versions=2 --yes --passphrase-file=FILE",
            $"restore compact {place} --threshold=40 --yes --passphrase-file=FILE",
            "# not taken: --snapshot-policy (--snapshot-policy=required cannot be used for a backup: no snapshot is made: files are read as they are)",
        ];
        Assert.Equal(
            wanted,
            run.Output.TrimEnd()
                .Split('\n')
                .Select(line => line.Replace("'--blocksize=2kb'", "--blocksize=2kb", StringComparison.Ordinal))
        );
        Assert.DoesNotContain("secret", run.Output, StringComparison.Ordinal);
    }

    private string Job(
        string[] sources,
        (bool Include, string Expression)[] filters,
        params (string Name, string Value)[] settings
    )
    {
        JsonObject backup = new()
        {
            ["Name"] = "Home",
            ["TargetURL"] = "file://" + trip.Destination,
            ["Sources"] = new JsonArray([.. sources.Select(source => (JsonNode)source)]),
            ["Settings"] = new JsonArray([
                .. settings.Select(setting =>
                    (JsonNode)new JsonObject { ["Name"] = "--" + setting.Name, ["Value"] = setting.Value }
                ),
            ]),
            ["Filters"] = new JsonArray([
                .. filters.Select(
                    (filter, order) =>
                        (JsonNode)
                            new JsonObject
                            {
                                ["Order"] = order,
                                ["Include"] = filter.Include,
                                ["Expression"] = filter.Expression,
                            }
                ),
            ]),
        };
        string file = Path.Join(trip.Folder, $"job{Guid.NewGuid():N}.json");
        File.WriteAllText(file, new JsonObject { ["Backup"] = backup }.ToJsonString());
        return file;
    }

    private static Task<CliRun> RunAsync(string command, string job, params string[] options) =>
        CliRun.OfAsync(
            environment => environment with { Clock = TimeProvider.System },
            [command, "--from-config=" + job, .. options]
        );
}
