using Restore.Ends.Portable;

namespace Restore.Tests.Ends;

public sealed class WindowsNamesTests
{
    [Theory]
    [InlineData("CON")]
    [InlineData("folder/nul.txt")]
    [InlineData("aux /file")]
    [InlineData("Com1.tar.gz")]
    [InlineData("LPT\u00b9")]
    [InlineData("conout$")]
    [InlineData("dot.")]
    [InlineData("blank ")]
    [InlineData("dot./file")]
    [InlineData("back\\slash")]
    [InlineData("..\\up")]
    [InlineData("C:/Windows")]
    [InlineData("a?b")]
    [InlineData("a*b")]
    [InlineData("a|b")]
    [InlineData("a<b")]
    [InlineData("a\"b")]
    [InlineData("tab\t")]
    [InlineData("folder:stream/file")]
    [InlineData("file.txt:stream")]
    public void A_name_that_means_something_else_on_Windows_is_refused(string path)
    {
        IOException exception = Assert.Throws<IOException>(() => WindowsNames.Check(path));
        Assert.StartsWith(
            $"The target path '{path}' cannot be restored on Windows: ",
            exception.Message,
            StringComparison.Ordinal
        );
    }

    [Theory]
    [InlineData("file.txt")]
    [InlineData("console/com10/null/lpt.txt")]
    [InlineData("clock$.txt")]
    [InlineData(".hidden/..foo/a b")]
    [InlineData("\u00e9\u9577\U0001F600")]
    public void Any_other_name_is_taken(string path) => WindowsNames.Check(path);
}
