namespace Restore.Tests;

public class FixturesTests
{
    [Fact]
    public void The_fixtures_of_this_repository_are_found()
    {
        Assert.StartsWith(
            Path.Combine(Fixtures.RepositoryRoot(), "tests"),
            Fixtures.Folder("plain-1mb"),
            StringComparison.Ordinal
        );
        Assert.NotEmpty(Directory.GetFiles(Fixtures.Backup("damaged/base-plain"), "*.dblock.zip"));
    }

    [Fact]
    public void A_fixture_that_is_nowhere_is_not_found() =>
        Assert.Throws<DirectoryNotFoundException>(() => Fixtures.Folder("no-such-fixture"));
}
