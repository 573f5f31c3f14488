namespace Restore.Tests.FixtureTests;

/// <summary>Every sound backup, every version, restores to exactly what its source was.</summary>
public sealed class IntactFixtureTests
{
    public static TheoryData<string, string, int, string, Flow> Cases()
    {
        TheoryData<string, string, int, string, Flow> cases = [];
        foreach (FixtureBackup backup in FixtureCatalog.Readable)
        {
            foreach (
                (int index, string database, Flow flow) in from version in backup.Versions
                from database in backup.Databases.Prepend("")
                from flow in Enum.GetValues<Flow>()
                select (version.Index, database, flow)
            )
            {
                cases.Add(backup.Name, backup.Prefix, index, database, flow);
            }
        }

        return cases;
    }

    [Theory]
    [MemberData(nameof(Cases))]
    public async Task A_version_restores_to_what_its_source_was(
        string fixture,
        string prefix,
        int version,
        string database,
        Flow flow
    )
    {
        FixtureBackup backup = FixtureCatalog.Find(fixture, prefix);
        using TempFolder folder = new();
        RestoreReport report = await FixtureRestore.RunAsync(
            backup,
            version,
            FixtureRestore.Whole(folder.Root).By(flow),
            database
        );

        RestoredTree.AssertEqual(
            backup.Versions[version].ExpectedFile!,
            folder.Root,
            backup.Checks,
            backup.Skipped.Contains
        );
        if (!backup.Info.TryGetProperty("refuse", out _) && backup.Skipped.Count == 0)
        {
            Assert.Equal(
                fixture == "no-index" ? ["There are no index volumes"] : [],
                report.Issues.Select(issue => issue.Reason.Split(';')[0])
            );
        }
    }

    [Fact]
    public void Every_fixture_belongs_to_one_of_the_suites_and_each_has_a_case()
    {
        string[] covered =
        [
            .. Cases().Select(row => row.Data.Item1),
            .. DamagedFixtureTests.Cases().Select(row => row.Data.Item1),
            .. HostileFixtureTests.Cases().Select(row => row.Data.Item1),
            FixtureCatalog.Gpg,
            "aes-samples",
        ];
        Assert.Empty(FixtureCatalog.Names.Except(covered));
        Assert.Equal(FixtureCatalog.CountInAll, FixtureCatalog.Names.Length);
    }

    [Fact]
    public async Task Two_backups_in_one_folder_differ_by_their_prefix_only()
    {
        RestoreException failure = await Assert.ThrowsAsync<RestoreException>(() =>
            Backup.OpenAsync(Fixtures.Backup("prefixes"))
        );
        Assert.Contains("alpha", failure.Message, StringComparison.Ordinal);
        Assert.Contains("beta", failure.Message, StringComparison.Ordinal);
        Assert.Equal(RestoreErrorCode.SeveralBackups, failure.Code);
    }
}
