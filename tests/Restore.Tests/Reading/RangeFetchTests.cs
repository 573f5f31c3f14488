using System.Security.Cryptography;
using Restore.Catalog;
using Restore.Catalog.Locating;
using Restore.Compression;
using Restore.Encryption;
using Restore.Format;
using Restore.Memory;
using Restore.Reading;
using Restore.Restoring;
using Restore.Storage;
using Restore.Storage.Local;
using Restore.Tests.Support.Machine;
using Restore.Volumes;
using Restore.Volumes.Sparse;

namespace Restore.Tests.Reading;

/// <summary>The first half of the flow, fetching some blocks of real volumes whole and by ranges.</summary>
public sealed class RangeFetchTests
{
    public static TheoryData<string, long> Fixtures_and_costs => new MatrixTheoryData<string, long>(
        [
            .. Fixtures.Present(
                "plain-1mb", "aes-100kb", "aes-v3", "one-big", "many-small", "zip-stored", "zip-sharp-deflate", "interleaved", "hashes-md5", "tgz-aes"),
        ],
        [0, 16 << 10, 256 << 10]);

    private static RangePolicy InPieces { get; } = new(RangeReads.Auto, 256 << 10, PieceBytes: 50_000);

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    [Theory]
    [MemberData(nameof(Fixtures_and_costs))]
    public async Task Blocks_are_the_same_by_ranges_and_out_of_whole_volumes(string fixture, long requestCost)
    {
        using Backend backend = await Backend.OpenAsync(fixture, Store(fixture));
        FetchList demand = await backend.DemandEveryAsync(7);

        Dictionary<int, string> whole = await backend.FetchAsync(demand, new RangePolicy(RangeReads.Never, requestCost));
        Assert.Equal(demand.Blocks.Select(block => block.Value).Order(), whole.Keys.Order());
        foreach (RangeReads mode in new[] { RangeReads.Auto, RangeReads.Always })
        {
            Dictionary<int, string> found = await backend.FetchAsync(demand, new RangePolicy(mode, requestCost));
            Assert.Equal(whole.OrderBy(block => block.Key), found.OrderBy(block => block.Key));
        }
    }

    [Theory]
    [FixtureData("one-big", "aes-100kb", "interleaved")]
    public async Task One_block_costs_a_small_part_of_its_volume(string fixture)
    {
        using Backend backend = await Backend.OpenAsync(fixture, Store(fixture));
        Volume volume = backend.Volumes.Blocks.MaxBy(candidate => candidate.SizeBytes)!;
        FetchList demand = await backend.DemandSmallestAsync(volume);
        RangePolicy policy = new(RangeReads.Auto, 16 << 10);
        backend.Store.ForgetReads();

        Assert.Single(await backend.FetchAsync(demand, policy));

        Assert.All(backend.Store.Reads, read => Assert.Equal(volume.FileName, read.Name));
        // One more, and some more bytes, where the directory is longer than the tail.
        Assert.InRange(backend.Store.Reads.Count, 2, 4);
        long estimate = policy.Estimate(volume, demand.BytesOf(demand.Volumes[0]), backend.Store.HasRanges);
        Assert.InRange(backend.Store.BytesRead, policy.TailBytes, estimate + (24 << 10));
        Assert.True(backend.Store.BytesRead < volume.SizeBytes / 5, $"{backend.Store.BytesRead} of {volume.SizeBytes} bytes were read");
    }

    [Theory]
    [FixtureData("plain-1mb", "one-big")]
    public async Task Whoever_wants_all_of_a_volume_pays_one_request_and_not_a_byte_more(string fixture)
    {
        using Backend backend = await Backend.OpenAsync(fixture, Store(fixture));
        FetchList demand = await backend.DemandEveryAsync(1);
        backend.Store.ForgetReads();

        await backend.FetchAsync(demand, new RangePolicy(RangeReads.Auto, 16 << 10));

        Assert.Equal(
            demand.Volumes.Select(wanted => (wanted.Volume.FileName, 0L, (int)wanted.Volume.SizeBytes)).Order(), backend.Store.Reads.Order());
    }

    [Fact]
    [NeedsFixtures("one-big")]
    public async Task A_store_without_ranges_is_read_from_the_start_of_each_volume()
    {
        using Backend backend = await Backend.OpenAsync("one-big", Store("one-big"));
        backend.Store.HasRanges = false;
        FetchList demand = await backend.DemandEveryAsync(10);

        Assert.Equal(demand.Blocks.Length, (await backend.FetchAsync(demand, new RangePolicy(RangeReads.Always, 0))).Count);
        Assert.All(backend.Store.Reads, read => Assert.Equal(0, read.Offset));
    }

    [Fact]
    [NeedsFixtures("one-big")]
    public async Task A_store_that_answers_ranges_short_is_read_whole()
    {
        using Backend backend = await Backend.OpenAsync("one-big", Store("one-big", length => length - 1));
        await AssertWholeAsync(backend);
    }

    [Fact]
    [NeedsFixtures("one-big")]
    public async Task A_store_that_fails_on_ranges_is_read_whole()
    {
        using Backend backend = await Backend.OpenAsync(
            "one-big", Store("one-big", _ => throw new IOException("No ranges today")));
        await AssertWholeAsync(backend);
    }

    [Theory]
    [FixtureData("plain-1mb", "one-big")]
    public async Task A_volume_with_a_damaged_directory_is_read_whole(string fixture)
    {
        // The first byte of the record that ends a zip file; an encrypted volume has a check sum and padding after the record.
        int bytesFromEnd = fixture == "one-big" ? 60 : 22;
        using TempFolder copy = new();
        foreach (string file in Directory.GetFiles(Fixtures.Backup(fixture)))
        {
            byte[] bytes = await File.ReadAllBytesAsync(file, Token);
            bytes[^bytesFromEnd] ^= (byte)(file.Contains(".dblock.", StringComparison.Ordinal) ? 0xFF : 0);
            await File.WriteAllBytesAsync(Path.Combine(copy.Path, Path.GetFileName(file)), bytes, Token);
        }

        using Backend backend = await Backend.OpenAsync(fixture, ScriptedStore.OfFolder(copy.Path), listedBy: Fixtures.Backup(fixture));
        await AssertWholeAsync(backend);
    }

    [Theory]
    [FixtureData("one-big", "plain-1mb")]
    public async Task A_volume_in_pieces_is_the_same_and_each_of_its_bytes_is_asked_for_once(string fixture)
    {
        using Backend backend = await Backend.OpenAsync(fixture, Store(fixture));
        FetchList demand = await backend.DemandEveryAsync(1);
        backend.Store.ForgetReads();

        Dictionary<int, string> found = await backend.FetchAsync(demand, InPieces);

        Assert.Equal(demand.Blocks.Select(block => block.Value).Order(), found.Keys.Order());
        IEnumerable<(string, long, int)> pieces =
            from wanted in demand.Volumes
            from piece in InPieces.PiecesOf(wanted.Volume, backend.Store.HasRanges)
            select (wanted.Volume.FileName, piece.From, (int)piece.Length);
        Assert.Equal(pieces.Order(), backend.Store.Reads.Order());
        Assert.True(backend.Store.Reads.Count > demand.Volumes.Count);
    }

    [Fact]
    [NeedsFixtures("one-big")]
    public async Task A_store_that_turns_out_to_have_no_ranges_gives_the_rest_of_a_volume_at_once()
    {
        using Backend backend = await Backend.OpenAsync("one-big", Store("one-big"));
        backend.Store.BeforeRead = (_, _) =>
        {
            backend.Store.HasRanges = false;
            return ValueTask.CompletedTask;
        };
        FetchList demand = await backend.DemandEveryAsync(1);
        backend.Store.ForgetReads();

        Dictionary<int, string> found = await backend.FetchAsync(demand, InPieces);

        Assert.Equal(demand.Blocks.Select(block => block.Value).Order(), found.Keys.Order());
        Assert.All(backend.Store.Reads.GroupBy(read => read.Name), reads => Assert.InRange(reads.Count(), 1, 2));
    }

    [Fact]
    [NeedsFixtures("one-big")]
    public async Task A_volume_of_which_a_piece_fails_is_lost_and_its_buffer_is_back()
    {
        using Backend backend = await Backend.OpenAsync(
            "one-big", Store("one-big", _ => throw new IOException("No more today")));
        FetchList demand = await backend.DemandEveryAsync(1);
        int[] large = [.. demand.Volumes.Where(wanted => wanted.Volume.SizeBytes > InPieces.PieceBytes).Select(wanted => wanted.Volume.Id)];
        Assert.NotEmpty(large);

        Dictionary<int, string> found = await backend.FetchAsync(demand, InPieces);

        Assert.DoesNotContain(found.Keys, block => large.Contains(backend.VolumeOf(block)));
    }

    [Fact]
    public async Task A_volume_that_ends_in_a_piece_gives_what_was_before_its_end()
    {
        using Backend backend = await Backend.OpenAsync("plain-1mb", Store("plain-1mb", length => length - 1));
        FetchList demand = await backend.DemandEveryAsync(1);
        long pieceBytes = demand.Volumes.Max(wanted => wanted.Volume.SizeBytes) - 10;

        Dictionary<int, string> found = await backend.FetchAsync(demand, InPieces with { PieceBytes = pieceBytes });

        Assert.Equal(demand.Blocks.Select(block => block.Value).Order(), found.Keys.Order());
    }

    [Theory]
    [FixtureData("one-big", "many-small", "damaged/dblock-directory-lost-plain", "damaged/dblock-flipped-byte-aes", "tgz")]
    public async Task A_survey_finds_the_same_blocks_by_ranges(string fixture)
    {
        using Backend backend = await Backend.OpenAsync(fixture, Store(fixture));
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

    [Theory]
    [InlineData("blocklists-1kb", 1 << 10, 10_000)]
    [InlineData("aes-100kb", 100 << 10, 0)]
    public async Task An_index_volume_without_the_blocklists_that_nothing_needs_lists_the_same_blocks_for_fewer_bytes(
        string fixture, int blockBytes, int savedBytes)
    {
        using Backend backend = await Backend.OpenAsync(fixture, Store(fixture));
        BlockLayout layout = new(blockBytes, HashKind.Sha256, HashKind.Sha256);
        RangePolicy policy = new(RangeReads.Always, 0);
        long mostSaved = 0;
        foreach (Volume index in backend.Volumes.Indexes)
        {
            (string whole, _, int allBlocklists) = await backend.ReadIndexAsync(index, layout, policy with { Mode = RangeReads.Never }, isWanted: true);
            (string all, _, int blocklists) = await backend.ReadIndexAsync(index, layout, policy, isWanted: true);
            (string few, long fewBytes, int none) = await backend.ReadIndexAsync(index, layout, policy, isWanted: false);
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

            // In the middle of what is encrypted: the directory at its end stays sound.
            bytes[bytes.Length / 2] ^= (byte)(file.Contains(".dindex.", StringComparison.Ordinal) ? 0xFF : 0);
            await File.WriteAllBytesAsync(Path.Combine(copy.Path, Path.GetFileName(file)), bytes, Token);
        }

        using Backend backend = await Backend.OpenAsync("aes-100kb", ScriptedStore.OfFolder(copy.Path), listedBy: source);
        BlockLayout layout = new(100 << 10, HashKind.Sha256, HashKind.Sha256);
        foreach (Volume index in backend.Volumes.Indexes)
        {
            await Assert.ThrowsAsync<InvalidDataException>(() => backend.ReadIndexAsync(index, layout, new RangePolicy(RangeReads.Always, 0), isWanted: true));
            Assert.Contains((index.FileName, 0L, (int)index.SizeBytes), backend.Store.Reads);
        }
    }

    [Fact]
    [NeedsFixtures("one-big")]
    public async Task A_survey_of_a_large_volume_reads_its_directory_alone()
    {
        using Backend backend = await Backend.OpenAsync("one-big", Store("one-big"));
        DirectoryReading reading = new(backend.Loader, HashKind.Sha256, new RangePolicy(RangeReads.Auto, RangePolicy.RemoteRequestBytes));
        Volume volume = backend.Volumes.Blocks.MaxBy(candidate => candidate.SizeBytes)!;

        using ListedBlocks blocks = await reading.ReadAsync(volume, Token);

        Assert.InRange(blocks.Count, 5, 1000);
        Assert.Equal((64 << 10) + VolumeTail.HeaderBytes, backend.Store.BytesRead);
    }

    [Theory]
    [InlineData(typeof(IOException))]
    [InlineData(typeof(UnauthorizedAccessException))]
    [InlineData(typeof(InvalidDataException))]
    [NeedsFixtures("one-big")]
    public async Task A_survey_whose_ranges_cannot_be_read_reads_the_whole_volume(Type failure)
    {
        ScriptedStore store = Store("one-big", _ => throw (Exception)Activator.CreateInstance(failure)!);
        using Backend backend = await Backend.OpenAsync("one-big", store);
        DirectoryReading reading = new(backend.Loader, HashKind.Sha256, new RangePolicy(RangeReads.Always, 0));
        Volume volume = backend.Volumes.Blocks.MaxBy(candidate => candidate.SizeBytes)!;

        using ListedBlocks blocks = await reading.ReadAsync(volume, Token);

        Assert.InRange(blocks.Count, 5, 1000);
        Assert.Contains((volume.FileName, 0L, (int)volume.SizeBytes), backend.Store.Reads);
    }

    private static ScriptedStore Store(string fixture, Func<int, int>? innerRead = null) =>
        ScriptedStore.OfFolder(Fixtures.Backup(fixture), innerRead: innerRead);

    private static async Task AssertWholeAsync(Backend backend)
    {
        FetchList demand = await backend.DemandEveryAsync(10);
        Dictionary<int, string> found = await backend.FetchAsync(demand, new RangePolicy(RangeReads.Always, 0));
        Assert.Equal(demand.Blocks.Select(block => block.Value).Order(), found.Keys.Order());
        Assert.All(demand.Volumes, wanted => Assert.Contains((wanted.Volume.FileName, 0L, (int)wanted.Volume.SizeBytes), backend.Store.Reads));
    }

    /// <summary>The parts of an opened backup that fetching takes.</summary>
    private sealed class Backend : IDisposable
    {
        private readonly BufferPool pool = new();
        private readonly VolumeLoader listing;
        private Locations? located;

        private Backend(BackupOptions options, ScriptedStore store, VolumeSet volumes, IVolumeStore listedBy)
        {
            Store = store;
            Volumes = volumes;
            Loader = new VolumeLoader(store, new VolumeCiphers(options, pool), new Codecs(), pool);
            listing = new VolumeLoader(listedBy, new VolumeCiphers(options, pool), new Codecs(), pool);
        }

        public ScriptedStore Store { get; }

        public VolumeSet Volumes { get; }

        public VolumeLoader Loader { get; }

        public static async Task<Backend> OpenAsync(string fixture, ScriptedStore store, string? listedBy = null)
        {
            BackupOptions options = new() { Passphrase = Fixtures.Info(fixture).GetProperty("passphrase").GetString() };
            VolumeSet volumes = await VolumeSet.ListAsync(store, prefix: null, needsFileLists: true, Token);
            return new Backend(options, store, volumes, new LocalFolderStore(listedBy ?? store.DisplayName));
        }

        /// <summary>Wants every n-th block of each block volume.</summary>
        public async Task<FetchList> DemandEveryAsync(int n)
        {
            BlockTable? table = null;
            LocationTable locations = new();
            foreach (Volume volume in Volumes.Blocks)
            {
                List<(byte[] Hash, long Length)> blocks = await ListAsync(volume);
                table ??= new BlockTable(KindOf(blocks[0].Hash.Length));
                foreach ((byte[] hash, long length) in blocks.Where((_, i) => i % n == 0))
                {
                    locations.Add(table.GetOrAdd(hash, (int)length), volume.Id, CopyOrder.Database);
                }
            }

            table!.Freeze();
            located = locations.Freeze(table.Count);
            return FetchList.Create(table, located, Volumes.All, BlockId.UpTo(table.Count).AsEnumerable());
        }

        /// <summary>In which volume a block of the last demand is.</summary>
        public int VolumeOf(int block) => located!.VolumeOf(new BlockId(block));

        public async Task<FetchList> DemandSmallestAsync(Volume volume)
        {
            (byte[] hash, long length) = (await ListAsync(volume)).MinBy(block => block.Length);
            BlockTable table = new(KindOf(hash.Length));
            BlockId block = table.GetOrAdd(hash, (int)length);
            table.Freeze();
            return FetchList.Create(table, new Locations([volume.Id], [], [], []), Volumes.All, [block]);
        }

        /// <summary>Fetches, and tells the hash of what came for each block.</summary>
        public async Task<Dictionary<int, string>> FetchAsync(FetchList demand, RangePolicy policy)
        {
            Dictionary<int, string> found = [];
            FlowSettings settings = FlowSettings.Resolve(new RestoreTuning(), cores: 2, memoryBytes: 1L << 30, isLocal: true);
            await new BlockStream(Loader, policy, settings.Reading, _ => null, TimeProvider.System).ReadAsync(
                demand, (block, bytes) => found.Add(block, Convert.ToHexString(SHA256.HashData(bytes.Span))), Token);
            AssertBuffersBack();
            return found;
        }

        /// <summary>Reads an index volume, wanting all copies of blocklists or none.</summary>
        public async Task<(string Blocks, long Bytes, int Blocklists)> ReadIndexAsync(Volume index, BlockLayout layout, RangePolicy policy, bool isWanted)
        {
            Store.ForgetReads();
            IndexReading reading = new(Loader, Volumes, layout, policy);
            using IndexContents contents = await reading.ReadAsync(index, missingBlocklists: 0, (_, _) => isWanted, Token);
            Assert.Empty(contents.Defects);
            return (string.Join(' ', contents.Volumes.Select(blocks => $"{blocks.Volume}:{blocks.Count}")), Store.BytesRead, contents.Blocklists.Count);
        }

        public void AssertBuffersBack() => Assert.Equal(0, pool.OutstandingBuffers);

        public void Dispose() => AssertBuffersBack();

        private static HashKind KindOf(int length) => Enum.GetValues<HashKind>().Single(kind => kind.LengthBytes() == length);

        private async Task<List<(byte[] Hash, long Length)>> ListAsync(Volume volume)
        {
            using LoadedVolume loaded = await listing.LoadAsync(volume, Token);
            List<(byte[] Hash, long Length)> blocks = [];
            byte[] hash = new byte[HashKinds.MaxLengthBytes];
            while (loaded.Archive.MoveNext(out ArchiveEntry entry))
            {
                if (BlockName.TryDecode(loaded.Archive.NameOf(entry), hash, out int length))
                {
                    blocks.Add((hash[..length], entry.Length));
                }
            }

            return blocks;
        }
    }
}
