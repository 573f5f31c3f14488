using System.Security.Cryptography;
using Restore.Catalog;
using Restore.Catalog.Locating;
using Restore.Compression;
using Restore.Encryption;
using Restore.Format;
using Restore.Memory;
using Restore.Reading;
using Restore.Tests.Compression;
using Restore.Volumes;

namespace Restore.Tests.Reading;

/// <summary>
/// Block volumes in a store in memory, made by a test or taken from a fixture, and the list of the
/// blocks that a test needs.
/// </summary>
internal sealed class MadeVolumes : IDisposable
{
    private const string Passphrase = "correct horse";

    private readonly List<Volume> volumes = [];
    private readonly LocationTable locations = new();
    private readonly List<BlockId> wanted = [];

    public MadeVolumes(HashKind hash = HashKind.Sha256, string? passphrase = Passphrase)
    {
        Table = new BlockTable(hash);
        Loader = new VolumeLoader(Store, new VolumeCiphers(new CipherOptions(passphrase), Pool), new Codecs(), Pool);
    }

    public BufferPool Pool { get; } = new();

    public ScriptedStore Store { get; } = new();

    public VolumeLoader Loader { get; }

    public BlockTable Table { get; }

    public IReadOnlyList<Volume> Volumes => volumes;

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    /// <summary>
    /// The block volumes of a fixture, with all of their blocks in the list, volume by volume.
    /// </summary>
    public static async Task<MadeVolumes> OfFixtureAsync(string fixture)
    {
        string? passphrase = Fixtures.Info(fixture).TryGetProperty("passphrase", out var given)
            ? given.GetString()
            : null;
        MadeVolumes made = new(HashKind.Sha256, passphrase);
        foreach (string file in Directory.GetFiles(Fixtures.Backup(fixture), "*.dblock*").Order(StringComparer.Ordinal))
        {
            Volume volume = made.AddFile(Path.GetFileName(file), File.ReadAllBytes(file));
            using LoadedVolume loaded = await made.Loader.LoadAsync(volume, Token);
            byte[] hash = new byte[HashKinds.MaxLengthBytes];
            while (loaded.Archive.MoveNext(out ArchiveEntry entry))
            {
                if (BlockName.TryDecode(loaded.Archive.NameOf(entry), hash, out int length))
                {
                    made.Want(volume, made.Table.GetOrAdd(hash.AsSpan(0, length), (int)entry.Length));
                }
            }
        }

        made.Store.ForgetReads();
        return made;
    }

    /// <summary>A block that nothing else is, of noise or of letters that compress well.</summary>
    public static byte[] Block(int seed, int lengthBytes, bool isNoise = true)
    {
        byte[] block = new byte[lengthBytes];
        new Random(seed).NextBytes(block);
        for (int i = 0; i < block.Length && !isNoise; i++)
        {
            block[i] = (byte)('a' + (block[i] & 3));
        }

        return block;
    }

    /// <summary>An archive of blocks under their own names.</summary>
    public static byte[] Zip(IEnumerable<byte[]> blocks, bool stored = false)
    {
        ZipBuilder zip = new();
        foreach (byte[] block in blocks)
        {
            zip.Add(NameOf(block), block, stored);
        }

        return zip.Finish();
    }

    /// <summary>The name of a block in a volume.</summary>
    public static string NameOf(byte[] block) => BlockName.Format(SHA256.HashData(block));

    /// <summary>Adds a volume.</summary>
    public Volume Add(byte[] archive, bool isEncrypted = false, string kind = "zip")
    {
        string name = $"duplicati-b{volumes.Count:x32}.dblock.{kind}{(isEncrypted ? ".aes" : "")}";
        return AddFile(name, isEncrypted ? Encrypted(archive) : archive);
    }

    /// <summary>Adds a volume of these blocks, all needed in this order.</summary>
    public Volume AddWanted(IEnumerable<byte[]> blocks, bool isEncrypted = false, bool stored = false)
    {
        byte[][] all = [.. blocks];
        Volume volume = Add(Zip(all, stored), isEncrypted);
        Want(volume, all);
        return volume;
    }

    /// <summary>
    /// Adds blocks of a volume to the list, in this order, whether the volume has them or not.
    /// </summary>
    public BlockId[] Want(Volume volume, params byte[][] blocks)
    {
        BlockId[] ids = [.. blocks.Select(block => Table.GetOrAdd(SHA256.HashData(block), block.Length))];
        Array.ForEach(ids, block => Want(volume, block));
        return ids;
    }

    public FetchList List(BitSet? ownHash = null) => FetchList.Create(Table, Locate(), volumes, wanted, ownHash);

    /// <summary>Freezes the table, and says where its blocks are.</summary>
    public Locations Locate()
    {
        Table.Freeze();
        return locations.Freeze(Table.Count);
    }

    /// <summary>
    /// A block stream over the volumes, with one copy of each process unless settings are given.
    /// </summary>
    public BlockStream Stream(ReadingSettings? settings = null, RangeReads ranges = RangeReads.Never) =>
        new(
            Loader,
            new RangePolicy(ranges, 0),
            settings ?? new ReadingSettings(1, false, 1, 1, 1, null),
            _ => null,
            TimeProvider.System
        );

    /// <summary>What VolumeDownloader reads of a volume.</summary>
    public async Task<FetchedVolume> FetchAsync(Volume volume) =>
        new(Loader, volume, await Loader.FetchAsync(volume, Token));

    /// <summary>What VolumeDecryptor makes of it.</summary>
    public async Task<FetchedVolume> DecryptAsync(Volume volume)
    {
        FetchedVolume fetched = await FetchAsync(volume);
        await fetched.DecryptAsync(Token);
        return fetched;
    }

    public void AssertBuffersBack() => Assert.Equal(0, Pool.OutstandingBuffers);

    public void Dispose() => AssertBuffersBack();

    private static byte[] Encrypted(byte[] plain)
    {
        byte[] stream = new byte[AesCryptEncryptor.EncryptedLength(plain.Length)];
        AesCryptEncryptor.Encrypt(plain, stream, Passphrase);
        return stream;
    }

    private Volume AddFile(string name, byte[] bytes)
    {
        Assert.True(VolumeName.TryParse(name, out VolumeName parsed), name);
        Store[name] = bytes;
        Volume volume = new(new VolumeId(volumes.Count), parsed, bytes.Length);
        volumes.Add(volume);
        return volume;
    }

    private void Want(Volume volume, BlockId block)
    {
        locations.Add(block, volume.Id, CopyOrder.Database);
        wanted.Add(block);
    }
}
