using Restore.Catalog.Locating;
using Restore.Format;
using Restore.Tests.Support.Machine;
using Restore.Volumes;

namespace Restore.Tests.Reading;

/// <summary>Searches through block volumes that read only their directories.</summary>
public sealed class RangeSurveyTests
{
    private static CancellationToken Token => TestContext.Current.CancellationToken;

    [Theory]
    [FixtureData(
        "one-big",
        "many-small",
        "damaged/dblock-directory-lost-plain",
        "damaged/dblock-flipped-byte-aes",
        "tgz"
    )]
    public async Task A_survey_finds_the_same_blocks_by_ranges(string fixture)
    {
        using RangeBackend backend = await RangeBackend.OpenAsync(fixture, RangeBackend.StoreOf(fixture));
        foreach (Volume volume in backend.Volumes.Blocks)
        {
            int[] counts = new int[2];
            foreach (RangeReads mode in new[] { RangeReads.Never, RangeReads.Always })
            {
                DirectoryReading reading = new(backend.Loader, HashKind.Sha256, new RangePolicy(mode, 16 << 10));
                using ListedBlocks blocks = await reading.ReadAsync(volume, Token);
                counts[mode == RangeReads.Never ? 0 : 1] = blocks.Count;
            }

            Assert.Equal(counts[0], counts[1]);
            Assert.NotEqual(0, counts[0]);
        }

        backend.AssertBuffersBack();
    }

    [Fact]
    public async Task A_survey_of_a_large_volume_reads_its_directory_alone()
    {
        using RangeBackend backend = await RangeBackend.OpenAsync("one-big", RangeBackend.StoreOf("one-big"));
        DirectoryReading reading = new(
            backend.Loader,
            HashKind.Sha256,
            new RangePolicy(RangeReads.Auto, RangePolicy.RemoteRequestBytes)
        );
        Volume volume = backend.Volumes.Blocks.MaxBy(candidate => candidate.SizeBytes)!;

        using ListedBlocks blocks = await reading.ReadAsync(volume, Token);

        Assert.InRange(blocks.Count, 5, 1000);
        Assert.Equal((64 << 10) + VolumeTail.HeaderBytes, backend.Store.BytesRead);
    }

    [Theory]
    [InlineData(typeof(IOException))]
    [InlineData(typeof(UnauthorizedAccessException))]
    [InlineData(typeof(InvalidDataException))]
    public async Task A_survey_whose_ranges_cannot_be_read_reads_the_whole_volume(Type failure)
    {
        ScriptedStore store = RangeBackend.StoreOf("one-big", _ => throw (Exception)Activator.CreateInstance(failure)!);
        using RangeBackend backend = await RangeBackend.OpenAsync("one-big", store);
        DirectoryReading reading = new(backend.Loader, HashKind.Sha256, new RangePolicy(RangeReads.Always, 0));
        Volume volume = backend.Volumes.Blocks.MaxBy(candidate => candidate.SizeBytes)!;

        using ListedBlocks blocks = await reading.ReadAsync(volume, Token);

        Assert.InRange(blocks.Count, 5, 1000);
        Assert.Contains((volume.FileName, 0L, (int)volume.SizeBytes), backend.Store.Reads);
    }
}
