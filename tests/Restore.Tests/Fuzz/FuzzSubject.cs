using System.Collections.Concurrent;
using System.IO.Compression;
using System.Security.Cryptography;
using Restore.Encryption;
using Restore.Tests.Encryption;
using Restore.Tests.FixtureTests;
using Restore.Tests.Support.Machine;

namespace Restore.Tests.Fuzz;

/// <summary>A backup to be mutated, and the contents that a restore of it may produce.</summary>
internal sealed class FuzzSubject
{
    private readonly Lazy<Task<HashSet<string>?>> blocks;

    private FuzzSubject(FixtureBackup backup)
    {
        Backup = backup;
        Files =
        [
            .. Directory
                .EnumerateFiles(backup.Location)
                .Select(file => Path.GetFileName(file))
                .Order(StringComparer.Ordinal),
        ];
        blocks = new Lazy<Task<HashSet<string>?>>(BlocksAsync);
    }

    public FixtureBackup Backup { get; }

    /// <summary>Names of the files in its store.</summary>
    public string[] Files { get; }

    public bool IsIntact => FixtureCatalog.Intact.Contains(Backup.Name);

    private string? Passphrase => Backup.Options().Passphrase;

    /// <summary>All fixtures of the repository that have files to mutate.</summary>
    public static FuzzSubject[] All() =>
        [
            .. FixtureCatalog
                .Names.Where(name => name != "aes-samples" && (name != FixtureCatalog.Gpg || NeedsGpgAttribute.HasGpg))
                .SelectMany(FixtureCatalog.BackupsOf)
                .Where(backup => Directory.Exists(backup.Location))
                .Select(backup => new FuzzSubject(backup))
                .Where(subject => subject.Files.Length > 0),
        ];

    /// <summary>
    /// The hashes (SHA-256) of contents that this backup knows: its files, and each of its blocks;
    /// null if its blocks cannot be had here.
    /// </summary>
    public Task<HashSet<string>?> KnownContentsAsync() => blocks.Value;

    /// <summary>A mutated copy of a file: as it is, or opened, mutated and sealed again.</summary>
    public async Task<byte[]> MutateAsync(string name, Random random)
    {
        byte[] bytes = await File.ReadAllBytesAsync(Path.Combine(Backup.Location, name));
        int layer = random.Next(4);
        if (layer == 0 || bytes.Length == 0)
        {
            return Mutation.Of(bytes, random);
        }

        bool isSealed = name.EndsWith(".aes", StringComparison.Ordinal) && Passphrase is not null;
        byte[]? plain = isSealed ? await OpenAsync(bytes) : bytes;
        if (plain is null)
        {
            return Mutation.Of(bytes, random);
        }

        // A change inside of an entry gets a right CRC-32; one of the archive as it is mostly a
        // wrong one.
        byte[] changed = (layer == 1 ? null : MutateEntry(plain, random)) ?? Mutation.Of(plain, random);
        if (!isSealed)
        {
            return changed;
        }

        byte[] sealedAgain = new byte[AesCryptEncryptor.EncryptedLength(changed.Length)];
        AesCryptEncryptor.Encrypt(changed, sealedAgain, Passphrase!);
        return sealedAgain;
    }

    /// <summary>
    /// Mutates one entry of a zip file, or the tar file in a gzip file, and packs it again; null if
    /// .NET cannot read it.
    /// </summary>
    private static byte[]? MutateEntry(byte[] zip, Random random)
    {
        try
        {
            if (zip is [0x1F, 0x8B, ..])
            {
                return Packed(Mutation.Of(Unpacked(zip), random));
            }

            (string Name, byte[] Content)[] entries = [.. Entries(zip)];
            using MemoryStream packed = new();
            using (ZipArchive archive = new(packed, ZipArchiveMode.Create, leaveOpen: true))
            {
                int chosen = random.Next(entries.Length);
                foreach (((string name, byte[] content), int index) in entries.Select((entry, index) => (entry, index)))
                {
                    using Stream stream = archive.CreateEntry(name, CompressionLevel.Fastest).Open();
                    stream.Write(index == chosen ? Mutation.Of(content, random) : content);
                }
            }

            return packed.ToArray();
        }
        catch (Exception failure)
            when (failure
                    is InvalidDataException
                        or IOException
                        or ArgumentException
                        or NotSupportedException
                        or OverflowException
            )
        {
            return null;
        }
    }

    private static byte[] Unpacked(byte[] gzip)
    {
        using GZipStream stream = new(new MemoryStream(gzip), CompressionMode.Decompress);
        using MemoryStream tar = new();
        stream.CopyTo(tar);
        return tar.ToArray();
    }

    private static byte[] Packed(byte[] tar)
    {
        using MemoryStream gzip = new();
        using (GZipStream stream = new(gzip, CompressionLevel.Fastest, leaveOpen: true))
        {
            stream.Write(tar);
        }

        return gzip.ToArray();
    }

    private static IEnumerable<(string Name, byte[] Content)> Entries(byte[] zip)
    {
        using ZipArchive archive = new(new MemoryStream(zip));
        foreach (ZipArchiveEntry entry in archive.Entries.Where(entry => entry.Length < 64 << 20))
        {
            using Stream stream = entry.Open();
            using MemoryStream content = new();
            stream.CopyTo(content);
            yield return (entry.FullName, content.ToArray());
        }
    }

    private async Task<byte[]?> OpenAsync(byte[] sealedBytes)
    {
        Deciphered opened = await Ciphering.DecryptAes(sealedBytes, Passphrase!);
        return opened.Authentic ? opened.Text : null;
    }

    private async Task<HashSet<string>?> BlocksAsync()
    {
        HashSet<string> known = [Hash([])];
        foreach (FixtureVersion version in Backup.Versions.Where(version => version.ExpectedFile is not null))
        {
            known.UnionWith(
                ExpectedTree.Load(version.ExpectedFile!).Entries.Select(entry => entry.Sha256).OfType<string>()
            );
        }

        foreach (string name in Files.Where(name => name.Contains(".dblock.", StringComparison.Ordinal)))
        {
            byte[] bytes = await File.ReadAllBytesAsync(Path.Combine(Backup.Location, name));
            byte[]? plain = name.EndsWith(".aes", StringComparison.Ordinal) ? await OpenAsync(bytes) : bytes;
            try
            {
                known.UnionWith(Entries(plain ?? []).Select(entry => Hash(entry.Content)));
            }
            catch (Exception failure) when (failure is InvalidDataException or NotSupportedException)
            {
                return null;
            }
        }

        return known;
    }

    public static string Hash(byte[] content) => Convert.ToHexStringLower(SHA256.HashData(content));
}
