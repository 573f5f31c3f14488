using Restore.Storage;

namespace Restore.Tests.Storage;

public class FileLocationTests
{
    [Theory]
    [InlineData("/mnt/backup", "/mnt/backup")]
    [InlineData("backup/of mine", "backup/of mine")]
    [InlineData("/mnt/100%25", "/mnt/100%25")]
    [InlineData("file:///mnt/backup", "/mnt/backup")]
    [InlineData("FILE:///mnt/backup", "/mnt/backup")]
    [InlineData("file:///mnt/100%25%20of%20a+b", "/mnt/100% of a+b")]
    [InlineData("file:///mnt/%E5%AF%86", "/mnt/密")]
    [InlineData("file:///mnt/backup?option=value", "/mnt/backup")]
    [InlineData("file:///mnt/what%3F", "/mnt/what?")]
    [InlineData("file://localhost/mnt/backup", "/mnt/backup")]
    [InlineData("file://backup/mine", "backup/mine")]
    public void A_path_or_URL_names_a_folder(string location, string path)
    {
        Assert.True(FileLocation.TryParse(location, isWindows: false, out string parsed));
        Assert.Equal(path, parsed);
    }

    [Theory]
    [InlineData(@"C:\backup", @"C:\backup")]
    [InlineData(@"\\server\share", @"\\server\share")]
    [InlineData("file:///C:/my%20backup", "C:/my backup")]
    [InlineData("file://C:/backup", "C:/backup")]
    [InlineData(@"file://C:\backup", @"C:\backup")]
    [InlineData("file://server/share/backup", @"\\server\share\backup")]
    [InlineData(@"file://\\server\share", @"\\server\share")]
    [InlineData("file:////server/share", "//server/share")]
    [InlineData("file://localhost/C:/backup", "C:/backup")]
    public void On_Windows_drives_and_shares_are_understood(string location, string path)
    {
        Assert.True(FileLocation.TryParse(location, isWindows: true, out string parsed));
        Assert.Equal(path, parsed);
    }

    [Theory]
    [InlineData("")]
    [InlineData("file://")]
    [InlineData("file://?a=b")]
    [InlineData("file:///mnt/%00")]
    [InlineData("s3://bucket/folder")]
    [InlineData("webdavs://user:secret@host/folder")]
    [InlineData("://nothing")]
    public void Anything_else_is_not_a_local_folder(string location)
    {
        Assert.False(FileLocation.TryParse(location, OperatingSystem.IsWindows(), out _));
    }
}
