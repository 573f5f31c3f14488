using Restore.Mount;
using Restore.Tests.FixtureTests;

namespace Restore.Tests.Mount;

/// <summary>Every fixture as a file system, without the kernel.</summary>
public sealed class MountFixtureTests
{
    public static TheoryData<string, string> Intact() =>
        [.. FixtureCatalog.Readable.Select(backup => (backup.Name, backup.Prefix))];

    public static TheoryData<string> Others() =>
        [
            .. FixtureCatalog.Damaged,
            .. FixtureCatalog.Names.Where(name => name.StartsWith("hostile/", StringComparison.Ordinal)),
        ];

    [Theory]
    [MemberData(nameof(Intact))]
    public async Task Every_version_of_a_sound_backup_is_what_its_source_was(string fixture, string prefix)
    {
        FixtureBackup backup = FixtureCatalog.Find(fixture, prefix);
        await using MountWalk walk = await MountWalk.OpenAsync(cancellation =>
            Backup.OpenAsync(backup.Location, backup.Options(), cancellation)
        );
        await using Backup opened = await Backup.OpenAsync(backup.Location, backup.Options());
        foreach (FixtureVersion version in backup.Versions)
        {
            string folder = $"versions/{Backup.FolderNameOf(opened.Versions[version.Index])}";
            ExpectedTree expected = ExpectedTree.Load(version.ExpectedFile!);
            bool hasRoot = await walk.FindAsync($"{folder}/{backup.SourceRoot}") is not null;
            SortedDictionary<string, TreeEntry> found = await walk.ReadTreeAsync(
                hasRoot ? $"{folder}/{backup.SourceRoot}" : folder
            );
            TreeChecks checks =
                (backup.Checks | (Environment.IsPrivilegedProcess ? 0 : TreeChecks.Owners)) & ~TreeChecks.Attributes;
            string[] differences =
            [
                .. RestoredTree.Differences(
                    expected,
                    found,
                    hasRoot ? checks : checks & ~TreeChecks.Root,
                    backup.Skipped.Contains
                ),
            ];
            Assert.True(
                differences.Length == 0,
                $"{differences.Length} differences:\n{string.Join('\n', differences.Take(20))}"
            );
        }

        Assert.Empty(walk.Failures);
    }

    [Theory]
    [MemberData(nameof(Others))]
    public async Task A_damaged_or_hostile_backup_gives_right_bytes_or_errors_and_only_names_that_a_file_system_has(
        string fixture
    )
    {
        foreach (FixtureBackup backup in FixtureCatalog.BackupsOf(fixture))
        {
            await using MountWalk walk = await MountWalk.OpenAsync(cancellation =>
                Backup.OpenAsync(backup.Location, backup.Options(), cancellation)
            );
            SortedDictionary<string, TreeEntry> found;
            try
            {
                found = await walk.ReadTreeAsync(await LatestAsync(walk));
            }
            catch (RestoreException)
            {
                // The file list is refused as a whole, as a restore refuses it.
                continue;
            }

            if (backup.Versions.Count == 0 || backup.Versions[0].ExpectedFile is not string expectedFile)
            {
                continue;
            }

            string root = backup.SourceRoot.Trim('/');
            foreach (
                TreeEntry wanted in ExpectedTree.Load(expectedFile).Entries.Where(entry => entry.Sha256 is not null)
            )
            {
                if (found.GetValueOrDefault($"{root}/{wanted.Path}".Trim('/')) is { } file)
                {
                    Assert.Equal((wanted.Path, wanted.Sha256), (wanted.Path, file.Sha256));
                }
                else
                {
                    Assert.True(
                        walk.Failures.Count > 0 || walk.Warnings.Count > 0,
                        $"{wanted.Path} is missing, and nothing was reported"
                    );
                }
            }
        }
    }

    private static async Task<string> LatestAsync(MountWalk walk)
    {
        NodeFacts link = (await walk.FindAsync("latest"))!.Value;
        return System.Text.Encoding.UTF8.GetString(await walk.Files.LinkTargetAsync(link.Node, default));
    }
}
