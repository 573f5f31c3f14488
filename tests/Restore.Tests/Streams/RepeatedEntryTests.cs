using System.Formats.Tar;
using System.IO.Compression;
using Restore.Tests.Trust;

namespace Restore.Tests.Streams;

/// <summary>Exports of a version that lists entries twice, as a restore takes them.</summary>
public sealed class RepeatedEntryTests : IDisposable
{
    private static readonly byte[] Content = [.. Enumerable.Range(0, 3000).Select(number => (byte)(number * 7))];

    private readonly Trust.MadeBackup made = new();

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    public void Dispose() => made.Dispose();

    [Theory]
    [InlineData(ArchiveFormat.Tar)]
    [InlineData(ArchiveFormat.Zip)]
    public async Task An_archive_has_an_entry_once_that_the_list_has_twice_and_nothing_is_lost(ArchiveFormat format)
    {
        await using Backup backup = await OpenTwiceAsync();
        using MemoryStream archive = new();
        ExportReport report = await backup.ExportArchiveAsync(
            backup.Versions[0],
            archive,
            format,
            cancellationToken: Token
        );
        AssertRepeatedOnce(report);
        Assert.Equal(["data/", "data/letter.txt", "data/link"], NamesIn(archive, format));
    }

    [Fact]
    public async Task A_folder_gets_an_entry_once_that_the_list_has_twice_and_nothing_is_lost()
    {
        await using Backup backup = await OpenTwiceAsync();
        MemoryFolder folder = new();
        ExportReport report = await backup.ExportFolderAsync(backup.Versions[0], folder, cancellationToken: Token);
        Assert.DoesNotContain(report.Issues, issue => issue.Kind == IssueKind.Refused);
        Assert.Contains(report.Issues, IsRepeated);
        Assert.Equal(Content, Assert.Single(folder.Files).Value);
        Assert.Equal(1, report.Files);
    }

    [Fact]
    public async Task Two_files_of_one_path_with_different_contents_are_a_loss_in_an_archive_too()
    {
        made.File("/data/letter.txt", Content, Trust.MadeBackup.Metadata());
        made.File("/data/letter.txt", Content[..^1], Trust.MadeBackup.Metadata());
        made.File("/data/other.txt", Content, Trust.MadeBackup.Metadata());
        made.Write();
        await using Backup backup = await Backup.OpenAsync(made.Source, cancellationToken: Token);
        ExportReport report = await backup.ExportArchiveAsync(
            backup.Versions[0],
            Stream.Null,
            ArchiveFormat.Tar,
            cancellationToken: Token
        );
        RestoreIssue issue = Assert.Single(report.Issues);
        Assert.Equal((IssueKind.Refused, "/data/letter.txt"), (issue.Kind, issue.Path));
        Assert.Equal(2, report.Files);
    }

    private async Task<Backup> OpenTwiceAsync()
    {
        for (int time = 0; time < 2; time++)
        {
            made.Folder("/data/", Trust.MadeBackup.Metadata());
            made.File("/data/letter.txt", Content, Trust.MadeBackup.Metadata());
            made.Link("/data/link", "letter.txt");
        }

        made.Write();
        return await Backup.OpenAsync(made.Source, cancellationToken: Token);
    }

    private static void AssertRepeatedOnce(ExportReport report)
    {
        Assert.All(report.Issues, issue => Assert.Equal(IssueKind.Warning, issue.Kind));
        Assert.Contains(report.Issues, IsRepeated);
        Assert.Equal((1, 1, 1, Content.Length), (report.Files, report.Folders, report.Symlinks, report.Bytes));
    }

    private static bool IsRepeated(RestoreIssue issue) =>
        issue is { Path: "/data/letter.txt", Kind: IssueKind.Warning }
        && issue.Reason.StartsWith("The version lists it twice", StringComparison.Ordinal);

    private static IEnumerable<string> NamesIn(MemoryStream archive, ArchiveFormat format)
    {
        archive.Position = 0;
        List<string> names = [];
        if (format == ArchiveFormat.Zip)
        {
            using ZipArchive zip = new(archive);
            names.AddRange(zip.Entries.Select(entry => entry.FullName));
        }
        else
        {
            using TarReader tar = new(archive);
            while (tar.GetNextEntry() is { } entry)
            {
                names.Add(entry.EntryType == TarEntryType.Directory ? entry.Name.TrimEnd('/') + "/" : entry.Name);
            }
        }

        return names.Order(StringComparer.Ordinal);
    }
}
