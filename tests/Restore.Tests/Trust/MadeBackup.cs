using System.IO.Compression;
using System.Security.Cryptography;
using System.Text;
using System.Text.Json.Nodes;
using Restore.Encryption;
using Restore.Format;
using Restore.Tests.FixtureTests;

namespace Restore.Tests.Trust;

/// <summary>
/// A backup in a folder that a test makes entry by entry, honest or not, with a place to restore it
/// to.
/// </summary>
internal sealed class MadeBackup(int blockSizeBytes = 1024) : IDisposable
{
    public const int HugeBlockBytes = 1 << 30;

    public const string Time = "20260102T030405Z";

    private readonly TempFolder folder = new();
    private readonly Dictionary<string, byte[]> blocks = [];
    private readonly List<JsonObject> entries = [];

    /// <summary>The block size that the manifests record.</summary>
    public int BlockSizeBytes { get; } = blockSizeBytes;

    /// <summary>Where the volumes are.</summary>
    public string Source => field ??= Directory.CreateDirectory(Path.Join(folder.Path, "backup")).FullName;

    public string Target => folder.Root;

    /// <summary>
    /// What encrypts the volumes that are written from now on; null for plain ones.
    /// </summary>
    public string? Passphrase { get; set; }

    /// <summary>The time that the manifests record; null for that of the list.</summary>
    public string? Created { get; set; }

    /// <summary>The entries, to be changed before they are written.</summary>
    public IReadOnlyList<JsonObject> Entries => entries;

    private BlockLayout Layout => new(BlockSizeBytes, HashKind.Sha256, HashKind.Sha256);

    /// <summary>Metadata as Duplicati writes it for a file of nobody in particular.</summary>
    public static byte[] Metadata(params (string Key, string Value)[] values)
    {
        JsonObject json = new() { ["CoreLastWritetime"] = "638396640000000000" };
        Array.ForEach(values, value => json[value.Key] = value.Value);
        return Encoding.UTF8.GetBytes(json.ToJsonString());
    }

    public JsonObject File(string path, byte[] content, byte[]? metadata = null)
    {
        JsonObject entry = new()
        {
            ["type"] = "File",
            ["path"] = path,
            ["hash"] = Hash(content),
            ["size"] = content.Length,
            ["time"] = Time,
        };
        Add(entry, content, "blocklists");
        Add(entry, metadata);

        // As Duplicati, which looks for metadata only before these.
        if (entry["blocklists"] is { } blocklists)
        {
            entry.Remove("blocklists");
            entry["blocklists"] = blocklists;
        }

        return entry;
    }

    /// <summary>
    /// A file that claims the largest size there is, in a backup with the largest blocks.
    /// </summary>
    public JsonObject Huge(string path, byte[]? metadata = null)
    {
        string[] hashes = [.. Enumerable.Repeat(Hash([]), (int)Layout.BlocklistCount(long.MaxValue))];
        JsonArray blocklists = new([.. hashes.Select(hash => JsonValue.Create(hash))]);
        JsonObject entry = new()
        {
            ["type"] = "File",
            ["path"] = path,
            ["hash"] = Hash([]),
            ["size"] = long.MaxValue,
            ["time"] = Time,
            ["blocklists"] = blocklists,
        };
        return Add(entry, metadata);
    }

    public JsonObject Folder(string path, byte[]? metadata = null) =>
        Add(new JsonObject { ["type"] = "Folder", ["path"] = path }, metadata);

    public JsonObject Link(string path, byte[]? metadata = null) =>
        Add(new JsonObject { ["type"] = "Symlink", ["path"] = path }, metadata);

    public JsonObject Link(string path, string linkTarget) => Link(path, Metadata(("CoreSymlinkTarget", linkTarget)));

    /// <summary>Adds a block, and gives its hash as lists have it.</summary>
    public string Block(byte[] bytes)
    {
        blocks[Hash(bytes)] = bytes;
        return Hash(bytes);
    }

    /// <summary>Leaves a block out of what is written from now on.</summary>
    public void Forget(byte[] bytes) => blocks.Remove(Hash(bytes));

    public static string Hash(byte[] bytes) => Convert.ToBase64String(SHA256.HashData(bytes));

    /// <summary>Writes all that was added: a list, and a block volume with its index.</summary>
    public MadeBackup Write(string time = Time)
    {
        WriteList(time);
        string volume = VolumeName("b" + new string('1', 32), "dblock");
        WriteArchive(volume, blocks.Select(block => (block.Key.Replace('+', '-').Replace('/', '_'), block.Value)));
        JsonObject index = new()
        {
            ["blocks"] = new JsonArray([
                .. blocks.Select(block => new JsonObject { ["hash"] = block.Key, ["size"] = block.Value.Length }),
            ]),
            ["volumehash"] = Hash(System.IO.File.ReadAllBytes(Path.Join(Source, volume))),
            ["volumesize"] = new FileInfo(Path.Join(Source, volume)).Length,
        };
        WriteArchive(
            VolumeName("i" + new string('2', 32), "dindex"),
            [("vol/" + volume, Encoding.UTF8.GetBytes(index.ToJsonString()))]
        );
        return this;
    }

    /// <summary>Writes the list alone.</summary>
    /// <param name="time">The time in its name.</param>
    /// <param name="json">Its text; null for the entries that were added.</param>
    public string WriteList(string time = Time, byte[]? json = null)
    {
        string name = VolumeName(time, "dlist");
        json ??= Encoding.UTF8.GetBytes(new JsonArray([.. entries.Select(entry => entry.DeepClone())]).ToJsonString());
        WriteArchive(
            name,
            [("filelist.json", json), ("fileset", "{\"IsFullBackup\":true}"u8.ToArray())],
            Created ?? time
        );
        return name;
    }

    public Task<RestoreReport> RestoreAsync(Flow flow = Flow.Network) => RestoreAsync(new RestoreOptions().By(flow));

    public async Task<RestoreReport> RestoreAsync(RestoreSetup options, BackupOptions? access = null)
    {
        await using Backup backup = await Backup.OpenAsync(
            Source,
            access ?? new BackupOptions { Passphrase = Passphrase }
        );
        RestoreReport report = await backup.RestoreAsync(
            backup.Versions[0],
            options with
            {
                What = options.What with { Target = Target },
            }
        );
        Assert.Equal(0, backup.Pool.OutstandingBuffers);
        return report;
    }

    /// <summary>The full path at the target.</summary>
    public string At(string path) => Path.Join(Target, path);

    public void Dispose() => folder.Dispose();

    private string VolumeName(string middle, string kind) =>
        $"duplicati-{middle}.{kind}.zip{(Passphrase is null ? "" : ".aes")}";

    private JsonObject Add(JsonObject entry, byte[]? metadata)
    {
        if (metadata is not null)
        {
            entry["metahash"] = Hash(metadata);
            entry["metasize"] = metadata.Length;
            Add(entry, metadata, "metablocklists");
        }

        entries.Add(entry);
        return entry;
    }

    private void Add(JsonObject entry, byte[] content, string blocklists)
    {
        string[] hashes = [.. content.Chunk(BlockSizeBytes).Select(Block)];
        if (hashes.Length > 1)
        {
            entry[blocklists] = new JsonArray([
                .. hashes
                    .Chunk(Layout.HashesPerBlocklist)
                    .Select(run => JsonValue.Create(Block([.. run.SelectMany(Convert.FromBase64String)]))),
            ]);
        }
    }

    /// <summary>Writes a volume of any content, with a manifest.</summary>
    public void WriteArchive(string name, IEnumerable<(string Name, byte[] Content)> files, string? created = null)
    {
        using MemoryStream zip = new();
        using (ZipArchive archive = new(zip, ZipArchiveMode.Create, leaveOpen: true))
        {
            DateTimeOffset time = DateTimeOffset.ParseExact(
                created ?? Created ?? Time,
                "yyyyMMdd'T'HHmmss'Z'",
                null,
                System.Globalization.DateTimeStyles.AssumeUniversal
            );
            foreach (
                (string file, byte[] content) in files.Prepend(("manifest", Manifest.Write(Layout, time, "2.3.0.0")))
            )
            {
                using Stream stream = archive.CreateEntry(file, CompressionLevel.Fastest).Open();
                stream.Write(content);
            }
        }

        byte[] bytes = zip.ToArray();
        if (Passphrase is not null)
        {
            byte[] sealedBytes = new byte[AesCryptEncryptor.EncryptedLength(bytes.Length)];
            AesCryptEncryptor.Encrypt(bytes, sealedBytes, Passphrase);
            bytes = sealedBytes;
        }

        System.IO.File.WriteAllBytes(Path.Join(Source, name), bytes);
    }
}
