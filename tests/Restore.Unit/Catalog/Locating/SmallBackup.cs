using System.IO.Compression;
using System.Security.Cryptography;
using System.Text;
using Restore.Catalog;
using Restore.Catalog.Locating;
using Restore.Compression;
using Restore.Encryption;
using Restore.Format;
using Restore.Memory;
using Restore.Volumes;

namespace Restore.Tests.Catalog.Locating;

/// <summary>
/// A plain backup in memory that a test makes block by block, with the parts that location sources
/// take.
/// </summary>
internal sealed class SmallBackup : IDisposable
{
    public const int BlockSizeBytes = 1024;

    /// <summary>Blocks whose hashes one blocklist holds.</summary>
    public const int BlocksOfBlocklist = BlockSizeBytes / 32;

    public static readonly BlockLayout Layout = new(BlockSizeBytes, HashKind.Sha256, HashKind.Sha256);

    // What a fetch finds in each block volume, by the hash in hex.
    private readonly Dictionary<string, Dictionary<string, byte[]>> sound = [];

    public ScriptedStore Store { get; } = new() { IsLocal = true };

    public BufferPool Pool { get; } = new();

    public IssueLog Issues { get; } = new();

    /// <summary>The lists that were fetched, in order.</summary>
    public List<FetchList> Fetches { get; } = [];

    /// <summary>Called during a fetch, after its blocks came.</summary>
    public Action? DuringFetch { get; set; }

    public VolumeLoader Loader =>
        new(Store, new VolumeCiphers(new CipherOptions(Passphrase: null), Pool), new Codecs(), Pool);

    public static RangePolicy WholeVolumes { get; } = new(RangeReads.Never, 0);

    /// <summary>The blocks of a file that nothing else has a block of.</summary>
    public static byte[][] BlocksOf(int seed, int count)
    {
        byte[] content = new byte[count * BlockSizeBytes];
        new Random(seed).NextBytes(content);
        return [.. content.Chunk(BlockSizeBytes)];
    }

    /// <summary>The blocklists of a file.</summary>
    public static byte[][] BlocklistsOf(byte[][] blocks) =>
        [.. blocks.Chunk(BlocksOfBlocklist).Select(run => run.SelectMany(SHA256.HashData).ToArray())];

    /// <summary>A version of files.</summary>
    public static VersionContent Version(params byte[][][] files)
    {
        VersionContent version = new(new BackupVersion(0, DateTimeOffset.UnixEpoch, "list"), Layout);
        VersionContentBuilder builder = new(version, EntryFilter.All, observer: null);
        foreach (byte[][] blocks in files)
        {
            byte[] content = [.. blocks.SelectMany(block => block)];
            builder.Entry(
                new FileListEntry
                {
                    Kind = EntryKind.File,
                    Path = Encoding.UTF8.GetBytes($"/{version.Entries.Count}"),
                    Hash = SHA256.HashData(content),
                    SizeBytes = content.Length,
                    BlocklistHashes =
                        blocks.Length > 1 ? BlocklistsOf(blocks).SelectMany(SHA256.HashData).ToArray() : [],
                }
            );
        }

        return version;
    }

    /// <summary>What all contents of a version need.</summary>
    public static BlockNeeds NeedsOf(VersionContent version)
    {
        BlockNeeds needs = new(version);
        foreach (EntryId entry in EntryId.UpTo(version.Entries.Count))
        {
            needs.Want(version.Entries[entry].Content);
        }

        return needs;
    }

    public static string BlockVolume(int number) => $"duplicati-b{number:x32}.dblock.zip";

    public static string Index(int number) => $"duplicati-i{number:x32}.dindex.zip";

    public static BlockId Find(VersionContent version, byte[] block) =>
        version.Blocks.Find(SHA256.HashData(block), block.Length);

    /// <summary>Adds a block volume.</summary>
    public void AddBlocks(int number, params IEnumerable<byte[]> blocks)
    {
        Dictionary<string, byte[]> found = sound[BlockVolume(number)] = [];
        Store[BlockVolume(number)] = Zip(archive =>
        {
            foreach (byte[] block in blocks)
            {
                found[Convert.ToHexString(SHA256.HashData(block))] = block;
                Add(archive, BlockName.Format(SHA256.HashData(block)), block);
            }
        });
    }

    /// <summary>Adds an index volume.</summary>
    /// <param name="number">Its number.</param>
    /// <param name="describes">The number of the block volume that it describes, if any.</param>
    /// <param name="blocks">The blocks that it lists for that volume.</param>
    /// <param name="blocklists">The blocklists in it.</param>
    /// <param name="layout">The layout in its manifest; null for the usual one.</param>
    public void AddIndex(
        int number,
        int? describes,
        IEnumerable<byte[]> blocks,
        IEnumerable<byte[]>? blocklists = null,
        BlockLayout? layout = null
    ) =>
        Store[Index(number)] = Zip(archive =>
        {
            Add(archive, "manifest", Manifest.Write(layout ?? Layout, DateTimeOffset.UnixEpoch, "test"));
            if (describes is int volume)
            {
                using MemoryStream json = new();
                IndexVolumeWriter writer = new(json);
                blocks.ToList().ForEach(block => writer.Add(SHA256.HashData(block), block.Length));
                writer.Finish(
                    SHA256.HashData([]),
                    Store.Names.Contains(BlockVolume(volume)) ? Store[BlockVolume(volume)].Length : 0
                );
                Add(archive, IndexEntryName.OfVolume(BlockVolume(volume)), json.ToArray());
            }

            foreach (byte[] blocklist in blocklists ?? [])
            {
                Add(archive, "list/" + BlockName.Format(SHA256.HashData(blocklist)), blocklist);
            }
        });

    /// <summary>
    /// From now on a fetch finds nothing in a block volume; its directory stays as it is.
    /// </summary>
    public void Damage(int number) => sound[BlockVolume(number)].Clear();

    /// <summary>The volumes that are there.</summary>
    public Task<VolumeSet> ListAsync() =>
        VolumeSet.ListAsync(Store, prefix: null, needsFileLists: false, CancellationToken.None);

    public async Task<BlockLocator> LocatorAsync(long maxKeptBytes = SearchState.MaxKeptBytes)
    {
        VolumeSet volumes = await ListAsync();
        return new BlockLocator(
            Loader,
            volumes,
            new VolumeCatalog(Loader, volumes),
            WholeVolumes,
            FetchAsync,
            maxKeptBytes
        );
    }

    /// <summary>A <see cref="BlockFetcher"/>.</summary>
    public Task FetchAsync(
        FetchList list,
        Action<BlockId, ReadOnlyMemory<byte>> onBlock,
        CancellationToken cancellationToken
    )
    {
        Fetches.Add(list);
        foreach (WantedVolume volume in list.Volumes)
        {
            foreach (BlockId block in list.BlocksOf(volume))
            {
                if (
                    sound[volume.Volume.FileName]
                        .TryGetValue(Convert.ToHexString(list.Table.HashOf(block)), out byte[]? bytes)
                )
                {
                    onBlock(block, bytes);
                }
            }
        }

        DuringFetch?.Invoke();
        return Task.CompletedTask;
    }

    public void Dispose() => Assert.Equal(0, Pool.OutstandingBuffers);

    private static byte[] Zip(Action<ZipArchive> fill)
    {
        using MemoryStream zip = new();
        using (ZipArchive archive = new(zip, ZipArchiveMode.Create, leaveOpen: true))
        {
            fill(archive);
        }

        return zip.ToArray();
    }

    private static void Add(ZipArchive archive, string name, byte[] content)
    {
        using Stream stream = archive.CreateEntry(name).Open();
        stream.Write(content);
    }
}
