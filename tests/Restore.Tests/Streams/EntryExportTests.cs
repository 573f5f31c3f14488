using System.Formats.Tar;
using System.Security.Cryptography;
using Restore.Tests.Docs;
using Restore.Tests.FixtureTests;
using Restore.Tests.Support;
using Restore.Tests.Writing;

namespace Restore.Tests.Streams;

/// <summary>Entries one after another, for an end that the caller implements.</summary>
public sealed class EntryExportTests : IDisposable
{
    private readonly TempFolder folder = new();

    public static TheoryData<string, string, long?> Cases()
    {
        TheoryData<string, string, long?> cases = [];
        foreach (FixtureBackup backup in FixtureCatalog.Readable.Where(backup => backup.Prefix is "" or "duplicati"))
        {
            cases.Add(backup.Name, "", null);
            cases.Add(backup.Name, backup.Databases is [string first, ..] ? first : "", 1 << 20);
        }

        return cases;
    }

    public void Dispose() => folder.Dispose();

    [Theory]
    [MemberData(nameof(Cases))]
    public async Task A_sink_gets_every_entry_with_its_content_and_metadata(
        string fixture,
        string database,
        long? cacheBytes
    )
    {
        FixtureBackup backup = FixtureCatalog.BackupsOf(fixture).First();
        await using Backup opened = await Backup.OpenAsync(backup.Location, backup.Options(database));
        CollectingSink sink = new();
        ExportReport report = await opened.ExportAsync(
            opened.Versions[0],
            sink,
            new ExportOptions { CacheMaxBytes = cacheBytes }
        );

        // A sink gets entries as they are recorded: unsafe ones are the business of a target.
        Assert.DoesNotContain(report.Issues, issue => issue.Kind is IssueKind.Damaged or IssueKind.Missing);
        foreach (
            TreeEntry wanted in ExpectedTree
                .Load(backup.Versions[0].ExpectedFile!)
                .Entries.Where(entry => !backup.Skipped.Contains(entry.Path))
        )
        {
            string path = backup.OriginalPath(wanted.Path);
            TreeEntry? taken =
                sink.Entries.GetValueOrDefault(path) ?? sink.Entries.GetValueOrDefault(path.TrimEnd('/') + "/");
            if (taken is null && (wanted.Path == "." || fixture is "windows-paths" or "hand-made"))
            {
                continue;
            }

            TreeEntry expected = wanted with { Path = taken?.Path ?? path, Attributes = null };
            Assert.Empty(RestoredTree.Differences(expected, taken, backup.Checks & ~TreeChecks.Owners));
        }

        Assert.Equal(sink.Entries.Values.Count(entry => entry.Type == "file"), report.Files);
        Assert.True(report.Files > 0);
        Assert.Equal(0, opened.Pool.OutstandingBuffers);
    }

    [Fact]
    public async Task Progress_counts_the_bytes_of_a_file_that_is_being_read()
    {
        using MadeBackup made = await MadeBackup.WriteAsync(files: 1, bytesEach: 400_000);
        await using Backup opened = await Backup.OpenAsync(made.Store);
        HaltingSink sink = new();
        ExportReport report = await opened.ExportAsync(opened.Versions[0], sink, new ExportOptions { Progress = sink });
        Assert.Equal(1, report.Files);
        Assert.Equal((0, 100_000), sink.Halted);
    }

    [Fact]
    public async Task An_archive_of_a_backup_that_anyone_can_have_made_warns_of_links_that_lead_out_and_of_names_that_some_programs_split()
    {
        using RoundTrip trip = new();
        Directory.CreateDirectory(Path.Join(trip.Source, "a"));
        await File.WriteAllTextAsync(Path.Join(trip.Source, @"..\out.txt"), "x", TestContext.Current.CancellationToken);
        File.CreateSymbolicLink(Path.Join(trip.Source, "a", "up"), "../../../../../../../../../../etc");
        File.CreateSymbolicLink(Path.Join(trip.Source, "a", "root"), "/etc");
        File.CreateSymbolicLink(Path.Join(trip.Source, "a", "beside"), "../a/other");
        foreach (
            (string? passphrase, string[] warned) in new (string?, string[])[]
            {
                (null, [@"..\out.txt", "root", "up"]),
                ("p", []),
            }
        )
        {
            string place = $"{trip.Destination}-{passphrase}";
            await trip.WriteAsync(trip.Options with { Destination = place, Passphrase = passphrase });
            await using Backup opened = await Backup.OpenAsync(place, new BackupOptions { Passphrase = passphrase });
            ExportReport report = await opened.ExportArchiveAsync(opened.Versions[0], Stream.Null, ArchiveFormat.Zip);
            Assert.True(report.IsComplete);
            Assert.Equal(
                warned,
                report.Issues.Select(issue => Path.GetFileName(issue.Path.TrimEnd('/'))).Order(StringComparer.Ordinal)
            );
        }
    }

    [Fact]
    public async Task A_tar_made_by_a_sink_extracts_to_what_was_backed_up()
    {
        using MadeBackup made = await MadeBackup.WriteAsync(files: 30, bytesEach: 150_000);
        string archive = Path.Combine(folder.Path, "archive.tar");
        await using (Backup opened = await Backup.OpenAsync(made.Store))
        {
            await using FileStream file = File.Create(archive);
            await using TarWriter writer = new(file);
            ExportReport report = await opened.ExportAsync(opened.Versions[0], new ReadmeSnippetTests.TarSink(writer));
            Assert.True(report.IsComplete);
            Assert.Equal(30, report.Files);
            Assert.Equal(30 * 150_000, report.Bytes);
        }

        string extracted = Directory.CreateDirectory(Path.Combine(folder.Path, "extracted")).FullName;
        await TarFile.ExtractToDirectoryAsync(archive, extracted, overwriteFiles: false);
        for (int i = 0; i < 30; i++)
        {
            Assert.Equal(made.ContentOf(i), await File.ReadAllBytesAsync(extracted + made.PathOf(i)));
        }
    }

    [Fact]
    public async Task A_filter_selects_and_one_that_selects_nothing_is_an_error()
    {
        using MadeBackup made = await MadeBackup.WriteAsync(files: 5, bytesEach: 1000);
        await using Backup opened = await Backup.OpenAsync(made.Store);
        CollectingSink sink = new();
        await opened.ExportAsync(
            opened.Versions[0],
            sink,
            new ExportOptions { Filter = EntryFilter.Parse(["00003"], []) }
        );
        Assert.Equal([made.PathOf(3)], sink.Entries.Keys);

        RestoreException failure = await Assert.ThrowsAsync<RestoreException>(() =>
            opened.ExportAsync(
                opened.Versions[0],
                sink,
                new ExportOptions { Filter = EntryFilter.Parse(["no such file"], []) }
            )
        );
        Assert.Equal(RestoreErrorCode.NothingSelected, failure.Code);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Losses_are_in_the_report_whether_the_sink_skips_the_entry_or_continues(bool continues)
    {
        using MadeBackup made = await MadeBackup.WriteAsync(files: 8, bytesEach: 400_000);
        made.Store.Remove(
            made.Store.Names.Where(name => name.Contains(".dblock.", StringComparison.Ordinal))
                .MaxBy(name => made.Store[name].Length)!
        );
        await using Backup opened = await Backup.OpenAsync(made.Store);
        CollectingSink sink = new() { ContinuesAfterLoss = continues };
        ExportReport report = await opened.ExportAsync(opened.Versions[0], sink);

        RestoreIssue[] damaged =
        [
            .. report.Issues.Where(issue => issue.Kind is IssueKind.Damaged or IssueKind.Missing),
        ];
        Assert.InRange(damaged.Length, 1, 7);
        Assert.Equal(8 - damaged.Length, report.Files);
        Assert.False(report.IsComplete);
        foreach (RestoreIssue issue in damaged)
        {
            byte[] content = made.ContentOf(
                int.Parse(Path.GetFileName(issue.Path), System.Globalization.CultureInfo.InvariantCulture)
            );
            Assert.Equal(continues, sink.Entries.ContainsKey(issue.Path));
            if (continues)
            {
                issue
                    .LostRanges.ToList()
                    .ForEach(range => content.AsSpan((int)range.From, (int)(range.To - range.From)).Clear());
                Assert.Equal(Convert.ToHexStringLower(SHA256.HashData(content)), sink.Entries[issue.Path].Sha256);
            }
        }
    }

    [Fact]
    public async Task The_failure_of_a_sink_ends_the_export_and_reaches_the_caller_unchanged()
    {
        using MadeBackup made = await MadeBackup.WriteAsync(files: 20, bytesEach: 200_000);
        await using Backup opened = await Backup.OpenAsync(made.Store);
        CollectingSink sink = new() { FailsAt = 5 };
        IOException failure = await Assert.ThrowsAsync<IOException>(() => opened.ExportAsync(opened.Versions[0], sink));
        Assert.Equal("The disk of the sink is full", failure.Message);
        Assert.Equal(5, sink.Entries.Count);
        Assert.Equal(0, opened.Pool.OutstandingBuffers);
    }

    [Fact]
    public async Task The_failure_of_a_sink_in_a_file_with_lost_bytes_is_not_taken_for_the_loss()
    {
        using MadeBackup made = await MadeBackup.WriteAsync(files: 8, bytesEach: 400_000);
        made.Store.Remove(
            made.Store.Names.Where(name => name.Contains(".dblock.", StringComparison.Ordinal))
                .MaxBy(name => made.Store[name].Length)!
        );
        await using Backup opened = await Backup.OpenAsync(made.Store);
        CollectingSink sink = new() { FailsAfterLoss = true };
        IOException failure = await Assert.ThrowsAsync<IOException>(() => opened.ExportAsync(opened.Versions[0], sink));
        Assert.Equal("The disk of the sink is full", failure.Message);
    }

    [Fact]
    public async Task An_export_reads_each_volume_about_once_in_bounded_memory()
    {
        using MadeBackup made = await MadeBackup.WriteAsync(files: 60, bytesEach: 500_000);
        await using Backup opened = await Backup.OpenAsync(made.Store);
        long peak = 0;
        CollectingSink sink = new() { OnEntry = () => peak = Math.Max(peak, opened.Pool.OutstandingBytes) };
        ExportReport report = await opened.ExportAsync(
            opened.Versions[0],
            sink,
            new ExportOptions { CacheMaxBytes = 8 << 20 }
        );
        Assert.True(report.IsComplete);
        Assert.InRange(made.Store.BytesRead, 30_000_000, 45_000_000);
        Assert.Equal(made.Store.BytesRead, report.BytesFetched);
        Assert.InRange(peak, 1, 24 << 20);
    }

    [Fact]
    public async Task An_export_can_be_cancelled()
    {
        using MadeBackup made = await MadeBackup.WriteAsync(files: 20, bytesEach: 200_000);
        await using Backup opened = await Backup.OpenAsync(made.Store);
        using CancellationTokenSource cancel = new();
        CollectingSink sink = new() { OnEntry = cancel.Cancel };
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() =>
            opened.ExportAsync(opened.Versions[0], sink, null, cancel.Token)
        );
        Assert.Equal(0, opened.Pool.OutstandingBuffers);
    }

    /// <summary>Reads a part of a file, and goes on when the progress says so.</summary>
    private sealed class HaltingSink : IEntrySink, IProgress<RestoreProgress>
    {
        private const int PartBytes = 100_000;

        private readonly TaskCompletionSource seen = new(TaskCreationOptions.RunContinuationsAsynchronously);

        public (long Files, long Bytes) Halted { get; private set; }

        public void Report(RestoreProgress value)
        {
            if (value.BytesDone >= PartBytes && !seen.Task.IsCompleted)
            {
                Halted = (value.FilesDone, value.BytesDone);
                seen.SetResult();
            }
        }

        public async ValueTask TakeAsync(ExportedEntry entry, Stream content, CancellationToken cancellationToken)
        {
            if (entry.Entry.Kind == BackupEntryKind.File)
            {
                await content.ReadExactlyAsync(new byte[PartBytes], cancellationToken);
                await seen.Task.WaitAsync(TimeSpan.FromSeconds(30), cancellationToken);
                await content.CopyToAsync(Stream.Null, cancellationToken);
            }
        }
    }

    /// <summary>Keeps what it is given, with the hash of each content.</summary>
    private sealed class CollectingSink : IEntrySink
    {
        public Dictionary<string, TreeEntry> Entries { get; } = [];

        public bool ContinuesAfterLoss { get; init; }

        public bool FailsAfterLoss { get; init; }

        public int FailsAt { get; init; } = -1;

        public Action OnEntry { get; init; } = () => { };

        public async ValueTask TakeAsync(ExportedEntry entry, Stream content, CancellationToken cancellationToken)
        {
            OnEntry();
            if (Entries.Count == FailsAt)
            {
                throw new IOException("The disk of the sink is full");
            }

            byte[] bytes = new byte[entry.Entry.SizeBytes];
            Assert.Equal(bytes.Length, content.Length);
            while (content.Position < bytes.Length)
            {
                try
                {
                    await content.ReadExactlyAsync(bytes.AsMemory((int)content.Position), cancellationToken);
                }
                catch (IOException) when (FailsAfterLoss)
                {
                    throw new IOException("The disk of the sink is full");
                }
                catch (IOException) when (ContinuesAfterLoss)
                {
                    content.Position = Math.Min(
                        bytes.Length,
                        (content.Position / (100 << 10) * (100 << 10)) + (100 << 10)
                    );
                }
            }

            Entries.Add(
                entry.Entry.Path,
                new TreeEntry(entry.Entry.Path, TypeOf(entry.Entry.Kind))
                {
                    SizeBytes = entry.Entry.Kind == BackupEntryKind.File ? bytes.Length : null,
                    Sha256 =
                        entry.Entry.Kind == BackupEntryKind.File
                            ? Convert.ToHexStringLower(SHA256.HashData(bytes))
                            : null,
                    LinkTarget = entry.LinkTarget,
                    ModifiedTicks = entry.LastModified?.Ticks - DateTime.UnixEpoch.Ticks,
                    Mode = entry.Mode is UnixFileMode mode ? Convert.ToString((int)mode, 8).PadLeft(4, '0') : null,
                }
            );
        }

        private static string TypeOf(BackupEntryKind kind) =>
            kind switch
            {
                BackupEntryKind.Folder => "directory",
                BackupEntryKind.Symlink => "symlink",
                _ => "file",
            };
    }
}
