using System.Security.Cryptography;
using Restore.Catalog;
using Restore.Reading;
using Restore.Volumes;

namespace Restore.Tests.Reading;

/// <summary>Blocks by their numbers, from any copy that can be read.</summary>
public sealed class BlockReaderTests : IDisposable
{
    private static readonly byte[][] Blocks = [MadeVolumes.Block(1, 5000), MadeVolumes.Block(2, 3000)];

    private readonly MadeVolumes made = new();
    private readonly List<BlockId[]> searched = [];

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    [Theory]
    [InlineData(RangeReads.Never)]
    [InlineData(RangeReads.Always)]
    public async Task A_block_comes_from_its_next_copy_if_the_first_is_damaged(RangeReads ranges)
    {
        BlockId[] ids = made.Want(made.Add(MadeVolumes.Zip(Blocks, stored: true)), Blocks);
        made.Want(made.Add(MadeVolumes.Zip(Blocks)), Blocks);
        byte[] first = made.Store[made.Volumes[0].FileName];
        first[first.AsSpan().IndexOf(Blocks[1])] ^= 1;

        (Dictionary<BlockId, byte[]> read, IReadOnlyCollection<BlockId> lost) = await ReadAsync(ids, ranges: ranges);

        Assert.Empty(lost);
        Assert.Equal(Blocks.Select(SHA256.HashData), ids.Select(id => read[id]));
        Assert.Empty(searched);
    }

    [Fact]
    public async Task A_block_without_a_copy_that_can_be_read_is_searched_once_and_then_lost()
    {
        BlockId[] ids = made.Want(made.Add(MadeVolumes.Zip(Blocks[..1])), Blocks);

        (Dictionary<BlockId, byte[]> read, IReadOnlyCollection<BlockId> lost) = await ReadAsync(ids);

        Assert.Equal(ids[..1], read.Keys);
        Assert.Equal(ids[1..], lost);
        Assert.Equal(ids[1..], Assert.Single(searched));
    }

    [Fact]
    public async Task No_block_is_searched_if_the_caller_does_not_ask_for_it()
    {
        BlockId[] ids = made.Want(made.Add(MadeVolumes.Zip(Blocks[..1])), Blocks);

        Assert.Equal(ids[1..], (await ReadAsync(ids, searches: false)).Lost);
        Assert.Empty(searched);
    }

    [Fact]
    public async Task A_block_that_a_search_finds_comes_from_there()
    {
        BlockId[] ids = made.Want(made.Add(MadeVolumes.Zip(Blocks[..1])), Blocks);
        Volume other = made.Add(MadeVolumes.Zip(Blocks[1..]), isEncrypted: true);

        (Dictionary<BlockId, byte[]> read, IReadOnlyCollection<BlockId> lost) = await ReadAsync(
            ids,
            found: new Replica(ids[1], other.Id)
        );

        Assert.Empty(lost);
        Assert.Equal(Blocks.Select(SHA256.HashData), ids.Select(id => read[id]));
    }

    public void Dispose() => made.Dispose();

    private async Task<(Dictionary<BlockId, byte[]> Read, IReadOnlyCollection<BlockId> Lost)> ReadAsync(
        BlockId[] blocks,
        bool searches = true,
        RangeReads ranges = RangeReads.Never,
        Replica? found = null
    )
    {
        Dictionary<BlockId, byte[]> read = [];
        Locations locations = made.Locate();
        BlockReader reader = new(made.Table, locations, made.Volumes, made.Stream(ranges: ranges), SearchAsync);
        IReadOnlyCollection<BlockId> lost = await reader.ReadAsync(
            blocks,
            searches,
            (block, bytes) => read.Add(block, SHA256.HashData(bytes.Span)),
            Token
        );
        made.Loader.Directories.Dispose();
        return (read, lost);

        Task<Locations> SearchAsync(Locations known, IReadOnlyCollection<BlockId> missing, CancellationToken token)
        {
            searched.Add([.. missing]);
            return Task.FromResult(found is Replica replica ? known.With([replica], []) : known);
        }
    }
}
