using Restore.Cli;
using Restore.Tests.FixtureTests;
using Restore.Tests.Restoring;
using Restore.Tests.Support;
using Restore.Tests.Support.Machine;
using Restore.Tests.Trust;

namespace Restore.Tests.Reported;

/// <summary>
/// A target that does not tell upper case from lower case and has no links: nothing is mixed, and
/// nothing of the user's is lost.
/// </summary>
[NeedsPrograms(".ci/install-packages", "mount.exfat-fuse", "mkfs.exfat")]
public sealed class CaseTests
{
    private static readonly byte[] Upper = MadeVersion.Content(1, 3000);
    private static readonly byte[] Lower = MadeVersion.Content(2, 5000);

    [Theory]
    [InlineData(Flow.Network, false)]
    [InlineData(Flow.Network, true)]
    [InlineData(Flow.Legacy, false)]
    [InlineData(Flow.Legacy, true)]
    public async Task The_second_of_two_entries_with_one_name_is_refused_and_never_mixed_with_the_first(
        Flow flow,
        bool overwrite
    )
    {
        using ExFatDisk disk = MountOrSkip();
        using MadeBackup backup = new();
        backup.File("/data/A.txt", Upper, MadeBackup.Metadata());
        backup.File("/data/a.txt", Lower, MadeBackup.Metadata());
        backup.File("/data/Dir/Ä", Upper, MadeBackup.Metadata());
        backup.File("/data/dir/ä", Lower, MadeBackup.Metadata());
        backup.File("/data/other", Lower, MadeBackup.Metadata());
        backup.Write();
        RestoreSetup options = new RestoreOptions
        {
            Target = Path.Combine(disk.Folder, "out"),
            Overwrite = overwrite,
        }.By(flow);
        Dictionary<string, byte[]> first = [];
        for (int run = 0; run < 3; run++)
        {
            RestoreReport report = await RestoreAsync(backup, options);
            Assert.Equal(ExitCodes.Incomplete, ExitCodes.Of(report));
            string[] refused =
            [
                .. report
                    .Issues.Where(issue => issue.Kind == IssueKind.Refused)
                    .Select(issue => issue.Path.ToUpperInvariant()),
            ];
            Assert.Equal(["/DATA/A.TXT", "/DATA/DIR/Ä"], refused.Order(StringComparer.Ordinal));
            Dictionary<string, byte[]> found = Directory
                .EnumerateFiles(options.What.Target!, "*", SearchOption.AllDirectories)
                .ToDictionary(file => Path.GetRelativePath(options.What.Target!, file), File.ReadAllBytes);
            Assert.Equal(3, found.Count);
            Assert.All(
                found.Values,
                content => Assert.True(content.SequenceEqual(Upper) || content.SequenceEqual(Lower), "A mixture")
            );
            Assert.All(first, file => Assert.Equal(file.Value, found[file.Key]));
            first = found;
        }
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_file_of_the_user_with_another_spelling_is_treated_like_one_of_the_same_name(bool overwrite)
    {
        using ExFatDisk disk = MountOrSkip();
        using MadeBackup backup = new();
        backup.File("/data/letter.txt", Lower, MadeBackup.Metadata());
        backup.File("/data/other", Upper, MadeBackup.Metadata());
        File.WriteAllText(Path.Combine(disk.Folder, "Letter.TXT"), "mine");
        RestoreReport report = await RestoreAsync(
            backup.Write(),
            new RestoreOptions { Target = disk.Folder, Overwrite = overwrite }
        );
        Assert.Equal(ExitCodes.Complete, ExitCodes.Of(report));
        Assert.True(report.Issues.Count == (overwrite ? 0 : 1), string.Join("\n", report.Issues));
        Assert.Equal(overwrite ? [] : [IssueCode.Renamed], report.Issues.Select(issue => issue.Code));
        Assert.Equal(
            Lower,
            File.ReadAllBytes(Path.Combine(disk.Folder, overwrite ? "letter.txt" : "letter.2026-01-02.txt"))
        );
        Assert.True(overwrite || File.ReadAllText(Path.Combine(disk.Folder, "Letter.TXT")) == "mine");
    }

    [Theory]
    [InlineData(Flow.Network, false)]
    [InlineData(Flow.Network, true)]
    [InlineData(Flow.Legacy, false)]
    [InlineData(Flow.Legacy, true)]
    public async Task A_link_that_the_target_cannot_have_is_refused_and_costs_nothing_of_the_users(
        Flow flow,
        bool overwrite
    )
    {
        using ExFatDisk disk = MountOrSkip();
        using MadeBackup backup = new();
        backup.File("/data/file", Lower, MadeBackup.Metadata());
        backup.Link("/data/mine", "file");
        backup.Link("/data/new", "file");
        File.WriteAllText(Path.Combine(disk.Folder, "mine"), "mine");
        RestoreSetup options = new RestoreOptions { Target = disk.Folder, Overwrite = overwrite }.By(flow);
        backup.Write();
        for (int run = 0; run < 2; run++)
        {
            RestoreReport report = await RestoreAsync(backup, options);
            Assert.Equal(
                ["/data/mine", "/data/new"],
                report.Issues.Where(issue => issue.Kind == IssueKind.Refused).Select(issue => issue.Path)
            );
            Assert.Equal("mine", File.ReadAllText(Path.Combine(disk.Folder, "mine")));
            Assert.Equal(Lower, File.ReadAllBytes(Path.Combine(disk.Folder, "file")));
            Assert.Equal(2, Directory.GetFileSystemEntries(disk.Folder).Length);
        }
    }

    private static ExFatDisk MountOrSkip()
    {
        ExFatDisk? disk = ExFatDisk.TryMount();
        Assert.SkipWhen(disk is null, "Only the root user of a system with FUSE and loop devices can mount exFAT.");
        return disk!;
    }

    private static async Task<RestoreReport> RestoreAsync(MadeBackup made, RestoreSetup options)
    {
        await using Backup backup = await Backup.OpenAsync(made.Source);
        return await backup.RestoreAsync(backup.Versions[0], options);
    }
}
