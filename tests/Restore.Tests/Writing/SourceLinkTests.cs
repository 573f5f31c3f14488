namespace Restore.Tests.Writing;

/// <summary>Sources that are links, or that lie behind a link.</summary>
public sealed class SourceLinkTests : IDisposable
{
    private readonly RoundTrip trip = new();

    private string Real => Path.Join(trip.Source, "real");

    private string Link => Path.Join(trip.Source, "link");

    public SourceLinkTests()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Only Linux tells a link from the folder behind it by the path");
        Directory.CreateDirectory(Path.Join(Real, "below"));
        File.WriteAllText(Path.Join(Real, "below", "file"), "content");
        Directory.CreateSymbolicLink(Link, "real");
    }

    public void Dispose() => trip.Dispose();

    [Theory]
    [InlineData("/")]
    [InlineData("/.")]
    [InlineData("/below/..")]
    public async Task A_link_with_a_separator_at_its_end_means_the_folder(string end)
    {
        BackupWriterReport report = await trip.WriteAsync(trip.Options with { Sources = [Link + end] });

        Assert.Empty(report.Issues);
        Assert.Equal((1, 2, 0), (report.Files, report.Folders, report.Symlinks));
        Assert.Equal(
            "content",
            File.ReadAllText(
                Assert.Single(Directory.GetFiles(await trip.RestoreAsync(), "file", SearchOption.AllDirectories))
            )
        );
    }

    [Fact]
    public async Task A_link_alone_is_stored_as_a_link_and_what_is_not_stored_is_named()
    {
        BackupWriterReport report = await trip.WriteAsync(
            trip.Options with
            {
                Sources = [Link, Path.Join(Real, "below", "file")],
            }
        );

        RestoreIssue issue = Assert.Single(report.Issues);
        Assert.Equal((IssueKind.LeftOut, Link, false), (issue.Kind, issue.Path, issue.IsLoss));
        Assert.Contains("nothing of the folder that it leads to", issue.Reason, StringComparison.Ordinal);
        Assert.Equal((1, 0, 1), (report.Files, report.Folders, report.Symlinks));
    }

    [Fact]
    public async Task A_source_behind_a_link_in_another_source_is_stored()
    {
        BackupWriterReport report = await trip.WriteAsync(
            trip.Options with
            {
                Sources = [trip.Source, Path.Join(Link, "below")],
            }
        );

        Assert.Empty(report.Issues);
        Assert.Equal((2, 4, 1), (report.Files, report.Folders, report.Symlinks));
    }

    [Fact]
    public async Task A_folder_behind_a_link_that_is_a_source_is_in_the_backup_once()
    {
        BackupWriterReport report = await trip.WriteAsync(
            trip.Options with
            {
                Sources = [trip.Source, Link, Link + "/"],
            }
        );

        Assert.Empty(report.Issues);
        Assert.Equal((2, 5, 0), (report.Files, report.Folders, report.Symlinks));
    }

    [Fact]
    public async Task A_link_whose_end_cannot_be_looked_at_is_missing_in_the_backup_if_links_are_followed()
    {
        File.CreateSymbolicLink(Path.Join(trip.Source, "failing"), new string('n', 300));
        File.CreateSymbolicLink(Path.Join(trip.Source, "nowhere"), "not there");

        BackupWriterReport report = await trip.WriteAsync(trip.Options with { Symlinks = SymlinkPolicy.Follow });

        Assert.Equal(
            [(IssueKind.Missing, "failing"), (IssueKind.Warning, "nowhere")],
            report.Issues.Select(issue => (issue.Kind, Path.GetFileName(issue.Path)))
        );
    }

    [Fact]
    public async Task A_followed_link_has_the_attributes_of_what_it_leads_to()
    {
        string file = Path.Join(Real, "below", "file");
        SourceTree.SetAttribute(file, "user.kept", "value"u8.ToArray());
        File.CreateSymbolicLink(Path.Join(trip.Folder, "file-link"), file);
        BackupWriterOptions options = trip.Options with
        {
            Sources = [Path.Join(trip.Folder, "file-link")],
            Symlinks = SymlinkPolicy.Follow,
        };

        await trip.WriteAsync(options);

        string restored = Assert.Single(
            Directory.GetFiles(await trip.RestoreAsync(), "file-link", SearchOption.AllDirectories)
        );
        Assert.Contains("user.kept", FileFacts.ExtendedAttributes(restored), StringComparison.Ordinal);
    }
}
