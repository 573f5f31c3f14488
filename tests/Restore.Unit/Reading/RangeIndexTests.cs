using Restore.Format;
using Restore.Volumes;

namespace Restore.Tests.Reading;

/// <summary>Index volumes read without the copies of blocklists that nothing needs.</summary>
public sealed class RangeIndexTests
{
    private static CancellationToken Token => TestContext.Current.CancellationToken;

    [Theory]
    [InlineData("blocklists-1kb", 1 << 10, 10_000)]
    [InlineData("aes-100kb", 100 << 10, 0)]
    public async Task An_index_volume_without_the_blocklists_that_nothing_needs_lists_the_same_blocks_for_fewer_bytes(
        string fixture,
        int blockBytes,
        int savedBytes
    )
    {
        using RangeBackend backend = await RangeBackend.OpenAsync(fixture, RangeBackend.StoreOf(fixture));
        BlockLayout layout = new(blockBytes, HashKind.Sha256, HashKind.Sha256);
        RangePolicy policy = new(RangeReads.Always, 0);
        long mostSaved = 0;
        foreach (Volume index in backend.Volumes.Indexes)
        {
            (string whole, _, int allBlocklists) = await backend.ReadIndexAsync(
                index,
                layout,
                policy with
                {
                    Mode = RangeReads.Never,
                },
                isWanted: true
            );
            (string all, _, int blocklists) = await backend.ReadIndexAsync(index, layout, policy, isWanted: true);
            (string few, long fewBytes, int none) = await backend.ReadIndexAsync(
                index,
                layout,
                policy,
                isWanted: false
            );
            Assert.Equal((whole, allBlocklists), (all, blocklists));
            Assert.Equal((whole, 0), (few, none));
            mostSaved = Math.Max(mostSaved, index.SizeBytes - fewBytes);
        }

        Assert.InRange(mostSaved, savedBytes, long.MaxValue);
    }

    [Fact]
    public async Task A_damaged_index_volume_is_read_whole_and_refused_as_a_whole()
    {
        using TempFolder copy = new();
        string source = Fixtures.Backup("aes-100kb");
        foreach (string file in Directory.GetFiles(source))
        {
            byte[] bytes = await File.ReadAllBytesAsync(file, Token);

            // In the middle of the encrypted part: the directory at the end stays sound.
            bytes[bytes.Length / 2] ^= (byte)(file.Contains(".dindex.", StringComparison.Ordinal) ? 0xFF : 0);
            await File.WriteAllBytesAsync(Path.Combine(copy.Path, Path.GetFileName(file)), bytes, Token);
        }

        using RangeBackend backend = await RangeBackend.OpenAsync(
            "aes-100kb",
            ScriptedStore.OfFolder(copy.Path),
            listedBy: source
        );
        BlockLayout layout = new(100 << 10, HashKind.Sha256, HashKind.Sha256);
        foreach (Volume index in backend.Volumes.Indexes)
        {
            await Assert.ThrowsAsync<InvalidDataException>(() =>
                backend.ReadIndexAsync(index, layout, new RangePolicy(RangeReads.Always, 0), isWanted: true)
            );
            Assert.Contains((index.FileName, 0L, (int)index.SizeBytes), backend.Store.Reads);
        }
    }
}
