using System.Collections.Concurrent;
using System.IO.Compression;
using System.Security.Cryptography;
using System.Text;
using System.Text.Json.Nodes;
using Restore.Encryption;
using Restore.Format;

namespace Restore.Simulation;

/// <summary>
/// The volumes of a backup. Small ones are made by a number: a few files of blocks of 1 KiB, in a few
/// volumes, some of them without an index. Larger ones have many equal files in full volumes.
/// </summary>
internal sealed class MadeVolumes
{
    private const int Shapes = 24;
    private const string Time = "20260102T030405Z";

    private static readonly ConcurrentDictionary<int, MadeVolumes> Made = [];

    private readonly int blockBytes = 1024;
    private readonly Random random;
    private readonly List<(string Hash, byte[] Bytes, bool IsList)> blocks = [];
    private readonly HashSet<string> hashes = [];
    private readonly List<byte[]> common;

    private MadeVolumes(int shape)
    {
        random = new Random(shape);
        Passphrase = shape % 6 == 5 ? "simulated" : null;
        common = [.. Enumerable.Range(0, 3).Select(_ => Bytes(blockBytes)), new byte[blockBytes]];
        JsonArray list = [Entry("Folder", "/data/", null), Entry("Folder", "/data/sub/", null)];
        int count = 2 + random.Next(9);
        for (int i = 0; i < count; i++)
        {
            string path = random.Next(2) == 0 ? $"/data/{i}" : $"/data/sub/{i}";
            Contents[path] = Content();
            list.Add(Entry("File", path, Contents[path]));
            if (shape % 3 > 0)
            {
                Refused[$"/data/../{i}"] = Bytes(10);
                list.Add(Entry("File", $"/data/../{i}", Refused[$"/data/../{i}"]));
            }
        }

        list.Add(Entry("Symlink", "/data/link", null, ("CoreSymlinkTarget", "sub/0")));
        Write(
            $"duplicati-{Time}.dlist.zip",
            [("filelist.json", Utf8(list)), ("fileset", "{\"IsFullBackup\":true}"u8.ToArray())]
        );
        WriteBlocks();
    }

    /// <summary>An encrypted backup of files of equal size that compress to about half.</summary>
    /// <param name="files">The number of files, a hundred in a folder.</param>
    /// <param name="fileBytes">The size of each file.</param>
    /// <param name="blockBytes">The size of a block.</param>
    /// <param name="volumeBytes">The bytes of blocks in a volume.</param>
    public MadeVolumes(int files, int fileBytes, int blockBytes, int volumeBytes)
    {
        const int FilesInFolder = 100;
        this.blockBytes = blockBytes;
        random = new Random(files);
        Passphrase = "simulated";
        common = [];
        JsonArray list = [];
        for (int i = 0; i < files; i++)
        {
            string folder = $"/data/{i / FilesInFolder}/";
            if (i % FilesInFolder == 0)
            {
                list.Add(Entry("Folder", folder, null));
            }

            byte[] content = Bytes(fileBytes);
            for (int at = 0; at < content.Length; at++)
            {
                content[at] = (byte)('a' + (content[at] & 15));
            }

            Contents[folder + i] = content;
            list.Add(Entry("File", folder + i, content));
        }

        Write(
            $"duplicati-{Time}.dlist.zip",
            [("filelist.json", Utf8(list)), ("fileset", "{\"IsFullBackup\":true}"u8.ToArray())]
        );
        int number = 0;
        int inVolume = Math.Max(1, volumeBytes / Math.Min(blockBytes, Math.Max(1, fileBytes)));
        foreach ((string Hash, byte[] Bytes, bool IsList)[] part in blocks.Chunk(inVolume))
        {
            WriteVolume(number++, part, hasLists: true);
        }
    }

    /// <summary>The passphrase; null if the volumes are not encrypted.</summary>
    public string? Passphrase { get; }

    /// <summary>The contents of the files by path.</summary>
    public SortedDictionary<string, byte[]> Contents { get; } = new(StringComparer.Ordinal);

    /// <summary>The contents of files whose paths no target takes; a sink gets them.</summary>
    public SortedDictionary<string, byte[]> Refused { get; } = new(StringComparer.Ordinal);

    /// <summary>The volumes by name.</summary>
    public Dictionary<string, byte[]> Files { get; } = [];

    public static MadeVolumes Of(int seed) =>
        Made.GetOrAdd((int)((uint)seed % Shapes), shape => new MadeVolumes(shape));

    private void WriteBlocks()
    {
        int volumes = 1 + random.Next(5);
        List<(string Hash, byte[] Bytes, bool IsList)>[] parts =
        [
            .. Enumerable.Range(0, volumes).Select(_ => new List<(string, byte[], bool)>()),
        ];
        foreach ((string Hash, byte[] Bytes, bool IsList) block in blocks)
        {
            parts[random.Next(volumes)].Add(block);
            if (random.Next(6) == 0)
            {
                parts[random.Next(volumes)].Add(block);
            }
        }

        for (int i = 0; i < volumes; i++)
        {
            (string Hash, byte[] Bytes, bool IsList)[] part = [.. parts[i].DistinctBy(block => block.Hash)];
            string name = Write($"duplicati-b{i:x32}.dblock.zip", part.Select(block => (Url(block.Hash), block.Bytes)));
            if (random.Next(5) == 0)
            {
                continue;
            }

            WriteIndex(i, name, part, hasLists: random.Next(3) > 0);
        }
    }

    private void WriteVolume(int number, (string Hash, byte[] Bytes, bool IsList)[] part, bool hasLists)
    {
        string name = Write(
            $"duplicati-b{number:x32}.dblock.zip",
            part.Select(block => (Url(block.Hash), block.Bytes))
        );
        WriteIndex(number, name, part, hasLists);
    }

    private void WriteIndex(int number, string name, (string Hash, byte[] Bytes, bool IsList)[] part, bool hasLists)
    {
        JsonObject index = new()
        {
            ["blocks"] = new JsonArray([
                .. part.Select(block => new JsonObject { ["hash"] = block.Hash, ["size"] = block.Bytes.Length }),
            ]),
            ["volumehash"] = Convert.ToBase64String(SHA256.HashData(Files[name])),
            ["volumesize"] = Files[name].Length,
        };
        Write(
            $"duplicati-i{number:x32}.dindex.zip",
            part.Where(block => block.IsList && hasLists)
                .Select(block => ("list/" + Url(block.Hash), block.Bytes))
                .Prepend(("vol/" + name, Utf8(index)))
        );
    }

    private byte[] Content()
    {
        byte[] content = Bytes(
            random.Next(5) switch
            {
                0 => 0,
                1 => random.Next(blockBytes),
                2 => random.Next(60_000),
                _ => random.Next(8000),
            }
        );
        for (int at = 0; at + blockBytes <= content.Length; at += blockBytes)
        {
            if (random.Next(4) == 0)
            {
                common[random.Next(common.Count)].CopyTo(content, at);
            }
        }

        return content;
    }

    private JsonObject Entry(string type, string path, byte[]? content, params (string Key, string Value)[] values)
    {
        JsonObject metadata = new() { ["CoreLastWritetime"] = "638396640000000000" };
        Array.ForEach(values, value => metadata[value.Key] = value.Value);
        byte[] blob = Utf8(metadata);
        JsonObject entry = new()
        {
            ["type"] = type,
            ["path"] = path,
            ["metahash"] = Block(blob),
            ["metasize"] = blob.Length,
        };
        if (content is not null)
        {
            (entry["hash"], entry["size"], entry["time"]) = (
                Convert.ToBase64String(SHA256.HashData(content)),
                content.Length,
                Time
            );
            string[] parts = [.. content.Chunk(blockBytes).Select(bytes => Block(bytes))];
            if (parts.Length > 1)
            {
                entry["blocklists"] = new JsonArray([
                    .. parts
                        .Chunk(blockBytes / 32)
                        .Select(run =>
                            JsonValue.Create(Block([.. run.SelectMany(Convert.FromBase64String)], isList: true))
                        ),
                ]);
            }
        }

        return entry;
    }

    private string Block(byte[] bytes, bool isList = false)
    {
        string hash = Convert.ToBase64String(SHA256.HashData(bytes));
        if (hashes.Add(hash))
        {
            blocks.Add((hash, bytes, isList));
        }

        return hash;
    }

    private string Write(string name, IEnumerable<(string Name, byte[] Content)> files)
    {
        using MemoryStream zip = new();
        using (ZipArchive archive = new(zip, ZipArchiveMode.Create, leaveOpen: true))
        {
            byte[] manifest = Manifest.Write(
                new BlockLayout(blockBytes, HashKind.Sha256, HashKind.Sha256),
                new DateTimeOffset(2026, 1, 2, 3, 4, 5, TimeSpan.Zero),
                "2.3.0.0"
            );
            foreach ((string file, byte[] content) in files.Prepend(("manifest", manifest)))
            {
                ZipArchiveEntry entry = archive.CreateEntry(file);
                entry.LastWriteTime = new DateTimeOffset(2026, 1, 2, 3, 4, 5, TimeSpan.Zero);
                using Stream stream = entry.Open();
                stream.Write(content);
            }
        }

        byte[] bytes = zip.ToArray();
        if (Passphrase is not null)
        {
            byte[] sealedBytes = new byte[AesCryptEncryptor.EncryptedLength(bytes.Length)];
            AesCryptEncryptor.Encrypt(bytes, sealedBytes, Passphrase, new SeededNumbers(random));
            (name, bytes) = (name + ".aes", sealedBytes);
        }

        Files[name] = bytes;
        return name;
    }

    private byte[] Bytes(int count)
    {
        byte[] bytes = new byte[count];
        random.NextBytes(bytes);
        return bytes;
    }

    private static byte[] Utf8(JsonNode json) => Encoding.UTF8.GetBytes(json.ToJsonString());

    private static string Url(string hash) => hash.Replace('+', '-').Replace('/', '_');

    /// <summary>Chance that a seed decides, for keys: equal volumes in every process.</summary>
    private sealed class SeededNumbers(Random random) : RandomNumberGenerator
    {
        public override void GetBytes(byte[] data) => random.NextBytes(data);

        public override void GetBytes(Span<byte> data) => random.NextBytes(data);
    }
}
