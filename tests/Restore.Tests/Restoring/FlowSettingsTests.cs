using Restore.Reading;
using Restore.Restoring;

namespace Restore.Tests.Restoring;

public sealed class FlowSettingsTests
{
    public static TheoryData<RestoreTuning, string> Wrong() =>
        new()
        {
            {
                new RestoreTuning { FileProcessors = 0 },
                "FileProcessors cannot be 0: the range is 1 to 256"
            },
            {
                new RestoreTuning { VolumeDownloaders = 257 },
                "VolumeDownloaders cannot be 257: the range is 1 to 256"
            },
            {
                new RestoreTuning { VolumeDecryptors = -1 },
                "VolumeDecryptors cannot be -1: the range is 1 to 256"
            },
            {
                new RestoreTuning { VolumeDecompressors = 0 },
                "VolumeDecompressors cannot be 0: the range is 1 to 256"
            },
            {
                new RestoreTuning { ChannelBufferSize = 4097 },
                "ChannelBufferSize cannot be 4097: the range is 1 to 4096"
            },
            {
                new RestoreTuning { CacheMaxBytes = -1 },
                "CacheMaxBytes cannot be -1: the range is 0 to 9223372036854775807"
            },
            {
                new RestoreTuning { CacheEvictPercent = 0 },
                "CacheEvictPercent cannot be 0: the range is 1 to 100"
            },
            {
                new RestoreTuning { CacheEvictPercent = 101 },
                "CacheEvictPercent cannot be 101: the range is 1 to 100"
            },
            {
                new RestoreTuning { VolumeCacheHintBytes = 0 },
                "VolumeCacheHintBytes cannot be 0: the range is 1 to 9223372036854775807"
            },
        };

    [Theory]
    [MemberData(nameof(Wrong), DisableDiscoveryEnumeration = true)]
    public void An_invalid_value_is_reported_with_its_range(RestoreTuning options, string message)
    {
        RestoreException failure = Assert.Throws<RestoreException>(() =>
            FlowSettings.Resolve(options, cores: 4, memoryBytes: 8L << 30, isLocal: true)
        );
        Assert.Equal((RestoreErrorKind.Usage, message), (failure.Kind, failure.Message));
    }

    [Theory]
    [InlineData(1, 8, 2)]
    [InlineData(4, 8, 2)]
    [InlineData(8, 8, 4)]
    [InlineData(64, 64, 32)]
    [InlineData(64, 2, 2)]
    public void One_volume_is_in_memory_for_every_two_cores_within_the_memory(
        int cores,
        int memoryGibibytes,
        int volumes
    ) =>
        Assert.Equal(
            volumes,
            FlowSettings
                .Resolve(new RestoreTuning(), cores, (long)memoryGibibytes << 30, isLocal: true)
                .Reading.VolumesInFlight
        );

    [Fact]
    public void The_block_store_takes_at_most_a_quarter_of_the_memory()
    {
        Assert.Equal(
            1L << 30,
            FlowSettings.Resolve(new RestoreTuning(), cores: 4, memoryBytes: 4L << 30, isLocal: true).StoreBytes
        );
        Assert.Equal(
            4L << 30,
            FlowSettings.Resolve(new RestoreTuning(), cores: 4, memoryBytes: 64L << 30, isLocal: true).StoreBytes
        );
    }

    [Fact]
    public void A_machine_of_one_core_gets_one_copy_of_each_process()
    {
        FlowSettings settings = FlowSettings.Resolve(
            new RestoreTuning(),
            cores: 1,
            memoryBytes: 1L << 30,
            isLocal: true
        );
        Assert.Equal((1, 1, 1, 1), Copies(settings));
    }

    [Theory]
    [InlineData(96, 96)]
    [InlineData(512, 256)]
    public void A_machine_of_many_cores_gets_the_maximum_of_copies_and_channel_capacity(int cores, int most)
    {
        FlowSettings settings = FlowSettings.Resolve(new RestoreTuning(), cores, memoryBytes: 1L << 40, isLocal: true);
        ReadingSettings reading = settings.Reading;
        Assert.Equal((most, most / 2), (settings.FileProcessors, reading.VolumeDownloaders));
        Assert.Equal((most / 2, most), (reading.VolumeDecryptors, reading.VolumeDecompressors));
        Assert.Equal((most, 4), (settings.ChannelCapacity, settings.WorkCapacity));
    }

    [Theory]
    [InlineData(1, 8)]
    [InlineData(2, 8)]
    [InlineData(4, 16)]
    [InlineData(16, 64)]
    [InlineData(64, 256)]
    public void The_memory_of_waiting_work_grows_with_the_cores_and_not_with_their_square(int cores, int batches)
    {
        FlowSettings settings = FlowSettings.Resolve(new RestoreTuning(), cores, memoryBytes: 1L << 40, isLocal: true);
        Assert.Equal(batches, settings.FileProcessors * settings.WorkCapacity);
    }

    [Theory]
    [InlineData(64, 1L << 30)]
    [InlineData(96, 4L << 30)]
    [InlineData(16, 256L << 20)]
    public void What_waits_in_the_channels_takes_at_most_a_sixteenth_of_the_memory(int cores, long memoryBytes)
    {
        FlowSettings settings = FlowSettings.Resolve(new RestoreTuning(), cores, memoryBytes, isLocal: true);
        Assert.InRange(
            (long)settings.FileProcessors * settings.WorkCapacity << 20,
            1,
            Math.Max(memoryBytes / 16, (long)settings.FileProcessors << 20)
        );
        Assert.InRange((long)settings.ChannelCapacity << 20, 1, memoryBytes / 16);
    }

    [Fact]
    public void A_capacity_that_is_given_has_no_limit_of_another_kernel()
    {
        RestoreTuning options = new() { ChannelBufferSize = 4096 };
        Assert.Equal(
            4096,
            FlowSettings.Resolve(options, cores: 2, memoryBytes: 1L << 30, isLocal: true).ChannelCapacity
        );
    }

    [Fact]
    public void The_channels_of_few_file_processors_are_longer_unless_a_capacity_is_given()
    {
        Assert.Equal(
            4,
            FlowSettings.Resolve(new RestoreTuning(), cores: 2, memoryBytes: 1L << 30, isLocal: true).WorkCapacity
        );
        Assert.Equal(
            3,
            FlowSettings
                .Resolve(new RestoreTuning { ChannelBufferSize = 3 }, cores: 2, memoryBytes: 1L << 30, isLocal: true)
                .WorkCapacity
        );
    }

    private static (int Files, int Downloaders, int Decryptors, int Decompressors) Copies(FlowSettings settings) =>
        (
            settings.FileProcessors,
            settings.Reading.VolumeDownloaders,
            settings.Reading.VolumeDecryptors,
            settings.Reading.VolumeDecompressors
        );
}
