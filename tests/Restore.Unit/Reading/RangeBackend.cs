using System.Security.Cryptography;
using Restore.Catalog;
using Restore.Catalog.Locating;
using Restore.Compression;
using Restore.Encryption;
using Restore.Format;
using Restore.Memory;
using Restore.Reading;
using Restore.Restoring;
using Restore.Storage.Local;
using Restore.Volumes;

namespace Restore.Tests.Reading;

/// <summary>
/// The parts of an opened backup that a fetch needs. Disposing checks that no buffer is rented.
/// </summary>
internal sealed class RangeBackend : IDisposable
{
    private readonly BufferPool pool = new();
    private readonly VolumeLoader listing;
    private Locations? located;

    private RangeBackend(CipherOptions ciphers, ScriptedStore store, VolumeSet volumes, IVolumeStore listedBy)
    {
        Store = store;
        Volumes = volumes;
        Loader = new VolumeLoader(store, new VolumeCiphers(ciphers, pool), new Codecs(), pool);
        listing = new VolumeLoader(listedBy, new VolumeCiphers(ciphers, pool), new Codecs(), pool);
    }

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    public ScriptedStore Store { get; }

    public VolumeSet Volumes { get; }

    public VolumeLoader Loader { get; }

    /// <summary>
    /// A store with the volumes of a fixture; <paramref name="innerRead"/> replaces the length of
    /// reads that start inside a file.
    /// </summary>
    public static ScriptedStore StoreOf(string fixture, Func<int, int>? innerRead = null) =>
        ScriptedStore.OfFolder(Fixtures.Backup(fixture), innerRead: innerRead);

    public static async Task<RangeBackend> OpenAsync(string fixture, ScriptedStore store, string? listedBy = null)
    {
        CipherOptions ciphers = new(Fixtures.Info(fixture).GetProperty("passphrase").GetString());
        VolumeSet volumes = await VolumeSet.ListAsync(store, prefix: null, needsFileLists: true, Token);
        return new RangeBackend(ciphers, store, volumes, new LocalFolderStore(listedBy ?? store.DisplayName));
    }

    /// <summary>Needs every n-th block of each block volume.</summary>
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
        return FetchList.Create(table, located, Volumes.All, [.. BlockId.UpTo(table.Count).AsEnumerable()]);
    }

    /// <summary>The volume of a block of the last demand.</summary>
    public int VolumeOf(int block) => located!.VolumeOf(new BlockId(block));

    public async Task<FetchList> DemandSmallestAsync(Volume volume)
    {
        (byte[] hash, long length) = (await ListAsync(volume)).MinBy(block => block.Length);
        BlockTable table = new(KindOf(hash.Length));
        BlockId block = table.GetOrAdd(hash, (int)length);
        table.Freeze();
        return FetchList.Create(table, new Locations([volume.Id], [], [], []), Volumes.All, [block]);
    }

    /// <summary>Fetches, and returns the hash of the bytes of each block.</summary>
    public async Task<Dictionary<int, string>> FetchAsync(FetchList demand, RangePolicy policy)
    {
        Dictionary<int, string> found = [];
        FlowSettings settings = FlowSettings.Resolve(
            new RestoreTuning(),
            cores: 2,
            memoryBytes: 1L << 30,
            isLocal: true
        );
        await new BlockStream(Loader, policy, settings.Reading, _ => null, TimeProvider.System).ReadAsync(
            demand,
            (block, bytes) => found.Add(block, Convert.ToHexString(SHA256.HashData(bytes.Span))),
            Token
        );
        AssertBuffersBack();
        return found;
    }

    /// <summary>Reads an index volume with all of its copies of blocklists, or without.</summary>
    public async Task<(string Blocks, long Bytes, int Blocklists)> ReadIndexAsync(
        Volume index,
        BlockLayout layout,
        RangePolicy policy,
        bool isWanted
    )
    {
        Store.ForgetReads();
        IndexReading reading = new(Loader, Volumes, layout, policy);
        using IndexContents contents = await reading.ReadAsync(
            index,
            _ => { },
            missingBlocklists: 0,
            (_, _) => isWanted,
            Token
        );
        Assert.Empty(contents.Defects);
        return (
            string.Join(' ', contents.Volumes.Select(blocks => $"{blocks.Volume}:{blocks.Count}")),
            Store.BytesRead,
            contents.Blocklists.Count
        );
    }

    public void AssertBuffersBack() => Assert.Equal(0, pool.OutstandingBuffers);

    public void Dispose() => AssertBuffersBack();

    private static HashKind KindOf(int length) =>
        Enum.GetValues<HashKind>().Single(kind => kind.LengthBytes() == length);

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
