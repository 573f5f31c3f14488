using System.IO.Compression;
using System.Text;
using System.Text.Json;

namespace Restore.Tests.Catalog;

/// <summary>
/// What can be read of a damaged file list is used, and the report says what is not known. Nothing
/// is deleted because of it.
/// </summary>
public sealed class ListSalvageTests : IDisposable
{
    private const int Files = 300;

    private static readonly DateTime Time = DateTime.UnixEpoch.AddYears(40);

    private readonly TempFolder folder = new();

    private string Location => Path.Join(folder.Path, "backup");

    private string List => Directory.GetFiles(Location, "*.dlist.*").Order(StringComparer.Ordinal).Last();

    public static TheoryData<string, string> Added()
    {
        TheoryData<string, string> data = [];
        foreach (
            string fixture in (string[])
                ["plain-1mb", "zip-zstd", "zip-lzma", "zip-bzip2", "tgz", "tzstd", "aes-100kb", "aes-v3", "tgz-aes"]
        )
        {
            data.Add(fixture, "zeros");
            data.Add(fixture, "rubbish");
            data.Add(fixture, "one byte");
        }

        return data;
    }

    [Theory]
    [MemberData(nameof(Added))]
    public async Task What_was_added_to_a_list_costs_nothing(string fixture, string what)
    {
        BackupOptions options = Copy(fixture);
        IReadOnlyList<string> whole = await ReadAsync(options);
        byte[] added = new byte[what == "one byte" ? 1 : 5000];
        new Random(1).NextBytes(what == "zeros" ? [] : added);
        File.WriteAllBytes(List, [.. File.ReadAllBytes(List), .. added]);
        Assert.Equal(whole, await ReadAsync(options));
        await using Backup backup = await Backup.OpenAsync(Location, options);
        RestorePlan plan = await backup.PlanAsync(backup.Versions[0], new RestoreOptions { VerifyOnly = true });
        Assert.DoesNotContain(plan.Issues, issue => issue.IsLoss);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(5)]
    [InlineData(22)]
    [InlineData(60)]
    public async Task A_list_that_lost_its_directory_has_all_its_entries(int cut)
    {
        await WriteAsync();
        IReadOnlyList<string> whole = await ReadAsync();
        File.WriteAllBytes(List, File.ReadAllBytes(List)[..^cut]);
        Assert.Equal(whole, await ReadAsync());
        RestoreReport report = await RestoreAsync();
        Assert.Equal((Files, true), (report.FilesRestored, report.IsComplete));
        Assert.Contains(report.Issues, issue => issue is { Code: IssueCode.FileListDamaged, Kind: IssueKind.Warning });
    }

    [Theory]
    [InlineData("\0\0\0\0\0\0")]
    [InlineData("]")]
    [InlineData(" [{\"type\":\"File\",\"path\":\"/more\"}]")]
    [InlineData("rubbish")]
    public async Task Something_after_the_end_of_the_array_costs_no_entry_and_stops_what_deletes(string added)
    {
        await WriteAsync();
        IReadOnlyList<string> whole = await ReadAsync();
        AddToArray(added);
        Assert.Equal(whole, await ReadAsync());
        RestoreReport report = await RestoreAsync();
        Assert.Equal((Files, true), (report.FilesRestored, report.IsComplete));
        RestoreIssue issue = Assert.Single(report.Issues, issue => issue.Code == IssueCode.FileListDamaged);
        Assert.Equal(IssueKind.Warning, issue.Kind);
        Assert.Contains("has something after its end", issue.Reason, StringComparison.Ordinal);
        await using Backup backup = await Backup.OpenAsync(Location);
        RestoreException refused = await Assert.ThrowsAsync<RestoreException>(() =>
            backup.Maintenance.PlanCompactAsync(new CompactOptions())
        );
        Assert.Equal(RestoreErrorCode.FileListUnusable, refused.Code);
    }

    [Theory]
    [InlineData("plain-1mb")]
    [InlineData("zip-zstd")]
    [InlineData("zip-stored")]
    [InlineData("zip-sharp-deflate")]
    [InlineData("tgz")]
    [InlineData("tzstd")]
    public async Task A_list_that_is_cut_anywhere_has_the_entries_before_that_or_is_refused(string fixture)
    {
        BackupOptions options = Copy(fixture);
        IReadOnlyList<string> whole = await ReadAsync(options);
        byte[] list = File.ReadAllBytes(List);
        for (int length = list.Length - 1; length > 0; length -= Math.Max(1, list.Length / 40))
        {
            File.WriteAllBytes(List, list[..length]);
            (IReadOnlyList<string> read, RestoreException? failure) = await ReadPartAsync(options);
            Assert.Equal(whole.Take(read.Count), read);

            // Only the end of a compressed tar says that all before it is right.
            Assert.True(failure is not null || read.Count == whole.Count);
            Assert.True(failure is null || read.Count < whole.Count || fixture is "tgz" or "tzstd");
            Assert.Contains(
                failure?.Code,
                new[] { null, RestoreErrorCode.FileListIncomplete, RestoreErrorCode.FileListUnusable }
            );
        }
    }

    [Fact]
    public async Task What_comes_before_the_cut_is_restored_and_the_report_says_that_entries_are_missing()
    {
        await WriteAsync();
        Cut(0.6);
        RestoreReport report = await RestoreAsync();
        Assert.InRange(report.FilesRestored, 20, Files - 20);
        Assert.False(report.IsComplete);
        RestoreIssue issue = Assert.Single(report.Issues, issue => issue.Code == IssueCode.FileListIncomplete);
        Assert.Equal((IssueKind.Damaged, Path.GetFileName(List), true), (issue.Kind, issue.Path, issue.IsLoss));
    }

    [Fact]
    public async Task Damage_in_the_middle_of_a_list_leaves_what_comes_before_it()
    {
        await WriteAsync();
        IReadOnlyList<string> whole = await ReadAsync();
        byte[] list = File.ReadAllBytes(List);
        list.AsSpan(list.Length / 2, 40).Clear();
        File.WriteAllBytes(List, list);
        (IReadOnlyList<string> read, RestoreException? failure) = await ReadPartAsync();
        Assert.Equal(RestoreErrorCode.FileListIncomplete, failure?.Code);
        Assert.InRange(read.Count, 20, whole.Count - 1);
        Assert.Equal(whole.Take(20), read.Take(20));
    }

    [Fact]
    public async Task A_list_without_a_manifest_takes_that_of_a_block_volume_if_nothing_else_is_left()
    {
        await WriteAsync();
        using (ZipArchive archive = ZipFile.Open(List, ZipArchiveMode.Update))
        {
            archive.GetEntry("manifest")!.Delete();
        }

        Array.ForEach(Directory.GetFiles(Location, "*.dindex.*"), File.Delete);
        RestoreReport report = await RestoreAsync();
        Assert.Equal((Files, true), (report.FilesRestored, report.IsComplete));
    }

    [Theory]
    [InlineData("aes-100kb")]
    [InlineData("aes-v3")]
    public async Task A_list_that_fails_its_authentication_is_used_only_if_that_is_asked_for(string fixture)
    {
        BackupOptions options = Copy(fixture);
        IReadOnlyList<string> whole = await ReadAsync(options);
        File.WriteAllBytes(List, File.ReadAllBytes(List)[..^50]);
        (IReadOnlyList<string> refused, RestoreException? failure) = await ReadPartAsync(options);
        Assert.Equal((0, RestoreErrorCode.FileListUnauthentic), (refused.Count, failure?.Code));

        options = options with { AllowUnauthenticLists = true };
        (IReadOnlyList<string> read, _) = await ReadPartAsync(options);
        Assert.NotEmpty(read);
        Assert.Equal(whole.Take(read.Count), read);
        await using Backup backup = await Backup.OpenAsync(Location, options);
        RestorePlan plan = await backup.PlanAsync(backup.Versions[0], new RestoreOptions { Target = folder.Root });
        Assert.Contains(plan.Issues, issue => issue.Code == IssueCode.FileListUnauthentic && issue.IsLoss);
        Assert.False(plan.Options.AllowRestoreOutsideTargetDirectory);
    }

    [Fact]
    public async Task No_block_is_deleted_and_no_version_goes_because_of_an_incomplete_list()
    {
        await WriteAsync();
        await BackUpAsync(1);
        Cut(0.6);
        await using Backup backup = await Backup.OpenAsync(Location);
        RestoreException refused = await Assert.ThrowsAsync<RestoreException>(() =>
            backup.Maintenance.PlanCompactAsync(new CompactOptions())
        );
        Assert.Equal(RestoreErrorCode.NeedsUnknown, refused.Code);
        DeletionPlan plan = await backup.Maintenance.PlanDeletionAsync(new RetentionRules { KeepVersions = 1 });
        Assert.Empty(plan.Deleted);
    }

    [Theory]
    [InlineData(0.6, true)]
    [InlineData(0.001, false)]
    public async Task A_list_whose_upload_broke_off_and_came_through_under_the_next_second_is_no_version(
        double share,
        bool isProven
    )
    {
        await WriteAsync();
        byte[] list = File.ReadAllBytes(List);
        string half = Path.GetFileName(List).Replace("T000000Z", "T000001Z", StringComparison.Ordinal);
        File.Move(List, Path.Join(Location, half));
        File.WriteAllBytes(
            Path.Join(Location, half.Replace("T000001Z", "T000000Z", StringComparison.Ordinal)),
            list[..(int)(list.Length * share)]
        );
        await using Backup backup = await Backup.OpenAsync(Location);
        Exception? refused = await Record.ExceptionAsync(() =>
            backup.Maintenance.PlanCompactAsync(new CompactOptions())
        );
        Assert.Equal(isProven ? null : RestoreErrorCode.NeedsUnknown, (refused as RestoreException)?.Code);
        CheckReport check = await backup.Maintenance.CheckAsync();
        Assert.Equal(isProven, check.Issues.Any(issue => issue.Code == IssueCode.FileListUnfinished));
    }

    [Fact]
    public async Task A_check_names_an_incomplete_list_and_a_drill_of_all_versions_reads_the_others()
    {
        await WriteAsync();
        await BackUpAsync(1);
        Cut(0.6);
        await using Backup backup = await Backup.OpenAsync(Location);
        CheckReport check = await backup.Maintenance.CheckAsync();
        Assert.Contains(check.Issues, issue => issue.Code == IssueCode.FileListIncomplete);
        RestorePlan drill = await backup.PlanDrillAsync(backup.Versions, new RestoreOptions());
        RestoreIssue issue = Assert.Single(drill.Issues, issue => issue.Code == IssueCode.FileListIncomplete);
        Assert.Equal(new VersionRange(0, 0), issue.Versions);
        Assert.Equal(Files, drill.Files);
    }

    [Fact]
    public async Task A_comparison_and_a_history_say_that_a_list_is_incomplete()
    {
        await WriteAsync();
        IReadOnlyList<string> whole = await ReadAsync();
        await BackUpAsync(1);
        Cut(0.6);
        await using Backup backup = await Backup.OpenAsync(Location);
        RestoreException compared = await Assert.ThrowsAsync<RestoreException>(async () =>
            await backup.CompareAsync(backup.Versions[1], backup.Versions[0]).CountAsync()
        );
        RestoreException described = await Assert.ThrowsAsync<RestoreException>(() =>
            backup.DescribeAsync(backup.Versions[0], whole[^1])
        );
        Assert.Equal(
            (RestoreErrorCode.FileListIncomplete, RestoreErrorCode.FileListIncomplete),
            (compared.Code, described.Code)
        );
        Assert.NotNull(await backup.DescribeAsync(backup.Versions[0], whole[5]));
    }

    public void Dispose() => folder.Dispose();

    /// <summary>Writes a version with files of their own contents.</summary>
    private async Task WriteAsync()
    {
        string source = Directory.CreateDirectory(Path.Join(folder.Path, "source")).FullName;
        for (int i = 0; i < Files; i++)
        {
            string path = Path.Join(source, $"file {i:000}.txt");
            File.WriteAllText(path, $"content {i}");
            File.SetLastWriteTimeUtc(path, Time);
        }

        await BackUpAsync(0);
    }

    private Task BackUpAsync(int day) =>
        new BackupWriter(
            new BackupWriterOptions
            {
                Sources = [Path.Join(folder.Path, "source")],
                Destination = Location,
                BlockSizeBytes = 1024,
                Time = DateTimeOffset.UnixEpoch.AddYears(50).AddDays(day),
            }
        ).WriteAsync();

    /// <summary>Writes the list again, with a text after its array.</summary>
    private void AddToArray(string text)
    {
        using ZipArchive zip = ZipFile.Open(List, ZipArchiveMode.Update);
        using Stream json = zip.GetEntry("filelist.json")!.Open();
        json.Seek(0, SeekOrigin.End);
        json.Write(Encoding.UTF8.GetBytes(text));
    }

    private void Cut(double share)
    {
        byte[] list = File.ReadAllBytes(List);
        File.WriteAllBytes(List, list[..(int)(list.Length * share)]);
    }

    private BackupOptions Copy(string fixture)
    {
        Directory.CreateDirectory(Location);
        foreach (string file in Directory.GetFiles(Fixtures.Backup(fixture)))
        {
            string copy = Path.Join(Location, Path.GetFileName(file));
            File.Copy(file, copy);
            File.SetAttributes(copy, FileAttributes.Normal);
        }

        bool isEncrypted = Fixtures.Info(fixture).TryGetProperty("passphrase", out JsonElement passphrase);
        return new BackupOptions { Passphrase = isEncrypted ? passphrase.GetString() : null };
    }

    private async Task<RestoreReport> RestoreAsync()
    {
        await using Backup backup = await Backup.OpenAsync(Location);
        RestorePlan plan = await backup.PlanAsync(backup.Versions[0], new RestoreOptions { Target = folder.Root });
        return await backup.ExecuteAsync(plan);
    }

    private async Task<IReadOnlyList<string>> ReadAsync(BackupOptions? options = null)
    {
        (IReadOnlyList<string> read, RestoreException? failure) = await ReadPartAsync(options);
        Assert.Null(failure);
        return read;
    }

    /// <summary>
    /// The paths that are read, and the failure after them; both ways of reading give the same.
    /// </summary>
    private async Task<(IReadOnlyList<string> Read, RestoreException? Failure)> ReadPartAsync(
        BackupOptions? options = null
    )
    {
        await using Backup backup = await Backup.OpenAsync(Location, options);
        List<string> listed = [];
        RestoreException? failure = null;
        try
        {
            await foreach (BackupEntry entry in backup.ListAsync(backup.Versions[0]))
            {
                listed.Add(entry.Path);
            }
        }
        catch (RestoreException incomplete)
        {
            failure = incomplete;
        }

        List<string> passed = [];
        Exception? other = await Record.ExceptionAsync(() =>
            backup.ReadListAsync(backup.Versions[0], entry => passed.Add(Encoding.UTF8.GetString(entry.Path)))
        );
        Assert.Equal(listed, passed);
        Assert.Equal(failure?.Code, (other as RestoreException)?.Code);
        Assert.Equal(0, backup.Pool.OutstandingBuffers);
        return (listed, failure);
    }
}
