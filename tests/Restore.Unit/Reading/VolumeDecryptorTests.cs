using Restore.Catalog;
using Restore.Compression;
using Restore.Memory;
using Restore.Reading;
using Restore.Tests.Csp;
using Restore.Volumes;

namespace Restore.Tests.Reading;

/// <summary>One process, fed with fetched volumes.</summary>
public sealed class VolumeDecryptorTests : IDisposable
{
    private static readonly byte[][] Blocks = [MadeVolumes.Block(1, 5000), MadeVolumes.Block(2, 100)];

    private readonly MadeVolumes made = new();
    private readonly VolumeCredit credit = new(1000);

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_sound_volume_comes_out_in_plain(bool isEncrypted)
    {
        Volume volume = made.AddWanted(Blocks, isEncrypted);
        using VolumeDecrypted decrypted = await DecryptAsync(await made.FetchAsync(volume));

        Assert.Null(decrypted.Failure?.Sentence);
        Assert.Null(decrypted.Volume!.Defect);
        Assert.Equal(MadeVolumes.Zip(Blocks).Length, decrypted.Bytes);
        using VolumeChunk chunk = (await decrypted.Volume.NextAsync(default, default))!;
        Assert.Null(await decrypted.Volume.NextAsync(default, default));
        using var archive = chunk.OpenArchive(made.Loader.Codecs);
        Assert.False(archive.IsSalvaged);
    }

    [Fact]
    public async Task A_volume_that_is_not_authentic_continues_with_its_defect()
    {
        Volume volume = made.AddWanted(Blocks, isEncrypted: true);
        made.Store[volume.FileName][1000] ^= 1;
        using VolumeDecrypted decrypted = await DecryptAsync(await made.FetchAsync(volume));

        Assert.NotNull(decrypted.Volume);
        Assert.Contains("authent", decrypted.Volume.Defect, StringComparison.OrdinalIgnoreCase);
    }

    [Fact]
    public async Task A_volume_that_is_cut_continues_and_says_where_it_ends()
    {
        Volume volume = made.AddWanted(Blocks);
        made.Store[volume.FileName] = made.Store[volume.FileName][..4000];
        using VolumeDecrypted decrypted = await DecryptAsync(await made.FetchAsync(volume));

        Assert.Equal($"The volume ended after 4,000 of {volume.SizeBytes:N0} bytes", decrypted.Volume!.Defect);
    }

    [Fact]
    public async Task A_volume_that_is_empty_is_a_failure_that_says_where_it_ends()
    {
        Volume volume = made.AddWanted(Blocks);
        made.Store[volume.FileName] = [];
        using VolumeDecrypted decrypted = await DecryptAsync(await made.FetchAsync(volume));

        Assert.Null(decrypted.Volume);
        Assert.Equal($"The volume ended after 0 of {volume.SizeBytes:N0} bytes", decrypted.Failure?.Sentence);
        made.AssertBuffersBack();
    }

    [Fact]
    public async Task A_volume_of_another_passphrase_is_a_failure_and_its_buffer_is_back()
    {
        Volume volume = made.AddWanted(Blocks, isEncrypted: true);
        made.Store[volume.FileName][100] ^= 1;
        using VolumeDecrypted decrypted = await DecryptAsync(await made.FetchAsync(volume));

        Assert.Null(decrypted.Volume);
        Assert.StartsWith(
            "The passphrase does not open this volume",
            decrypted.Failure?.Sentence,
            StringComparison.Ordinal
        );
        made.AssertBuffersBack();
    }

    [Fact]
    public async Task A_volume_that_has_no_header_is_a_failure_and_its_buffer_is_back()
    {
        Volume volume = made.AddWanted(Blocks, isEncrypted: true);
        made.Store[volume.FileName].AsSpan(0, 3).Clear();
        using VolumeDecrypted decrypted = await DecryptAsync(await made.FetchAsync(volume));

        Assert.Null(decrypted.Volume);
        Assert.NotNull(decrypted.Failure);
        made.AssertBuffersBack();
    }

    [Fact]
    public async Task A_failure_of_the_download_is_handed_on()
    {
        Volume volume = made.AddWanted(Blocks);
        VolumeFetched lost = new(new WantedVolume(volume, 0, 2), volume: null, new IssueReason("The volume is gone"));
        using VolumeDecrypted decrypted = Assert.Single(
            await Feeding.FeedAsync<VolumeFetched, VolumeDecrypted>([lost], Decryptor())
        );

        Assert.Equal((null, "The volume is gone"), (decrypted.Volume, decrypted.Failure?.Sentence));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task The_credit_is_back_when_the_last_use_of_the_memory_ends(bool isPart)
    {
        Volume volume = made.AddWanted(Blocks, isEncrypted: true);
        FetchedVolume fetched = isPart ? await FetchPartAsync(volume) : await made.FetchAsync(volume);
        fetched.Attach(await credit.TakeAsync(1000, default));
        VolumeDecrypted decrypted = await DecryptAsync(fetched);
        VolumeChunk used = (await decrypted.Volume!.NextAsync(default, default))!;
        Task<VolumeCredit.Share> next = credit.TakeAsync(1000, default).AsTask();

        decrypted.Dispose();
        Assert.False(next.IsCompleted);
        used.Dispose();
        (await next.Soon()).Dispose();
    }

    public void Dispose() => made.Dispose();

    private Func<
        Restore.Csp.IReadChannelEnd<VolumeFetched>,
        Restore.Csp.IWriteChannelEnd<VolumeDecrypted>,
        CancellationToken,
        Task
    > Decryptor() => VolumeDecryptor.RunAsync;

    private async Task<VolumeDecrypted> DecryptAsync(FetchedVolume volume)
    {
        VolumeFetched fetched = new(new WantedVolume(volume.Volume, 0, 2), volume, failure: null);
        return Assert.Single(await Feeding.FeedAsync([fetched], Decryptor()));
    }

    private async Task<FetchedVolume> FetchPartAsync(Volume volume)
    {
        SparseVolume sparse = await SparseVolume.OpenAsync(
            made.Loader,
            volume,
            new RangePolicy(RangeReads.Always, 0),
            TestContext.Current.CancellationToken
        );
        FetchedEntries all = (await sparse.TryFetchAsync([.. sparse.Entries], TestContext.Current.CancellationToken))!;
        return new FetchedVolume(volume, all, source: sparse, sourceBytes: 0);
    }
}
