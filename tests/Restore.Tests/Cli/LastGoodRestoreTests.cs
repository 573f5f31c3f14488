using System.IO.Compression;
using Restore.Cli;
using Restore.Tests.Ends;
using Restore.Tests.FixtureTests;
using Restore.Tests.Support;
using Restore.Tests.Support.Machine;
using Restore.Tests.Trust;

namespace Restore.Tests.Cli;

/// <summary>
/// --last-good does what a restore of one version does: with a named folder, with what is at the
/// target, with names and modes, and with what is lost.
/// </summary>
public sealed class LastGoodRestoreTests : IDisposable
{
    private readonly AttackedBackup backup = new();

    private string Docs => Path.Combine(backup.Source, "docs");

    [Fact]
    public async Task A_named_folder_keeps_its_name_and_nothing_beside_it_is_removed()
    {
        await backup.LiveAndEncryptAsync();
        string mine = At("pictures/mine.txt");
        string extra = At("docs/extra.txt");
        CliRun run = await RestoreAsync($"@{Docs}/", "--overwrite", "--delete", "--yes");
        Assert.True(run.ExitCode == ExitCodes.Complete, run.Output + run.Error);
        Assert.True(File.Exists(Path.Combine(backup.Target, "docs", "f0.odt")), run.Output);
        Assert.True(File.Exists(mine));
        Assert.False(File.Exists(extra));
    }

    [Fact]
    public async Task A_file_that_only_suspect_versions_have_is_not_removed_from_the_target()
    {
        await backup.LiveAndEncryptAsync();
        string known = At("docs/f0.odt.locked");
        string extra = At("docs/extra.txt");
        CliRun run = await RestoreAsync("--overwrite", "--delete", "--yes");
        Assert.True(run.ExitCode == ExitCodes.Complete, run.Output + run.Error);
        Assert.True(File.Exists(known));
        Assert.False(File.Exists(extra));
    }

    [Fact]
    public async Task A_saved_plan_knows_what_only_suspect_versions_have()
    {
        await backup.LiveAndEncryptAsync();
        string known = At("docs/f0.odt.locked");
        string extra = At("docs/extra.txt");
        await using Backup opened = await Backup.OpenAsync(backup.Store);
        RestorePlan plan = await opened.PlanLastGoodAsync(new RestoreOptions { Target = backup.Target });
        using MemoryStream saved = new();
        await plan.SaveAsync(saved, TestContext.Current.CancellationToken);
        saved.Position = 0;
        ExtraEntries found = await opened.FindExtraAsync(
            await RestorePlan.LoadAsync(saved, TestContext.Current.CancellationToken),
            TestContext.Current.CancellationToken
        );
        Assert.True(File.Exists(known));
        Assert.Equal([Path.GetRelativePath(backup.Target, extra)], found.Files);
    }

    [Fact]
    [NeedsLinux]
    public async Task A_folder_above_the_selection_is_no_wider_than_recorded()
    {
        const int OwnerAlone = 0x1C0;
        Directory.CreateDirectory(Docs);
        Native.SetMode(Docs, OwnerAlone);
        await backup.LiveAndEncryptAsync();
        CliRun run = await RestoreAsync("f1*");
        Assert.True(run.ExitCode == ExitCodes.Complete, run.Output + run.Error);
        Assert.Equal(OwnerAlone, Native.Mode(Path.Combine(backup.Target, "docs")));
        Assert.Contains("0 folders", run.Output.Replace("  ", " ", StringComparison.Ordinal), StringComparison.Ordinal);
    }

    [Fact]
    public async Task The_second_entry_for_one_path_is_refused()
    {
        using MadeBackup made = new();
        made.Folder("/s/");
        made.File("/s/a", [1]);
        made.File("/s/a", [2]);
        made.File("/s/b", [3]);
        made.Write();
        CliRun run = await CliRun.OfAsync(made.Source, "--last-good", "-t", made.Target);
        Assert.Equal(ExitCodes.Incomplete, run.ExitCode);
        Assert.Contains("A file of the backup has this path already", run.Output + run.Error, StringComparison.Ordinal);
        Assert.Equal([1], await File.ReadAllBytesAsync(made.At("a"), TestContext.Current.CancellationToken));
    }

    [Fact]
    public async Task The_second_of_two_entries_with_one_target_path_is_refused()
    {
        using MadeBackup made = new();
        made.File(@"C:\data\a", [1]);
        made.File(@"c:\data\a", [2]);
        made.File(@"C:\data\b", [3]);
        made.Write();
        CliRun run = await CliRun.OfAsync(
            made.Source,
            "--last-good",
            "-t",
            made.Target,
            "--dont-compress-restore-paths"
        );
        CliRun usual = await CliRun.OfAsync(made.Source, "-t", made.Target + "2", "--dont-compress-restore-paths");
        Assert.Equal(ExitCodes.Incomplete, usual.ExitCode);
        Assert.Equal(ExitCodes.Incomplete, run.ExitCode);
        Assert.Equal(AttackedBackup.Hashes(made.Target + "2"), AttackedBackup.Hashes(made.Target));
    }

    [Fact]
    public async Task A_suspect_file_does_not_take_the_name_of_a_good_one()
    {
        backup.Write("docs/f0.odt.locked.suspect", 900);
        Dictionary<string, string> good = await backup.LiveAndEncryptAsync();
        CliRun run = await RestoreAsync("--with-suspect");
        Assert.True(run.ExitCode == ExitCodes.Complete, run.Output + run.Error);
        Dictionary<string, string> found = AttackedBackup.Hashes(backup.Target);
        Assert.All(good, file => Assert.Equal(file.Value, found[file.Key]));
        Assert.Contains(Path.Combine("docs", "f0.odt.locked.suspect.suspect"), found);
    }

    [Fact]
    public async Task A_name_that_only_older_versions_have_is_a_name()
    {
        backup.Write("docs/what?.odt", 900);
        backup.Write("docs/whatever.odt", 800);
        backup.Write("docs/whatX.odt", 800);
        await backup.LiveAndEncryptAsync();
        CliRun run = await RestoreAsync("what?.odt");
        Assert.True(run.ExitCode == ExitCodes.Complete, run.Output + run.Error);
        Assert.Equal(["what?.odt"], AttackedBackup.Hashes(backup.Target).Keys.Select(Path.GetFileName));

        string zip = Path.Combine(backup.Folder, "good.zip");
        await CliRun.OfAsync("export", backup.Store, "what?.odt", "--last-good", $"--output={zip}");
        Assert.Equal(["what?.odt"], FilesOf(zip).Select(Path.GetFileName));
    }

    [Fact]
    public async Task An_archive_names_what_only_suspect_versions_have()
    {
        await backup.LiveAndEncryptAsync();
        string zip = Path.Combine(backup.Folder, "good.zip");
        CliRun run = await CliRun.OfAsync("export", backup.Store, "--last-good", "--quiet", $"--output={zip}");
        Assert.True(run.ExitCode == ExitCodes.Complete, run.Error);
        using ZipArchive archive = await ZipFile.OpenReadAsync(zip, TestContext.Current.CancellationToken);
        using StreamReader text = new(await archive.GetEntry("restore-left-out.txt")!.OpenAsync());
        string[] lines = (await text.ReadToEndAsync(TestContext.Current.CancellationToken)).Split('\n');
        Assert.Contains(lines, line => line.Contains("docs/f0.odt.locked\t", StringComparison.Ordinal));
        Assert.Equal(22, lines.Count(line => line.Contains("Only suspect versions have", StringComparison.Ordinal)));
    }

    [Fact]
    public async Task What_an_assessment_did_not_look_at_is_as_the_newest_version_has_it()
    {
        await backup.LiveAndEncryptAsync();
        await using Backup opened = await Backup.OpenAsync(backup.Store);
        RestorePlan plan = await opened.PlanLastGoodAsync(
            new RestoreOptions { Target = backup.Target },
            new AssessOptions { Filter = EntryFilter.Parse([$"@{Docs}/"], []) }
        );
        Assert.True(plan.Selects(EntryFilter.Exactly(Path.Combine(backup.Source, "pictures", "f1.jpg.locked"))));
        Assert.True(plan.Selects(EntryFilter.Exactly(Path.Combine(Docs, "f0.odt"))));
        Assert.DoesNotContain(plan.Issues, issue => issue.Kind == IssueKind.Refused);
    }

    public void Dispose() => backup.Dispose();

    private static string[] FilesOf(string zip)
    {
        using ZipArchive archive = ZipFile.OpenRead(zip);
        return [.. archive.Entries.Select(entry => entry.FullName).Where(name => !name.EndsWith('/'))];
    }

    private string At(string name)
    {
        string path = Path.Combine(backup.Target, name);
        Directory.CreateDirectory(Path.GetDirectoryName(path)!);
        File.WriteAllText(path, "mine");
        return path;
    }

    private Task<CliRun> RestoreAsync(params string[] arguments) =>
        CliRun.OfAsync([backup.Store, .. arguments, "--last-good", "-t", backup.Target]);
}
