using Restore.Tests.Ends;
using Restore.Tests.FixtureTests;

namespace Restore.Tests.Trust;

/// <summary>What a backup cannot do to the machine it is restored on.</summary>
public sealed class TargetTrustTests
{
    private static readonly TimeSpan Soon = TimeSpan.FromSeconds(60);
    private static readonly byte[] Content = [.. Enumerable.Range(0, 3000).Select(number => (byte)(number * 7))];

    /// <summary>In the order of the list the link through x comes before x, and after it.</summary>
    [Theory]
    [InlineData("/data/zz", false)]
    [InlineData("/data/zz", true)]
    [InlineData("/data/a/aa", false)]
    [InlineData("/data/a/aa", true)]
    public async Task A_chain_of_links_does_not_lead_out_of_the_target(string path, bool isDrill)
    {
        using MadeBackup backup = new();
        backup.Folder("/data/", MadeBackup.Metadata());
        backup.Folder("/data/a/", MadeBackup.Metadata());
        backup.Folder("/data/a/b/", MadeBackup.Metadata());
        backup.Link("/data/a/b/x", "../..");
        backup.Link(
            path,
            path.StartsWith("/data/a/", StringComparison.Ordinal)
                ? "b/x/../root/../outside"
                : "a/b/x/../root/../outside"
        );
        backup.File("/data/file", Content, MadeBackup.Metadata());
        RestoreReport report = await backup.Write().RestoreAsync(new RestoreOptions { VerifyOnly = isDrill });

        RestoreIssue issue = Assert.Single(report.Issues);
        Assert.Equal((path, IssueCode.LinkOutsideTarget), (issue.Path, issue.Code));
        Assert.Equal(1, report.SymlinksRestored);
        Assert.Null(new FileInfo(backup.At(path["/data/".Length..])).LinkTarget);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_link_within_the_target_is_made_by_way_of_folders_and_links_that_are_there(bool isDrill)
    {
        using MadeBackup backup = new();
        backup.Folder("/data/", MadeBackup.Metadata());
        backup.Folder("/data/a/", MadeBackup.Metadata());
        backup.Link("/data/a/x", "../a/../file");
        backup.Link("/data/b", "a/../a/x");
        backup.File("/data/file", Content, MadeBackup.Metadata());
        RestoreReport report = await backup.Write().RestoreAsync(new RestoreOptions { VerifyOnly = isDrill });
        Assert.Empty(report.Issues);
        Assert.Equal(2, report.SymlinksRestored);
    }

    [Theory]
    [InlineData(Flow.Network)]
    [InlineData(Flow.Legacy)]
    public async Task Attributes_that_give_rights_are_left_out_and_named_once(Flow flow)
    {
        byte[] metadata = MadeBackup.Metadata(
            ("unix-ext:user.note", "YWJj"),
            ("unix-ext:security.capability", "YWJj"),
            ("unix-ext:trusted.note", "YWJj")
        );
        using MadeBackup backup = new();
        backup.Folder("/data/", metadata);
        backup.File("/data/a", Content, metadata);
        backup.File("/data/b", Content, metadata);
        RestoreReport report = await backup
            .Write()
            .RestoreAsync(new RestoreOptions { RestorePermissions = true }.By(flow));

        Assert.All(report.Issues, issue => Assert.Equal(IssueKind.Warning, issue.Kind));
        Assert.Equal(
            [
                "The extended attribute 'security.capability' is never set, as it may give rights (3 in all; this is the first)",
                "The extended attribute 'trusted.note' is never set, as it may give rights (3 in all; this is the first)",
            ],
            report.Issues.Select(issue => issue.Reason).Order(StringComparer.Ordinal)
        );
        Assert.Equal("abc", Native.Attribute(backup.At("a"), "user.note"));
        Assert.Null(Native.Attribute(backup.At("a"), "security.capability"));
        Assert.Null(Native.Attribute(backup.At("a"), "trusted.note"));
    }

    [Theory]
    [InlineData(Flow.Network, false)]
    [InlineData(Flow.Network, true)]
    [InlineData(Flow.Legacy, false)]
    [InlineData(Flow.Legacy, true)]
    public async Task A_pipe_in_the_way_is_not_opened(Flow flow, bool overwrite)
    {
        using MadeBackup backup = new();
        backup.File("/data/pipe", Content, MadeBackup.Metadata());
        backup.File("/data/file", Content, MadeBackup.Metadata());
        Directory.CreateDirectory(backup.Target);
        Native.Fifo(backup.At("pipe"));
        using OpenWatch watch = new(backup.At("pipe"));
        RestoreReport report = await backup
            .Write()
            .RestoreAsync(new RestoreOptions { Overwrite = overwrite }.By(flow))
            .WaitAsync(Soon);

        Assert.False(watch.WasOpened());
        Assert.Equal(overwrite ? 1 : 2, report.FilesRestored);
        Assert.Equal(overwrite ? IssueKind.Refused : IssueKind.Warning, Assert.Single(report.Issues).Kind);
    }

    [Fact]
    public async Task A_pipe_at_the_original_place_is_not_opened_for_its_blocks()
    {
        using TempFolder original = new();
        string pipe = Path.Join(original.Path, "pipe");
        Native.Fifo(pipe);
        using OpenWatch watch = new(pipe);
        using MadeBackup backup = new();
        backup.File(pipe, Content, MadeBackup.Metadata());
        RestoreReport report = await backup
            .Write()
            .RestoreAsync(new RestoreOptions { RestoreWithLocalBlocks = true })
            .WaitAsync(Soon);

        Assert.False(watch.WasOpened());
        Assert.Equal(1, report.FilesRestored);
        Assert.Empty(report.Issues);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Sizes_whose_sum_is_too_large_for_a_number_are_refused_one_by_one(bool isDrill)
    {
        using MadeBackup backup = new();
        foreach (string name in (string[])["one", "two", "three"])
        {
            backup.File("/data/" + name, Content, MadeBackup.Metadata())["size"] = 1L << 62;
        }

        backup.File("/data/file", Content, MadeBackup.Metadata());
        RestoreReport report = await backup.Write().RestoreAsync(new RestoreOptions { VerifyOnly = isDrill });
        Assert.Equal(1, report.FilesRestored);
        Assert.Equal(["/data/one", "/data/three", "/data/two"], report.Issues.Select(issue => issue.Path));
    }
}
