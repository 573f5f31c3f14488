using Restore.Format.Selection;

namespace Restore.Tests.Format;

/// <summary>Paths of streams of Windows.</summary>
public sealed class StreamPathTests
{
    [Theory]
    [InlineData(@"C:\a\file.txt:stream", @"C:\a\file.txt")]
    [InlineData(@"\\nas\share\file.txt:stream", @"\\nas\share\file.txt")]
    [InlineData(@"\\?\C:\a\file.txt:stream", @"\\?\C:\a\file.txt")]
    [InlineData(@"C:\a\folder\:stream", @"C:\a\folder\")]
    [InlineData(@"C:\a\file.txt", "")]
    [InlineData(@"C:\a:b\file.txt", "")]
    [InlineData("/a/file.txt:stream", "")]
    public void The_file_of_a_stream_is_what_stands_before_the_last_colon(string path, string host) =>
        Assert.Equal(host, path[..StreamPath.HostLength(path)]);

    [Theory]
    [InlineData("Zone.Identifier", true)]
    [InlineData("写真 1", true)]
    [InlineData("", false)]
    [InlineData("$DATA", false)]
    [InlineData(":$DATA", false)]
    [InlineData("x:$INDEX_ALLOCATION", false)]
    [InlineData("..\\x", false)]
    [InlineData("a/b", false)]
    [InlineData("end.", false)]
    [InlineData("end ", false)]
    [InlineData("a\u0001", false)]
    public void A_name_that_is_no_stream_of_its_own_stays_a_file(string name, bool isPlain) =>
        Assert.Equal(isPlain, StreamPath.IsPlainName(name));
}
