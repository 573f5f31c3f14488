using Restore.Compression.Zip;
using Restore.Memory;
using Restore.Tests.Reading;
using Restore.Volumes;

namespace Restore.Tests.Volumes.Sparse;

/// <summary>Ranges and the tail of a volume, plain and encrypted.</summary>
public sealed class PlainRangesTests : IDisposable
{
    private static readonly byte[] Archive = SparseParts.Archive;

    private readonly MadeVolumes made = new();

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    public static TheoryData<bool, int> Tails =>
        new MatrixTheoryData<bool, int>([false, true], [1000, 4 << 10, 16 << 10, 1 << 20]);

    [Theory]
    [MemberData(nameof(Tails))]
    public async Task The_tail_is_the_end_of_the_plain_content_and_has_its_length(bool isEncrypted, int tailBytes)
    {
        Volume volume = made.Add(Archive, isEncrypted);
        using PlainRanges ranges = new(made.Loader, volume);
        using VolumeTail tail = await VolumeTail.ReadAsync(made.Loader, volume, ranges, tailBytes, Token);

        Assert.Equal(Archive.Length, ranges.LengthBytes);
        Assert.InRange(
            tail.Text.Length,
            Math.Min(Archive.Length, tailBytes - 100),
            Math.Min(Archive.Length, tailBytes)
        );
        Assert.Equal(Archive[^tail.Text.Length..], tail.Text.ToArray());
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Any_range_equals_that_of_the_plain_content(bool isEncrypted)
    {
        Volume volume = made.Add(Archive, isEncrypted);
        using PlainRanges ranges = new(made.Loader, volume);
        using VolumeTail tail = await VolumeTail.ReadAsync(made.Loader, volume, ranges, 1 << 10, Token);
        Random random = new(1);
        for (int i = 0; i < 200; i++)
        {
            int from = random.Next(Archive.Length);
            int length = random.Next(1, Math.Min(3000, Archive.Length - from) + 1);
            (PooledBuffer buffer, int start) = await ranges.ReadAsync(from, length, Token);
            using PooledBuffer owned = buffer;
            Assert.Equal(Archive[from..(from + length)], buffer.Span.Slice(start, length).ToArray());
        }
    }

    [Fact]
    public async Task A_volume_that_is_shorter_than_listed_is_an_error_that_says_where_it_ends()
    {
        Volume volume = made.Add(Archive);
        made.Store[volume.FileName] = Archive[..5000];
        using PlainRanges ranges = new(made.Loader, volume);
        InvalidDataException failure = await Assert.ThrowsAsync<InvalidDataException>(() =>
            ranges.ReadAsync(4000, 2000, Token).AsTask()
        );
        Assert.Equal($"The volume ended after 5,000 of {Archive.Length:N0} bytes", failure.Message);
        made.AssertBuffersBack();
    }

    [Theory]
    [InlineData(-1)]
    [InlineData(7)]
    public async Task An_encrypted_volume_of_an_impossible_length_is_refused_and_its_buffers_are_returned(int bytesMore)
    {
        Volume sound = made.Add(Archive, isEncrypted: true);
        byte[] cut = made.Store[sound.FileName];
        Array.Resize(ref cut, cut.Length + bytesMore);
        made.Store[sound.FileName] = cut;
        Volume volume = sound with { SizeBytes = cut.Length };
        using PlainRanges ranges = new(made.Loader, volume);
        await Assert.ThrowsAsync<InvalidDataException>(() =>
            VolumeTail.ReadAsync(made.Loader, volume, ranges, 4 << 10, Token).AsTask()
        );
        made.AssertBuffersBack();
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_directory_longer_than_the_tail_is_read_on_its_own(bool isEncrypted)
    {
        Volume volume = made.Add(
            MadeVolumes.Zip(Enumerable.Range(0, 500).Select(seed => MadeVolumes.Block(seed, 10))),
            isEncrypted
        );
        RangePolicy policy = new(RangeReads.Always, 0);
        using SparseVolume sparse = await SparseVolume.OpenAsync(made.Loader, volume, policy, Token);

        Assert.Equal(500, sparse.Entries.Length);
        Assert.True(500 * 90 > policy.TailBytes);
        Assert.InRange(made.Store.Reads.Count, 2, 4);
    }

    [Fact]
    public async Task An_end_record_before_the_tail_is_found_in_a_longer_tail()
    {
        byte[] archive = new Compression.ZipBuilder()
            .Add("a", SparseParts.Blocks[0])
            .Finish(comment: new string('c', 60_000));
        Assert.Null(ZipDirectory.Locate(archive.AsSpan(^4096..), archive.Length));
        using SparseVolume sparse = await SparseVolume.OpenAsync(
            made.Loader,
            made.Add(archive),
            new RangePolicy(RangeReads.Always, 0),
            Token
        );
        Assert.Equal(1, sparse.Entries.Length);
    }

    public void Dispose() => made.Dispose();
}
