using FsCheck;
using FsCheck.Fluent;

namespace Restore.Tests.Writing;

/// <summary>A written backup restores to its source.</summary>
public sealed class RoundTripTests
{
    private static readonly string[] Hashes = ["MD5", "SHA1", "SHA256", "SHA384", "SHA512"];

    private static readonly Gen<(
        int Seed,
        int BlockSize,
        string BlockHash,
        string FileHash,
        bool IsEncrypted,
        int Level,
        int Concurrency
    )> Cases =
        from seed in Gen.Choose(0, int.MaxValue)
        from blockSize in Gen.Elements(1024, 1025, 4096, 10_240, 102_400)
        from blockHash in Gen.Elements(Hashes)
        from fileHash in Gen.Elements(Hashes)
        from isEncrypted in Gen.Elements(true, false)
        from level in Gen.Choose(0, 9)
        from concurrency in Gen.Choose(1, 4)
        select (seed, blockSize, blockHash, fileHash, isEncrypted, level, concurrency);

    public static TheoryData<string, string, bool, int> Combinations()
    {
        TheoryData<string, string, bool, int> all = [];
        foreach (string blockHash in Hashes)
        {
            foreach (string fileHash in Hashes)
            {
                all.Add(blockHash, fileHash, false, 6);
                all.Add(blockHash, fileHash, true, 0);
            }
        }

        return all;
    }

    [Fact]
    public void Any_tree_is_restored_unchanged() =>
        FsCheck.Check.One(
            Config.QuickThrowOnFailure.WithMaxTest(25),
            Prop.ForAll(
                Cases.ToArbitrary(),
                one =>
                    Task.Run(async () =>
                    {
                        using RoundTrip trip = new();
                        SourceTree.Make(trip.Source, one.Seed, one.BlockSize);
                        string? passphrase = one.IsEncrypted ? "pässword 😀" : null;
                        BackupWriterReport report = await trip.WriteAsync(
                            trip.Options with
                            {
                                BlockSizeBytes = one.BlockSize,
                                BlockHash = one.BlockHash,
                                FileHash = one.FileHash,
                                Passphrase = passphrase,
                                CompressionLevel = one.Level,
                                Concurrency = one.Concurrency,
                            }
                        );

                        Assert.Empty(report.Issues);
                        trip.AssertLikeSource(await trip.RestoreAsync(passphrase: passphrase));
                    })
            )
        );

    [Theory]
    [MemberData(nameof(Combinations))]
    public async Task Every_combination_of_hashes_encryption_and_compression_comes_back(
        string blockHash,
        string fileHash,
        bool isEncrypted,
        int level
    )
    {
        using RoundTrip trip = new();
        SourceTree.Make(trip.Source, seed: 7, blockSizeBytes: 1024);
        File.WriteAllBytes(
            Path.Combine(trip.Source, "several blocklists"),
            SourceTree.Bytes(new Random(1), 200 * 1024)
        );
        string? passphrase = isEncrypted ? "secret" : null;

        await trip.WriteAsync(
            trip.Options with
            {
                BlockHash = blockHash,
                FileHash = fileHash,
                Passphrase = passphrase,
                CompressionLevel = level,
            }
        );

        trip.AssertLikeSource(await trip.RestoreAsync(passphrase: passphrase));
    }

    [Fact]
    public async Task The_defaults_come_back()
    {
        using RoundTrip trip = new();
        Random random = new(3);
        File.WriteAllBytes(Path.Combine(trip.Source, "three blocks"), SourceTree.Bytes(random, (2 << 20) + 1));
        File.WriteAllText(
            Path.Combine(trip.Source, "text"),
            string.Concat(Enumerable.Repeat("a line of text\n", 100_000))
        );
        File.WriteAllBytes(Path.Combine(trip.Source, "zeros"), new byte[3 << 20]);

        BackupWriterReport report = await trip.WriteAsync(
            new BackupWriterOptions { Sources = [trip.Source], Destination = trip.Destination }
        );

        Assert.Equal((3, 1, 0), (report.Files, report.Folders, report.Symlinks));
        Assert.Equal((2 << 20) + 1 + 1_500_000 + (3 << 20), report.Bytes);
        trip.AssertLikeSource(await trip.RestoreAsync());
    }

    [Fact]
    public async Task Blocks_over_many_volumes_come_back()
    {
        using RoundTrip trip = new();
        Random random = new(4);
        for (int i = 0; i < 10; i++)
        {
            File.WriteAllBytes(Path.Combine(trip.Source, $"f{i}"), SourceTree.Bytes(random, 50_000));
        }

        BackupWriterReport report = await trip.WriteAsync(
            trip.Options with
            {
                VolumeSizeBytes = 40_000,
                Passphrase = "p",
            }
        );

        Assert.True(report.BlockVolumes > 10);
        trip.AssertLikeSource(await trip.RestoreAsync(passphrase: "p"));
    }

    [Fact]
    public async Task Several_sources_come_back_each_once()
    {
        using RoundTrip trip = new();
        string inside = Directory.CreateDirectory(Path.Combine(trip.Source, "inside")).FullName;
        File.WriteAllText(Path.Combine(inside, "a"), "a");
        string other = Directory.CreateDirectory(Path.Combine(trip.Folder, "source2")).FullName;
        File.WriteAllText(Path.Combine(other, "b"), "b");
        string single = Path.Combine(trip.Folder, "single.txt");
        File.WriteAllText(single, "single");

        await trip.WriteAsync(trip.Options with { Sources = [inside, trip.Source + "/", other, single, single] });

        await using Backup backup = await Backup.OpenAsync(trip.Destination);
        List<string> paths = [];
        await foreach (BackupEntry entry in backup.ListAsync(backup.Versions[0]))
        {
            paths.Add(entry.Path);
        }

        Assert.Equal(
            [trip.Source + "/", inside + "/", other + "/", single, Path.Combine(inside, "a"), Path.Combine(other, "b")],
            paths
        );
    }

    [Fact]
    public async Task Without_metadata_contents_come_back()
    {
        using RoundTrip trip = new();
        File.WriteAllText(Path.Combine(trip.Source, "a"), "a");

        await trip.WriteAsync(trip.Options with { SkipMetadata = true });

        Assert.Equal("a", File.ReadAllText(Path.Combine(await trip.RestoreAsync(), "a")));
    }
}
