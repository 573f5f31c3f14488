using Restore.Cli;
using Restore.Cli.Options;

namespace Restore.Tests.Cli;

/// <summary>Places that are named as other programs name them.</summary>
public sealed class LocationHintTests
{
    [Theory]
    [InlineData("ann@host:/bk", "a folder of an SSH server is ssh://ann@host/bk")]
    [InlineData(
        "host:bk",
        "a folder of an SSH server is ssh://host/home/NAME/bk (the path starts at the root of the server)"
    )]
    [InlineData("sftp:ann@host:/bk", "here it is ssh://ann@host/bk")]
    [InlineData("scp://ann@host/bk", "here it is ssh://ann@host/bk")]
    [InlineData("dav://host/bk", "here it is webdav://host/bk")]
    [InlineData("davs://host/bk", "here it is webdavs://host/bk")]
    [InlineData(
        "http://host/bk",
        "a folder of a WebDAV server is webdav://host/bk; a bucket is s3://bucket/folder?s3-server-name=HOST"
    )]
    [InlineData(
        "https://host/bk",
        "a folder of a WebDAV server is webdavs://host/bk; a bucket is s3://bucket/folder?s3-server-name=HOST"
    )]
    [InlineData("gs://bucket/bk", "here it is gcs://bucket/bk")]
    [InlineData("rclone:remote:bk", "here it is rclone://remote/bk")]
    [InlineData("b2:bucket:bk", "here it is b2://bucket/bk")]
    [InlineData(
        "s3://host:9000/bucket/bk",
        "the server belongs behind the bucket: s3://bucket/bk?s3-server-name=host:9000&use-ssl=false, or use-ssl=true if the server has a certificate"
    )]
    [InlineData(
        "smb://host/share",
        "Mount the share, and give its folder, such as /mnt/share/backup; rclone reaches it too (rclone://remote/folder)"
    )]
    public async Task The_right_form_is_named(string location, string instead)
    {
        Assert.Equal(instead, LocationHint.InsteadOf(location));
        var run = await CliRun.OfAsync("versions", location);
        Assert.Equal(ExitCodes.Usage, run.ExitCode);
        Assert.StartsWith($"{location} cannot be used: {instead}\n", run.Error, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("/mnt/backup")]
    [InlineData("backup")]
    [InlineData(@"C:\backup")]
    [InlineData("C:backup")]
    [InlineData("s3://bucket/folder?s3-server-name=host:9000")]
    [InlineData("ssh://ann:sesame@host:22/folder")]
    [InlineData("webdavs://host:8443/dav")]
    [InlineData("nothing-of-ours://host/x")]
    public void Right_and_unknown_forms_are_left_to_the_store(string location) =>
        Assert.Null(LocationHint.InsteadOf(location));

    [Fact]
    public async Task A_password_in_the_address_is_not_shown()
    {
        var run = await CliRun.OfAsync("versions", "dav://ann:sesame-42@host/bk");
        Assert.StartsWith(
            "dav://ann@host/bk cannot be used: here it is webdav://ann@host/bk\n",
            run.Error,
            StringComparison.Ordinal
        );
    }

    [Fact]
    public async Task A_folder_with_such_a_name_is_used()
    {
        using var folder = new TempFolder();
        Directory.CreateDirectory(folder.In("ann@host:bk"));
        Assert.Null(LocationHint.InsteadOf(folder.In("ann@host:bk")));
        Assert.Equal(ExitCodes.NotFound, (await CliRun.OfAsync("versions", folder.In("ann@host:bk"))).ExitCode);
    }

    [Fact]
    public async Task Snapshots_are_versions()
    {
        var backup = Fixtures.Backup("plain-1mb");
        var (snapshots, versions) = (
            await CliRun.OfAsync("snapshots", backup),
            await CliRun.OfAsync("versions", backup)
        );
        Assert.Equal(ExitCodes.Complete, snapshots.ExitCode);
        Assert.Equal(versions.Output, snapshots.Output);
    }
}
