using Restore.Tests.Ends;

namespace Restore.Tests.Writing;

/// <summary>Failures are reported, and no version is damaged.</summary>
public sealed class WriterFailureTests
{
    public static TheoryData<BackupWriterOptions, string> UnusableOptions()
    {
        BackupWriterOptions sound = new() { Sources = ["/"], Destination = "/nowhere" };
        return new()
        {
            { sound with { Sources = [] }, "Nothing was given to back up" },
            { sound with { Passphrase = "" }, "The passphrase is empty; null writes without encryption" },
            {
                sound with
                {
                    BlockSizeBytes = 1023,
                },
                "The block size 1,023 cannot be used: it must be from 1,024 to 536,870,912 bytes"
            },
            {
                sound with
                {
                    BlockSizeBytes = 1 << 20,
                    VolumeSizeBytes = 2 << 20,
                },
                "The volume size 2,097,152 cannot be used: with blocks of 1,048,576 bytes it must be from 2,113,536 to 1,073,741,824 bytes; "
                    + "smaller blocks allow smaller volumes"
            },
            { sound with { CompressionLevel = 10 }, "The compression level 10 cannot be used: it must be from 0 to 9" },
            { sound with { Concurrency = 0 }, "The concurrency 0 cannot be used: it must be from 1 to 256" },
            {
                sound with
                {
                    Prefix = "a-b",
                },
                "The prefix \"a-b\" cannot be used: it must not be empty nor have -, / or \\ in it"
            },
            {
                sound with
                {
                    BlockHash = "sha256",
                },
                "The hash \"sha256\" is not known: it must be MD5, SHA1, SHA256, SHA384 or SHA512"
            },
        };
    }

    [Theory]
    [MemberData(nameof(UnusableOptions), DisableDiscoveryEnumeration = true)]
    public void Options_that_cannot_be_used_are_refused(BackupWriterOptions options, string message)
    {
        RestoreException failure = Assert.Throws<RestoreException>(() => new BackupWriter(options));
        Assert.Equal((RestoreErrorKind.Usage, message), (failure.Kind, failure.Message));
    }

    [Fact]
    public async Task A_volume_size_that_the_second_version_could_not_have_is_refused_for_the_first()
    {
        using RoundTrip trip = new();

        RestoreException failure = await Assert.ThrowsAsync<RestoreException>(() =>
            trip.WriteAsync(trip.Options with { BlockSizeBytes = null, VolumeSizeBytes = 1 << 20 })
        );

        Assert.StartsWith(
            "The volume size 1,048,576 cannot be used: with blocks of 1,048,576 bytes it must be from 2,113,536 to ",
            failure.Message
        );
        Assert.Empty(Directory.GetFiles(trip.Destination));
    }

    [Fact]
    public async Task A_source_that_is_not_there_is_refused()
    {
        using RoundTrip trip = new();
        string missing = Path.Combine(trip.Folder, "missing");

        RestoreException failure = await Assert.ThrowsAsync<RestoreException>(() =>
            trip.WriteAsync(trip.Options with { Sources = [trip.Source, missing] })
        );

        Assert.Equal($"There is nothing to back up ({missing})", failure.Message);
        Assert.False(Directory.Exists(trip.Destination));
    }

    [Fact]
    public async Task A_destination_inside_of_the_source_is_left_out()
    {
        using RoundTrip trip = new();
        string destination = Path.Combine(trip.Source, "backup");
        File.WriteAllText(Path.Combine(trip.Source, "file"), "x");

        for (int version = 0; version < 2; version++)
        {
            BackupWriterReport report = await trip.WriteAsync(trip.Options with { Destination = destination });
            Assert.Equal((1, 1), (report.Files, report.Folders));
            Assert.Equal(
                "The folder is where the backup itself goes; it is not in the backup",
                Assert.Single(report.Issues).Reason
            );
        }
    }

    [Fact]
    public async Task A_destination_that_is_a_file_is_refused()
    {
        using RoundTrip trip = new();
        File.WriteAllText(Path.Combine(trip.Source, "file"), "x");
        File.WriteAllText(trip.Destination, "in the way");

        RestoreException failure = await Assert.ThrowsAsync<RestoreException>(() => trip.WriteAsync());

        Assert.Equal(RestoreErrorKind.TargetNotWritable, failure.Kind);
        Assert.Equal("in the way", File.ReadAllText(trip.Destination));
    }

    [Fact]
    public async Task A_full_destination_ends_the_run_and_leaves_no_part_of_a_volume()
    {
        using RoundTrip trip = new();
        Directory.CreateDirectory(trip.Destination);
        if (!Native.Mount(trip.Destination, "size=200k"))
        {
            Assert.Skip("This user may not mount a file system of a limited size.");
        }

        try
        {
            File.WriteAllBytes(Path.Combine(trip.Source, "file"), SourceTree.Bytes(new Random(1), 1_000_000));
            RestoreException failure = await Assert.ThrowsAsync<RestoreException>(() =>
                trip.WriteAsync(trip.Options with { VolumeSizeBytes = 90_000 })
            );

            Assert.Equal(RestoreErrorKind.TargetNotWritable, failure.Kind);
            Assert.StartsWith("The backup cannot be written: ", failure.Message, StringComparison.Ordinal);
            Assert.Equal(RestoreErrorCode.DestinationNotWritable, failure.Code);
            Assert.All(Directory.GetFiles(trip.Destination), path => Assert.Matches("(dblock|dindex)", path));
        }
        finally
        {
            Native.Unmount(trip.Destination);
        }
    }

    [Theory]
    [InlineData(0)]
    [InlineData(20)]
    [InlineData(150)]
    public async Task A_cancelled_run_ends_and_the_next_one_is_whole(int milliseconds)
    {
        using RoundTrip trip = new();
        File.WriteAllBytes(Path.Combine(trip.Source, "file"), SourceTree.Bytes(new Random(1), 20_000_000));
        BackupWriterOptions options = trip.Options with { VolumeSizeBytes = 200_000, CompressionLevel = 9 };
        using CancellationTokenSource cancel = new(milliseconds);

        Task<BackupWriterReport> run = new BackupWriter(options).WriteAsync(cancel.Token);
        if (milliseconds == 0)
        {
            await Assert.ThrowsAnyAsync<OperationCanceledException>(() => run);
        }
        else
        {
            // A fast machine may be done before.
            await run.ContinueWith(_ => { }, TaskScheduler.Default);
        }

        Assert.DoesNotContain(Directory.GetFiles(trip.Folder, "incomplete_*", SearchOption.AllDirectories), _ => true);
        await trip.WriteAsync(options);
        trip.AssertLikeSource(await trip.RestoreAsync());
    }
}
