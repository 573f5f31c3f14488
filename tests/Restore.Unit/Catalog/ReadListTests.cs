using System.Text;
using Restore.Tests.FixtureTests;

namespace Restore.Tests.Catalog;

/// <summary>The entries of a list without an object for each are those of the list.</summary>
public sealed class ReadListTests
{
    [Theory]
    [InlineData("with-database")]
    [InlineData("windows-paths")]
    [InlineData("hand-made")]
    public async Task The_bytes_are_those_of_the_entries(string fixture)
    {
        foreach (FixtureBackup backup in FixtureCatalog.BackupsOf(fixture))
        {
            foreach (string database in backup.Databases.Prepend(""))
            {
                await AssertSameAsync(backup, database);
            }
        }
    }

    [Fact]
    public async Task A_failure_of_who_receives_the_entries_is_none_of_the_list()
    {
        FixtureBackup backup = FixtureCatalog.BackupsOf("hand-made").First();
        CancellationToken token = TestContext.Current.CancellationToken;
        await using Backup opened = await Backup.OpenAsync(backup.Location, backup.Options(""), token);
        IOException full = new("The memory is full");
        Assert.Same(
            full,
            await Record.ExceptionAsync(() => opened.ReadListAsync(opened.Versions[0], _ => throw full, token))
        );
    }

    private static async Task AssertSameAsync(FixtureBackup backup, string database)
    {
        CancellationToken token = TestContext.Current.CancellationToken;
        await using Backup opened = await Backup.OpenAsync(backup.Location, backup.Options(database), token);
        foreach (BackupVersion version in opened.Versions)
        {
            List<BackupEntry> read = [];
            await opened.ReadListAsync(
                version,
                entry =>
                    read.Add(
                        new BackupEntry(
                            Encoding.UTF8.GetString(entry.Path),
                            entry.Kind,
                            entry.SizeBytes,
                            entry.LastModified
                        )
                        {
                            Hash = Convert.ToHexStringLower(entry.Hash),
                        }
                    ),
                token
            );
            Assert.NotEmpty(read);
            Assert.Equal(await opened.ListAsync(version, null, token).ToListAsync(token), read);
        }
    }
}
