using System.Formats.Tar;
using Restore.Tests.Support.Machine;
using Restore.Tests.Trust;

namespace Restore.Tests.Restoring;

/// <summary>Links of a Windows backup on another system.</summary>
public sealed class WindowsLinksTests : IDisposable
{
    private readonly MadeBackup backup = new();

    public WindowsLinksTests()
    {
        backup.File(@"C:\u\docs\a.txt", [1]);
        backup.File(@"C:\u\x.txt", [2]);
        backup.Link(@"C:\u\relative", @"docs\a.txt");
        backup.Link(@"C:\u\docs\up", @"..\x.txt");
        backup.Link(@"C:\u\docs\absolute", @"C:\u\x.txt");
        backup.Link(@"C:\u\junction\", @"\??\C:\u\docs");
        backup.Link(@"C:\u\away", @"D:\data\b.txt");
        backup.Write();
    }

    [Fact]
    [NeedsLinux]
    public async Task They_lead_to_the_restored_places_and_one_that_cannot_is_named()
    {
        RestoreReport report = await backup.RestoreAsync(
            new RestoreOptions { AllowRestoreOutsideTargetDirectory = true }
        );
        Assert.Equal([1], File.ReadAllBytes(backup.At("relative")));
        Assert.Equal([2], File.ReadAllBytes(backup.At("docs/up")));
        Assert.Equal([2], File.ReadAllBytes(backup.At("docs/absolute")));
        Assert.Equal([1], File.ReadAllBytes(backup.At("junction/a.txt")));
        RestoreIssue issue = Assert.Single(report.Issues);
        Assert.Equal((IssueKind.Warning, @"C:\u\away"), (issue.Kind, issue.Path));
        Assert.StartsWith(
            @"The link points to 'D:\data\b.txt', which is a place of Windows",
            issue.Reason,
            StringComparison.Ordinal
        );
        Assert.Equal(@"D:\data\b.txt", new FileInfo(backup.At("away")).LinkTarget);
    }

    [Fact]
    public async Task In_an_archive_they_lead_to_the_places_of_the_archive()
    {
        await using Backup opened = await Backup.OpenAsync(backup.Source);
        using MemoryStream archive = new();
        await opened.ExportArchiveAsync(opened.Versions[0], archive, ArchiveFormat.Tar);
        archive.Position = 0;
        Dictionary<string, string> links = [];
        using TarReader reader = new(archive);
        while (reader.GetNextEntry() is { } entry)
        {
            if (entry.EntryType == TarEntryType.SymbolicLink)
            {
                links.Add(entry.Name, entry.LinkName);
            }
        }

        Assert.Equal("docs/a.txt", links["C/u/relative"]);
        Assert.Equal("../x.txt", links["C/u/docs/absolute"]);
        Assert.Equal("docs", links["C/u/junction"]);
    }

    public void Dispose() => backup.Dispose();
}
