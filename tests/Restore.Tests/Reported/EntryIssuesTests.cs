using Restore.Catalog;
using Restore.Cli;
using Restore.Planning;
using Restore.Reporting;
using Restore.Restoring;
using Restore.Tests.FixtureTests;
using Restore.Tests.Restoring;
using Restore.Tests.Trust;

namespace Restore.Tests.Reported;

/// <summary>
/// What a report says of single entries: each loss, and each name that is not the entry's own.
/// </summary>
public sealed class EntryIssuesTests
{
    private const int BlockSizeBytes = MadeVersion.BlockSizeBytes;

    private static readonly byte[] Content = [.. Enumerable.Range(0, 3000).Select(number => (byte)(number * 7))];

    [Theory]
    [InlineData(Flow.Network)]
    [InlineData(Flow.Legacy)]
    public async Task A_file_restored_beside_a_different_one_is_reported_with_its_new_name(Flow flow)
    {
        using MadeBackup backup = new();
        backup.File("/data/letter.txt", Content, MadeBackup.Metadata());
        backup.Link("/data/link", "letter.txt");
        Directory.CreateDirectory(backup.Target);
        File.WriteAllText(backup.At("letter.txt"), "mine");
        File.WriteAllText(backup.At("link"), "mine too");
        RestoreReport report = await backup.Write().RestoreAsync(flow);

        Assert.Equal(
            [
                $"/data/letter.txt {backup.At("letter.2026-01-02.txt")}: Something else has its name at the target: it is restored as 'letter.2026-01-02.txt'",
                $"/data/link {backup.At("link.2026-01-02")}: Something else has its name at the target: it is restored as 'link.2026-01-02'",
            ],
            report
                .Issues.Where(issue => issue.Code == IssueCode.Renamed)
                .Select(issue => $"{issue.Path} {issue.TargetPath}: {issue.Reason}")
        );
        Assert.Equal(ExitCodes.Complete, ExitCodes.Of(report));
        Assert.Equal(Content, File.ReadAllBytes(backup.At("letter.2026-01-02.txt")));
        Assert.Equal("mine", File.ReadAllText(backup.At("letter.txt")));
        Assert.Equal("letter.txt", new FileInfo(backup.At("link.2026-01-02")).LinkTarget);
    }

    [Theory]
    [InlineData(Flow.Network)]
    [InlineData(Flow.Legacy)]
    public async Task An_entry_that_the_list_has_twice_is_restored_once_and_nothing_is_lost(Flow flow)
    {
        using MadeBackup backup = new();
        for (int time = 0; time < 2; time++)
        {
            backup.Folder("/data/", MadeBackup.Metadata());
            backup.Folder("/data/f/", MadeBackup.Metadata());
            backup.File("/data/f/letter.txt", Content, MadeBackup.Metadata());
            backup.Link("/data/f/link", "letter.txt");
        }

        RestoreReport report = await backup.Write().RestoreAsync(flow);

        Assert.Equal(ExitCodes.Complete, ExitCodes.Of(report));
        Assert.All(report.Issues, issue => Assert.Equal(IssueKind.Warning, issue.Kind));
        Assert.Contains(
            report.Issues,
            issue =>
                issue.Path == "/data/f/letter.txt"
                && issue.Reason.StartsWith("The version lists it twice", StringComparison.Ordinal)
        );
        Assert.Equal((1, 1), (report.FilesRestored, report.SymlinksRestored));
        Assert.Equal(Content, File.ReadAllBytes(backup.At("f/letter.txt")));
    }

    [Fact]
    public async Task Two_files_of_one_path_with_different_contents_are_a_loss()
    {
        using MadeBackup backup = new();
        backup.File("/data/letter.txt", Content, MadeBackup.Metadata());
        backup.File("/data/letter.txt", Content[..^1], MadeBackup.Metadata());
        backup.File("/data/other.txt", Content, MadeBackup.Metadata());

        RestoreReport report = await backup.Write().RestoreAsync();

        RestoreIssue issue = Assert.Single(report.Issues);
        Assert.Equal((IssueKind.Refused, "/data/letter.txt"), (issue.Kind, issue.Path));
        Assert.Equal(Content, File.ReadAllBytes(backup.At("letter.txt")));
    }

    [Fact]
    public async Task A_link_that_leads_to_itself_is_right_the_second_time_too()
    {
        using MadeBackup backup = new();
        backup.File("/data/letter.txt", Content, MadeBackup.Metadata());
        backup.Link("/data/loop", "loop");
        MadeBackup written = backup.Write();
        RestoreReport first = await written.RestoreAsync();

        RestoreReport second = await written.RestoreAsync();

        Assert.Equal((ExitCodes.Complete, 1), (ExitCodes.Of(first), first.SymlinksRestored));
        Assert.Equal((ExitCodes.Complete, 1), (ExitCodes.Of(second), second.SymlinksRestored));
        Assert.Empty(second.Issues);
        Assert.Equal("loop", new FileInfo(backup.At("loop")).LinkTarget);
    }

    [Fact]
    public async Task A_link_that_is_right_stays_the_one_it_is()
    {
        using MadeBackup backup = new();
        backup.File("/data/letter.txt", Content, MadeBackup.Metadata());
        backup.Link("/data/link", "letter.txt");
        MadeBackup written = backup.Write();
        _ = await written.RestoreAsync();

        using FileSystemWatcher watcher = new(Path.GetDirectoryName(backup.At("link"))!)
        {
            NotifyFilter = NotifyFilters.FileName,
        };
        List<string?> seen = [];
        TaskCompletionSource isLast = new(TaskCreationOptions.RunContinuationsAsynchronously);
        watcher.Deleted += (_, change) => seen.Add(change.Name);
        watcher.Renamed += (_, change) => seen.Add(change.Name);
        watcher.Created += (_, change) =>
        {
            seen.Add(change.Name);
            if (change.Name == "last")
            {
                isLast.SetResult();
            }
        };
        watcher.EnableRaisingEvents = true;
        _ = await written.RestoreAsync();
        File.WriteAllText(backup.At("last"), "");
        await isLast.Task.WaitAsync(TimeSpan.FromSeconds(30));
        Assert.DoesNotContain("link", seen);
    }

    [Fact]
    public async Task A_link_out_of_the_target_is_left_out_without_encryption_which_is_no_loss()
    {
        using MadeBackup backup = WithLinkOutside(passphrase: null);
        RestoreReport report = await backup.RestoreAsync();
        RestoreIssue issue = Assert.Single(report.Issues);
        Assert.Equal((IssueKind.LeftOut, IssueCode.LinkOutsideTarget), (issue.Kind, issue.Code));
        Assert.Equal(ExitCodes.LeftOut, ExitCodes.Of(report));
        Assert.False(issue.IsLoss);
        Assert.Null(new FileInfo(backup.At("link")).LinkTarget);
    }

    [Theory]
    [InlineData(null, true)]
    [InlineData(true, true)]
    [InlineData(false, false)]
    public async Task A_link_out_of_the_target_is_created_if_the_list_is_authentic_and_the_user_does_not_object(
        bool? allowed,
        bool isCreated
    )
    {
        using MadeBackup backup = WithLinkOutside("correct horse");
        RestoreReport report = await backup.RestoreAsync(
            new RestoreOptions { AllowRestoreOutsideTargetDirectory = allowed }
        );
        Assert.Equal(isCreated ? "/etc/passwd" : null, new FileInfo(backup.At("link")).LinkTarget);
        Assert.Equal(isCreated ? ExitCodes.Complete : ExitCodes.LeftOut, ExitCodes.Of(report));
    }

    [Theory]
    [InlineData(null, true)]
    [InlineData("correct horse", false)]
    public async Task A_plan_says_whether_links_out_of_the_target_are_left_out(string? passphrase, bool isLeftOut)
    {
        using MadeBackup written = WithLinkOutside(passphrase);
        await using Backup backup = await Backup.OpenAsync(
            written.Source,
            new BackupOptions { Passphrase = passphrase }
        );
        RestorePlan plan = await backup.PlanAsync(backup.Versions[0], new RestoreOptions { Target = written.Target });
        Assert.Equal(isLeftOut, plan.LeavesOutLinks);
        Assert.Empty(plan.Issues);
    }

    [Fact]
    public async Task An_unencrypted_list_beside_encrypted_volumes_is_not_authentic_although_it_is_allowed()
    {
        using MadeBackup backup = WithLinkOutside("correct horse");
        backup.Passphrase = null;
        backup.WriteList("20260203T040506Z");
        RestoreReport report = await backup.RestoreAsync(
            new RestoreOptions(),
            new BackupOptions { Passphrase = "correct horse", AllowUnencrypted = true }
        );
        Assert.Contains(report.Issues, issue => issue.Kind == IssueKind.LeftOut);
        Assert.Null(new FileInfo(backup.At("link")).LinkTarget);
    }

    private static MadeBackup WithLinkOutside(string? passphrase)
    {
        MadeBackup backup = new() { Passphrase = passphrase };
        backup.File("/data/file", Content, MadeBackup.Metadata());
        backup.Link("/data/link", "/etc/passwd");
        return backup.Write();
    }

    [Theory]
    [InlineData(Flow.Network)]
    [InlineData(Flow.Legacy)]
    public async Task Links_that_the_user_asked_to_leave_out_with_the_metadata_are_a_note(Flow flow)
    {
        using MadeBackup backup = new();
        backup.File("/data/file", Content, MadeBackup.Metadata());
        backup.Link("/data/link", "file");
        RestoreReport report = await backup.Write().RestoreAsync(new RestoreOptions { SkipMetadata = true }.By(flow));
        RestoreIssue issue = Assert.Single(report.Issues);
        Assert.Equal((IssueKind.Warning, IssueCode.LinkWithoutMetadata), (issue.Kind, issue.Code));
        Assert.Equal(ExitCodes.Complete, ExitCodes.Of(report));
    }

    [Fact]
    public void A_block_that_is_wrong_in_one_file_is_not_lost_to_another_file_that_has_it()
    {
        byte[] shared = MadeVersion.Content(1, BlockSizeBytes);
        PassPlan plan = MadeVersion.PlanToCreate(
            ("a", [.. shared, .. MadeVersion.Content(2, BlockSizeBytes)]),
            ("b", [.. shared, .. MadeVersion.Content(3, BlockSizeBytes)])
        );
        (EntryId a, EntryId b) = (new(0), new(1));
        PassResult result = new(plan.Content, results: null, new VolumeTally(new ProgressMeter(TimeProvider.System)));
        result.Volumes.MissingBlocks.Add(plan.BlockOf(a, Item.Content(1)));
        result.Add(new FileOutcome(a, OutcomeKind.Incomplete) { IsStarted = true });
        result.Add(
            new FileOutcome(b, OutcomeKind.Incomplete)
            {
                IsStarted = true,
                WrongBlocks = [plan.BlockOf(b, Item.Content(0))],
            }
        );

        PassLosses losses = result.ToLosses();
        EntryLosses words = new(plan, _ => true, _ => []);
        RestoreIssue[] issues =
        [
            .. losses.Entries.Select(entry => words.Describe(entry.Entry, losses.LostTo(entry), entry => $"{entry}")!),
        ];
        Assert.Equal(
            [new ByteRange(BlockSizeBytes, 2 * BlockSizeBytes), new ByteRange(0, BlockSizeBytes)],
            issues.Select(issue => Assert.Single(issue.LostRanges))
        );
        Assert.Equal(2, losses.Blocks.Count);
    }

    [Theory]
    [InlineData(Flow.Network)]
    [InlineData(Flow.Legacy)]
    public async Task Losses_are_those_of_each_file_by_its_own_bytes(Flow flow)
    {
        byte[] lost = Content[..1024];
        using MadeBackup backup = new();
        backup.File(
            "/data/first",
            [.. lost, .. new byte[1024], .. MadeVersion.Content(4, 1024)],
            MadeBackup.Metadata()
        );
        backup.File("/data/one", lost, MadeBackup.Metadata());
        backup.File("/data/thrice", [.. lost, .. lost, .. lost], MadeBackup.Metadata());
        backup.Forget(lost);
        RestoreReport report = await backup.Write().RestoreAsync(flow);
        Assert.Equal(
            [
                "/data/first: 1,024 of 3,072 bytes are lost and read as zeros",
                "/data/one: All of its 1,024 bytes are lost",
                "/data/thrice: All of its 3,072 bytes are lost",
            ],
            report
                .Issues.Where(issue => issue.LostRanges.Count > 0)
                .Select(issue => $"{issue.Path}: {issue.Reason}")
                .Order(StringComparer.Ordinal)
        );
    }
}
