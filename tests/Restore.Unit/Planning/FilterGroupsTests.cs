using Restore.Format.Selection;

namespace Restore.Tests.Planning;

public sealed class FilterGroupsTests
{
    [Theory]
    [InlineData("Linux", "{TemporaryFiles}", "/temporary/ */lost+found/ *~ /tmp/")]
    [InlineData("Linux", "{systemfiles}", "/dev/ /proc/ /selinux/ /sys/")]
    [InlineData("Linux", "{OS,Apps}", "/bin/ /boot/ /etc/ /initrd/ /sbin/ /var/ /lib/ /lib64/ /opt/ /usr/")]
    [InlineData("MacOS", "{Applications}", "/Applications/ /Library/ /usr/ /opt/")]
    [InlineData(
        "Windows",
        "{Tmp}",
        @"\temporary\ *.tmp *.tmp\ *\AppData\Local\Temp* *\AppData\Temp* *\Local·Settings\Temp* C:\Windows\Temp\"
    )]
    public void A_group_is_what_it_is_in_Duplicati_on_that_system(string system, string group, string members) =>
        Assert.Equal(members.Split(' ').Select(member => member.Replace('·', ' ')), Members(system, group));

    [Theory]
    [InlineData("Linux", "/home/ann/.cache-of-user/")]
    [InlineData("Linux", "*/Mozilla/Firefox/*cache*")]
    [InlineData("Windows", @"*\Thumbs.db")]
    [InlineData("Windows", @"C:\Users\ann\InternetCache\")]
    [InlineData("Windows", @"C:\Windows.old\")]
    [InlineData("MacOS", "*/Library/Caches/")]
    public void The_default_excludes_are_all_groups(string system, string member) =>
        Assert.Contains(member, Members(system, "{DefaultExcludes}"));

    [Theory]
    [InlineData("{DefaultIncludes}")]
    [InlineData("{None}")]
    [InlineData("{}")]
    public void A_group_without_members_matches_nothing_and_still_counts_as_a_filter(string group)
    {
        FilterRule rule = Assert.Single(FilterGroups.Expand([new(true, group)], Places("Linux")));
        Assert.False(EntryFilter.Parse([], [rule]).Matches("/home/ann/notes.txt"));
    }

    [Fact]
    public void An_unknown_group_is_an_error_that_names_those_there_are()
    {
        RestoreException failure = Assert.Throws<RestoreException>(() =>
            Members("Linux", "{TemporaryFiles,Photos}").ToList()
        );
        Assert.Equal(RestoreErrorCode.FilterGroupUnsupported, failure.Code);
        Assert.Contains("DefaultExcludes", failure.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void A_filter_of_a_backup_decides_by_groups_and_other_filters_in_their_order()
    {
        EntryFilter filter = EntryFilter.ForBackup([new(true, "*/kept~"), new(false, "{TemporaryFiles}")]);
        Assert.Equal(
            [true, false, true],
            new[] { "/a/kept~", "/a/left~", "/a/other" }.Select(path => filter.Matches(path))
        );
    }

    private static IEnumerable<string> Members(string system, string group) =>
        FilterGroups.Expand([new(false, group)], Places(system)).Select(rule => rule.Expression);

    private static FilterGroupPlaces Places(string system) =>
        new(
            Enum.Parse<FilterGroupSystem>(system),
            name => name is "Windows" ? @"C:\Windows" : $@"C:\Users\ann\{name}",
            "/temporary/",
            "/home/ann/.cache-of-user/"
        );
}
