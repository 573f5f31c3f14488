using Restore.Format;
using Restore.Memory;
using Restore.Writing;
using Restore.Writing.Messages;
using Restore.Writing.Processes;
using Restore.Writing.Source;
using static Restore.Tests.Writing.FileReaderTests;

namespace Restore.Tests.Writing;

/// <summary>
/// Somebody who may write in a source puts a link in the place of a folder while a backup runs:
/// nothing is read through it.
/// </summary>
public sealed class SwappedFolderTests : IDisposable
{
    private readonly TempFolder temp = new();

    private string Source => Path.Join(temp.Path, "source");

    private string Outside => Path.Join(temp.Path, "outside");

    public SwappedFolderTests()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Only Linux opens a folder without following links.");
        Directory.CreateDirectory(Path.Join(Outside, "below"));
        File.WriteAllText(Path.Join(Outside, "secret"), "of somebody else");
        File.WriteAllText(Path.Join(Outside, "below", "secret"), "of somebody else");
    }

    public void Dispose() => temp.Dispose();

    [Fact]
    public async Task A_folder_that_is_a_link_now_is_not_listed()
    {
        // The last folder of the source is looked into first, and fills a message.
        Make("last", 100);
        Make("folder", 1);
        List<SourceEntry> entries = [];
        List<RestoreIssue> issues = [];
        bool isSwapped = false;
        SourceWalker walker = new(WriterSettings.Resolve(Options));
        await walker.RunAsync(
            new Output<EntriesFound>(found =>
            {
                entries.AddRange(found.Entries);
                issues.AddRange(found.Issues);
                if (!isSwapped)
                {
                    isSwapped = true;
                    Swap("folder");
                }
            }),
            TestContext.Current.CancellationToken
        );

        Assert.DoesNotContain(entries, entry => entry.Path.EndsWith("secret", StringComparison.Ordinal));
        RestoreIssue issue = Assert.Single(issues);
        Assert.Equal((IssueKind.Missing, Path.Join(Source, "folder")), (issue.Kind, issue.Path));
        Assert.EndsWith("is a link now", issue.Reason, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("folder")]
    [InlineData("folder/below")]
    public async Task A_file_in_a_folder_that_is_a_link_now_is_not_read(string swapped)
    {
        Make("folder/below", 1);
        EntriesFound found = new();
        SourceRoot root = new(Source);
        foreach (string name in (string[])["folder/below/0", "folder/below/secret"])
        {
            SourceStatus status = new() { Kind = EntryKind.File, SizeBytes = 7 };
            found.Entries.Add(new SourceEntry(Path.Join(Source, name), EntryKind.File, status) { Source = root });
        }

        Swap(swapped);
        List<EntriesRead> all = [];
        using (
            FileReader reader = new(
                WriterSettings.Resolve(Options),
                new BufferPool(),
                previous: null,
                new WriterMeter(Options, () => 0)
            )
        )
        {
            await reader.RunAsync(
                new Input(found),
                new Output<BlocksHashed>(batch => batch.Dispose()),
                new Output<EntriesRead>(all.Add)
            );
        }

        EntriesRead read = Assert.Single(all);
        Assert.Empty(read.Entries);
        Assert.All(read.Issues, issue => Assert.EndsWith("is a link now", issue.Reason, StringComparison.Ordinal));
        Assert.Equal(2, read.Issues.Count);
    }

    private BackupWriterOptions Options => new() { Sources = [Source], Destination = Path.Join(temp.Path, "backup") };

    private void Make(string folder, int files)
    {
        Directory.CreateDirectory(Path.Join(Source, folder));
        foreach (int number in Enumerable.Range(0, files))
        {
            File.WriteAllText(Path.Join(Source, folder, $"{number}"), "content");
        }
    }

    private void Swap(string folder)
    {
        Directory.Move(Path.Join(Source, folder), Path.Join(temp.Path, "away"));
        Directory.CreateSymbolicLink(Path.Join(Source, folder), Outside);
    }
}
