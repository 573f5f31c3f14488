using Restore.Cli;
using Restore.Cli.Options;

namespace Restore.Tests.Cli;

public sealed class StoresCommandTests
{
    [Fact]
    public async Task Every_store_is_listed_with_its_locations_and_options()
    {
        var run = await CliRun.OfAsync("stores");

        Assert.Equal(ExitCodes.Complete, run.ExitCode);
        Assert.Empty(run.Error);
        Assert.All(
            HostStores.Registry.Providers.SelectMany(store => store.Locations),
            location => Assert.Contains($"  {location}\n", run.Output, StringComparison.Ordinal)
        );
        Assert.All(
            HostStores.Registry.Options.SelectMany(option => option.Aliases.Prepend(option.Name)),
            name => Assert.Contains($"--{name}", run.Output, StringComparison.Ordinal)
        );
        Assert.DoesNotContain('`', run.Output);
        Assert.All(run.Output.Split('\n'), line => Assert.True(line.Length <= 104, line));
    }

    [Fact]
    public async Task One_store_is_listed_by_any_of_its_schemes()
    {
        var run = await CliRun.OfAsync("stores", "AFTP");

        Assert.StartsWith("FTP: a folder on an FTP server", run.Output, StringComparison.Ordinal);
        Assert.Contains("\n  reached by the program rclone\n", run.Output, StringComparison.Ordinal);
        Assert.Contains(
            "\n  --use-ssl                     the same as 'Explicit' (default: off)\n",
            run.Output,
            StringComparison.Ordinal
        );
        Assert.Contains("\n  --number-of-retries N         further tries", run.Output, StringComparison.Ordinal);
        Assert.DoesNotContain("s3", run.Output, StringComparison.OrdinalIgnoreCase);
    }

    [Fact]
    public async Task A_scheme_of_no_store_is_a_usage_error_that_names_those_there_are()
    {
        var run = await CliRun.OfAsync("stores", "gdrive");

        Assert.Equal(ExitCodes.Usage, run.ExitCode);
        const string Schemes = "file, webdav, webdavs, ftp, aftp, rclone, ssh, sftp, s3, b2, gcs, azure";
        Assert.StartsWith($"Give one of the URL schemes: {Schemes}\n", run.Error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_misspelled_option_of_a_store_is_a_usage_error_with_a_suggestion()
    {
        var run = await CliRun.OfAsync("s3://bucket/x", "--s3-sever-name=host");

        Assert.Equal(ExitCodes.Usage, run.ExitCode);
        Assert.StartsWith(
            "--s3-sever-name is not an option. Did you mean --s3-server-name?\n",
            run.Error,
            StringComparison.Ordinal
        );
    }
}
