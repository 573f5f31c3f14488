using Restore.Catalog;
using Restore.Catalog.Database;
using Restore.Catalog.Locating;
using Restore.Compression;
using Restore.Encryption;
using Restore.Memory;
using Restore.Storage.Local;
using Restore.Volumes;

namespace Restore.Tests.Catalog.Database;

/// <summary>The blocks of needed contents, and their locations.</summary>
public sealed class LocateTests(LargeDatabase large) : IClassFixture<LargeDatabase>, IDisposable
{
    private readonly DatabaseWorkspace work = large.Copy();
    private readonly IssueLog issues = new();

    public void Dispose() => work.Dispose();

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(50)]
    [InlineData(5000)]
    public async Task Wanted_blocks_are_known_and_located_and_no_others(int every)
    {
        (BlockNeeds needs, _) = await LocateAsync(entry => entry % every == 0);
        Assert.Equal((0, 0), (needs.UnlocatedBlocks, needs.MissingBlocklists));
        Assert.Empty(issues.ToList());
        int known = 0;
        for (int entry = 0; entry < needs.Content.Entries.Count; entry++)
        {
            int file = int.Parse(needs.Content.PathText(new EntryId(entry))[^6..], null);
            int content = needs.Content.Entries[entry].Content;
            for (
                int index = 0;
                index < needs.Content.BlockCountOf(new ContentId(content)) && entry % every == 0;
                index++, known++
            )
            {
                int expected = file == LargeDatabase.LargeFile ? LargeDatabase.FirstLargeBlock + index : file;
                AssertBlock(needs, needs.Content.BlockOf(new ContentId(content), index), expected);
            }
        }

        Assert.Equal(known, BlockId.UpTo(needs.Content.Blocks.Count).AsEnumerable().Count(needs.IsReferenced));
    }

    [Fact]
    public async Task Files_of_one_content_share_it()
    {
        work.Sql(
            $"""
            INSERT INTO FileLookup VALUES (50000, 1, 'copy-{LargeDatabase.LargeFile:D6}', {LargeDatabase.LargeFile}, -1);
            INSERT INTO FilesetEntry VALUES (1, 50000, 0)
            """
        );
        (BlockNeeds needs, VersionContent content) = await LocateAsync(_ => true);
        IEnumerable<ContentId> contents = EntryId
            .UpTo(content.Entries.Count)
            .AsEnumerable()
            .Select(entry => content.Entries[entry].Content);
        Assert.Equal(content.Entries.Count - 1, contents.Distinct().Count());
        Assert.Equal(0, needs.UnlocatedBlocks);
        Assert.Equal(LargeDatabase.LargeFileBlocks, content.SequenceBlockCount);
    }

    [Fact]
    public async Task Copies_in_other_volumes_are_remembered_for_when_the_first_fails()
    {
        work.Sql(
            """
            INSERT INTO DuplicateBlock VALUES (3, 2);
            INSERT INTO DuplicateBlock VALUES (3, 99);
            UPDATE Block SET VolumeID = 99 WHERE ID IN (6, 9);
            INSERT INTO DuplicateBlock VALUES (6, 3);
            """
        );
        (BlockNeeds needs, VersionContent content) = await LocateAsync(_ => true);
        Assert.Equal(1, needs.UnlocatedBlocks);

        int third = content.Blocks.Find(LargeDatabase.Hash(3), LargeDatabase.SizeOf(3));
        Assert.Equal(LargeDatabase.VolumeName(LargeDatabase.VolumeOf(3)), VolumeNameOf(needs, third));
        needs.Fail(new Replica(new BlockId(third), needs.Locations.VolumeOf(new BlockId(third))));
        Assert.Equal(LargeDatabase.VolumeName(2), VolumeNameOf(needs, third));
        needs.Fail(new Replica(new BlockId(third), needs.Locations.VolumeOf(new BlockId(third))));
        Assert.Equal(VolumeId.None, needs.Locations.VolumeOf(new BlockId(third)));
        Assert.Equal(
            LargeDatabase.VolumeName(3),
            VolumeNameOf(needs, content.Blocks.Find(LargeDatabase.Hash(6), LargeDatabase.SizeOf(6)))
        );
    }

    [Theory]
    [InlineData("UPDATE Block SET Size = Size + 1 WHERE ID IN (5, 100005)", 2)]
    [InlineData("UPDATE Block SET Size = -1 WHERE ID = 5", 1)]
    [InlineData("UPDATE Block SET Size = 9223372036854775807 WHERE ID = 100005", 1)]
    [InlineData("UPDATE Block SET Hash = 'AAAA' WHERE ID = 5", 1)]
    [InlineData("DELETE FROM Block WHERE ID IN (5, 100005)", 0)]
    public async Task Blocks_that_cannot_be_those_of_the_file_stay_unknown(string change, int reported)
    {
        work.Sql(change);
        (BlockNeeds needs, VersionContent content) = await LocateAsync(_ => true);
        Assert.Equal(0, needs.UnlocatedBlocks);
        string[] expected =
            reported == 0 ? [] : [$"Its rows about blocks contradict the files they belong to ({reported} of them)"];
        Assert.Equal(expected, content.Issues.ToList().Select(issue => issue.Reason));
        int[] unknown =
        [
            .. from entry in Enumerable.Range(0, content.Entries.Count)
            let id = content.Entries[entry].Content
            from index in Enumerable.Range(0, content.BlockCountOf(id))
            where content.BlockOf(id, index) < 0
            select index,
        ];
        Assert.InRange(unknown.Length, 1, 2);
    }

    [Fact]
    public async Task If_nothing_is_needed_nothing_is_missing()
    {
        (BlockNeeds needs, _) = await LocateAsync(_ => false);
        Assert.True(needs.IsSettled);
    }

    private static string VolumeNameOf(BlockNeeds needs, int block) =>
        LargeDatabase.VolumeName(needs.Locations.VolumeOf(new BlockId(block)) + 1);

    private static void AssertBlock(BlockNeeds needs, int block, int expected)
    {
        Assert.True(needs.Content.Blocks.HashOf(new BlockId(block)).SequenceEqual(LargeDatabase.Hash(expected)));
        Assert.Equal(
            (LargeDatabase.SizeOf(expected), LargeDatabase.VolumeName(LargeDatabase.VolumeOf(expected))),
            (needs.Content.Blocks.SizeOf(new BlockId(block)), VolumeNameOf(needs, block))
        );
    }

    private async Task<(BlockNeeds Needs, VersionContent Content)> LocateAsync(Func<int, bool> isWanted)
    {
        BufferPool pool = new();
        await using LocalFolderStore store = new(work.Volumes);
        VolumeSet volumes = await VolumeSet.ListAsync(
            store,
            prefix: null,
            needsFileLists: false,
            CancellationToken.None
        );
        VolumeLoader loader = new(
            store,
            new VolumeCiphers(new CipherOptions(work.Options.Passphrase), pool),
            new Codecs(),
            pool
        );
        await using DatabaseCatalog catalog = await DatabaseCatalog.OpenAsync(
            work.Database,
            loader,
            volumes,
            CancellationToken.None
        );
        VersionContent content = await catalog.ReadAsync(
            Assert.Single(catalog.Versions),
            EntryFilter.All,
            observer: null,
            CancellationToken.None
        );
        BlockNeeds needs = new(content);
        for (int entry = 0; entry < content.Entries.Count; entry++)
        {
            if (isWanted(entry))
            {
                needs.Want(content.Entries[entry].Content);
            }
        }

        using SearchState search = new(needs, issues);
        ILocationSource source = catalog.LocationsFor(search, needs)!;
        Assert.True(await source.TryStepAsync((_, _) => { }, CancellationToken.None));
        Assert.False(await source.TryStepAsync((_, _) => { }, CancellationToken.None));
        return (needs, content);
    }
}
