using System.Text;
using Restore.Planning.Paths;

namespace Restore.Tests.Planning;

public class RenameRuleTests
{
    private static readonly TimeZoneInfo Zone = TimeZoneInfo.CreateCustomTimeZone(
        "two",
        TimeSpan.FromHours(2),
        "two",
        "two"
    );
    private readonly RenameRule rule = new(new DateTimeOffset(2026, 1, 30, 22, 30, 0, TimeSpan.Zero), Zone);

    [Theory]
    [InlineData("letter.txt", "letter.2026-01-31.txt")]
    [InlineData("a.tar.gz", "a.tar.2026-01-31.gz")]
    [InlineData(".profile", ".2026-01-31.profile")]
    [InlineData("Makefile", "Makefile.2026-01-31")]
    [InlineData("sub.d/Makefile", "sub.d/Makefile.2026-01-31")]
    [InlineData("a.b/c/d.e", "a.b/c/d.2026-01-31.e")]
    [InlineData("end.", "end.2026-01-31")]
    public void The_date_of_the_backup_goes_before_the_extension(string path, string expected) =>
        Assert.Equal(expected, rule.Candidates(path).First());

    [Fact]
    public void After_the_date_come_a_hundred_numbers()
    {
        string[] candidates = [.. rule.Candidates("d/a.txt")];
        Assert.Equal(101, candidates.Length);
        Assert.Equal("d/a.2026-01-31.txt", candidates[0]);
        Assert.Equal("d/a.2026-01-31 (0).txt", candidates[1]);
        Assert.Equal("d/a.2026-01-31 (99).txt", candidates[100]);
        Assert.Equal(101, candidates.Distinct().Count());
    }

    [Fact]
    public void A_name_as_long_as_names_can_be_is_shortened()
    {
        string smiles = string.Concat(Enumerable.Repeat("🙂", 63));
        foreach (
            string name in new[]
            {
                new string('x', 251) + ".txt",
                new string('文', 84) + ".é",
                "." + smiles,
                new string('é', 127),
            }
        )
        {
            string[] candidates = [.. rule.Candidates("d/" + name)];
            Assert.Equal(101, candidates.Distinct().Count());
            Assert.All(candidates, candidate => Assert.InRange(Encoding.UTF8.GetByteCount(candidate) - 2, 1, 255));
            Assert.All(
                candidates,
                candidate => Assert.DoesNotContain('\uFFFD', Encoding.UTF8.GetString(Encoding.UTF8.GetBytes(candidate)))
            );
        }
    }
}
