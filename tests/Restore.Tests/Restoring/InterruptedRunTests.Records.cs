using Restore.Resume;
using Restore.Tests.Ends;

namespace Restore.Tests.Restoring;

/// <summary>What a record can say, and what becomes of it.</summary>
public sealed partial class InterruptedRunTests
{
    [Fact]
    public async Task Partial_files_that_a_record_names_are_removed_and_no_others()
    {
        string record = await InterruptAsync();
        string other = Path.Join(Target, ".restore-00000000000000aa.1");
        string own = Path.Join(Target, "my own");
        string named = PartialFiles.Leave(record, tree.Files[2], [1], Target);
        using (FileStream file = new(record, FileMode.Append))
        {
            file.Write("p1 ../outside/victim\0p2 my own\0t.restore-00000000000000aa.1\0pmy own\0p-1 my own\0"u8);
        }

        File.WriteAllText(other, "x");
        File.WriteAllText(own, "x");
        Assert.True((await RestoreAsync(new RestoreOptions { Target = Target })).IsComplete);
        Assert.Equal([false, true, true], new[] { named, other, own }.Select(File.Exists));
        Assert.Equal([other], Records);
    }

    [Fact]
    public async Task A_part_of_a_backup_leaves_the_record_for_what_it_does_not_restore()
    {
        string record = await InterruptAsync();
        LeaveUnfinished(tree.Largest, []);
        EntryFilter filter = EntryFilter.Parse([Path.GetFileName(tree.Files[3])], []);
        Assert.True((await RestoreAsync(new RestoreOptions { Target = Target, Filter = filter })).IsComplete);
        Assert.Equal([record], Records);
    }

    [Fact]
    public async Task A_file_that_only_has_the_name_of_a_record_stays_with_a_warning()
    {
        string record = WriteRecord("something else");
        RestoreReport report = await RestoreAsync(new RestoreOptions { Target = Target });
        Assert.True(report.IsComplete);
        Assert.Contains(report.Issues, issue => issue.Code == IssueCode.RecordUnusable && issue.Path == record);
        Assert.Equal("something else", File.ReadAllText(record));
    }

    [Theory]
    [InlineData("")]
    [InlineData("\0\0\0")]
    [InlineData("Rest")]
    [InlineData("Restore: rec\0\0\0\0\0")]
    [InlineData("head")]
    [InlineData("head and \0\0\0\0")]
    public async Task The_record_of_a_run_that_could_not_yet_write_it_is_removed_without_a_word(string content)
    {
        WriteRecord(content);
        RestoreReport report = await RestoreAsync(new RestoreOptions { Target = Target });
        Assert.Empty(report.Issues);
        Assert.Empty(Records);
        tree.AssertRestored(Target);
    }

    [Fact]
    public async Task A_damaged_record_is_used_as_far_as_it_goes_and_then_removed()
    {
        string record = await InterruptAsync();
        LeaveUnfinished(tree.Largest, tree.ContentOf(tree.Largest)[..70_000]);
        using (FileStream file = new(record, FileMode.Append))
        {
            file.Write("\0\0\0q\0nothing\0"u8);
        }

        RestoreReport report = await RestoreAsync(new RestoreOptions { Target = Target });
        RestoreIssue issue = Assert.Single(report.Issues);
        Assert.Equal((record, IssueKind.Warning), (issue.Path, issue.Kind));
        Assert.Contains("is damaged", issue.Reason, StringComparison.Ordinal);
        Assert.Empty(Records);
        tree.AssertRestored(Target);
    }

    [Fact]
    public async Task A_part_of_a_record_that_the_device_lost_costs_only_the_names_in_it()
    {
        string record = await InterruptAsync();
        LeaveUnfinished(tree.Largest, tree.ContentOf(tree.Largest)[..70_000]);
        byte[] content = File.ReadAllBytes(record);
        content.AsSpan(RecordFormat.Head.Length + 30, 50).Clear();
        File.WriteAllBytes(record, content);
        await RestoreAsync(new RestoreOptions { Target = Target });
        Assert.Empty(Records);
        Assert.Equal(tree.ContentOf(tree.Largest), File.ReadAllBytes(Path.Join(Target, tree.Largest)));
    }

    [Fact]
    public async Task A_record_does_not_make_an_older_file_of_the_users_one_of_the_restore()
    {
        string path = tree.Files[4];
        byte[] own = [1, 2];
        Directory.CreateDirectory(Path.GetDirectoryName(Path.Join(Target, path))!);
        File.WriteAllBytes(Path.Join(Target, path), own);
        File.SetLastWriteTimeUtc(Path.Join(Target, path), new DateTime(2020, 1, 1, 0, 0, 0, DateTimeKind.Utc));
        string record = await InterruptAsync();
        using (FileStream file = new(record, FileMode.Append))
        {
            file.Write(System.Text.Encoding.UTF8.GetBytes($"p3 {path}\0"));
        }

        await AssertCompletesAsync(new RestoreOptions { Target = Target });
        tree.AssertRestored(
            Target,
            new Dictionary<string, byte[]> { [path] = own, [Beside(path)] = tree.ContentOf(path) }
        );
    }

    [Fact]
    public async Task A_run_that_goes_on_keeps_its_files_and_its_record()
    {
        string record = await InterruptAsync();
        using IRestoreTarget running = Restore.Ends.FileSystemTarget.Open(Target);
        using (ITargetFile file = running.OpenFile(Path.GetFileName(record), TargetOpenMode.Read))
        {
            Assert.True(file.TryLock());
            RestoreException failure = await Assert.ThrowsAsync<RestoreException>(() =>
                RestoreAsync(new RestoreOptions { Target = Target })
            );
            Assert.Equal(
                (RestoreErrorCode.TargetInUse, RestoreErrorKind.TargetNotWritable),
                (failure.Code, failure.Kind)
            );
            Assert.Equal([record], Records);
        }

        await AssertCompletesAsync(new RestoreOptions { Target = Target });
    }

    [Fact]
    public async Task A_run_that_goes_on_with_other_files_is_left_alone()
    {
        string record = await InterruptAsync();
        byte[] head = [.. File.ReadAllBytes(record).TakeWhile(letter => letter != (byte)'\n'), (byte)'\n'];
        File.WriteAllBytes(record, [.. head, .. "p1 another file\0"u8]);
        using IRestoreTarget running = Restore.Ends.FileSystemTarget.Open(Target);
        using ITargetFile file = running.OpenFile(Path.GetFileName(record), TargetOpenMode.Read);
        Assert.True(file.TryLock());
        Assert.True((await RestoreAsync(new RestoreOptions { Target = Target })).IsComplete);
        Assert.Equal([record], Records);
    }

    [Fact]
    public async Task Of_two_restores_of_the_same_files_the_second_is_refused_and_the_first_completes()
    {
        ScriptedStore store = ScriptedStore.OfFolder(tree.Location, isLocal: true);
        RestoreOptions options = new() { Target = Target };
        await using Backup second = await Backup.OpenAsync(tree.Location);
        RestorePlan planned = await second.PlanAsync(second.Versions[0], options);
        await using Backup first = await Backup.OpenAsync(store);
        RestorePlan plan = await first.PlanAsync(first.Versions[0], options);
        RestoreException? refused = null;
        store.BeforeRead = async (_, _) =>
            refused ??= await Assert.ThrowsAsync<RestoreException>(() => second.ExecuteAsync(planned));

        Assert.True((await first.ExecuteAsync(plan)).IsComplete);
        Assert.Equal(RestoreErrorCode.TargetInUse, refused?.Code);
        Assert.Empty(Records);
        tree.AssertRestored(Target);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task What_another_restore_has_made_since_the_plan_is_the_same_and_gets_no_second_name(bool overwrites)
    {
        RestoreOptions options = new() { Target = Target, Overwrite = overwrites };
        await using Backup second = await Backup.OpenAsync(tree.Location);
        RestorePlan planned = await second.PlanAsync(second.Versions[0], options);
        Assert.True((await RestoreAsync(options)).IsComplete);

        RestoreReport report = await second.ExecuteAsync(planned);

        Assert.True(report.IsComplete);
        Assert.Empty(report.Issues);
        Assert.Empty(Records);
        tree.AssertRestored(Target);
    }

    [Fact]
    public async Task A_record_that_was_backed_up_is_not_restored()
    {
        using TempFolder other = new();
        string source = Directory.CreateDirectory(other.In("source")).FullName;
        string below = Directory.CreateDirectory(other.In("source/folder")).FullName;
        string destination = other.In("backup");
        File.WriteAllText(Path.Join(source, RecordNames.Record(9)), "x");
        File.WriteAllText(Path.Join(source, "file"), "x");

        // The next restore may have this folder as its target.
        File.WriteAllText(Path.Join(below, RecordNames.Record(10)), "x");
        await new BackupWriter(new BackupWriterOptions { Sources = [source], Destination = destination }).WriteAsync();
        await using Backup backup = await Backup.OpenAsync(destination);
        RestoreReport report = await backup.ExecuteAsync(
            await backup.PlanAsync(backup.Versions[0], new RestoreOptions { Target = Target })
        );
        Assert.True(report.IsComplete);
        Assert.Equal(2, report.Issues.Count(issue => issue.Path.EndsWith(".unfinished", StringComparison.Ordinal)));
        EnumerationOptions everything = new() { AttributesToSkip = 0, RecurseSubdirectories = true };
        Assert.Equal([Path.Join(Target, "file")], Directory.GetFiles(Target, "*", everything));
    }

    private string WriteRecord(string content)
    {
        Directory.CreateDirectory(Target);
        string record = Path.Join(Target, RecordNames.Record(5));
        string head = System.Text.Encoding.UTF8.GetString(RecordFormat.Head);
        string text = content
            .Replace("head and ", head, StringComparison.Ordinal)
            .Replace("head", head, StringComparison.Ordinal);
        File.WriteAllText(record, text);
        return record;
    }
}
