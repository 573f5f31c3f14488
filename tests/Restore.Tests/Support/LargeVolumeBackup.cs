using System.Buffers.Binary;
using System.IO.Compression;
using System.Security.Cryptography;
using System.Text;
using Restore.Format;

namespace Restore.Tests.Support;

/// <summary>
/// A backup with one block volume, of any length: files of one block each, which are stored and consist mostly of zeros, so that the volume takes little room
/// on a disk with holes.
/// </summary>
internal static class LargeVolumeBackup
{
    private const string Time = "20260102T030405Z";

    /// <summary>Writes the backup.</summary>
    /// <param name="folder">Where.</param>
    /// <param name="blockBytes">Length of each block.</param>
    /// <param name="blocks">The number of blocks, and of files.</param>
    /// <param name="isDeflated">Whether the blocks are compressed, which leaves nearly nothing of them.</param>
    /// <returns>The path of the block volume.</returns>
    public static string Write(string folder, int blockBytes, int blocks, bool isDeflated = false)
    {
        byte[] block = new byte[blockBytes];
        string[] hashes = new string[blocks];
        string volume = $"duplicati-b{new string('1', 32)}.dblock.zip";
        using (FileStream file = File.Create(Path.Join(folder, volume)))
        {
            using HoleStream holes = new(file);
            using ZipArchive archive = Begin(holes, blockBytes);
            for (int i = 0; i < blocks; i++)
            {
                BinaryPrimitives.WriteInt32LittleEndian(block, i + 1);
                hashes[i] = Convert.ToBase64String(SHA256.HashData(block));
                CompressionLevel level = isDeflated ? CompressionLevel.Fastest : CompressionLevel.NoCompression;
                using Stream entry = archive.CreateEntry(hashes[i].Replace('+', '-').Replace('/', '_'), level).Open();
                entry.Write(block);
            }
        }

        using FileStream written = File.OpenRead(Path.Join(folder, volume));
        string list = string.Join(',', hashes.Select(
            (hash, i) => $$"""{"type":"File","path":"/data/{{i}}","hash":"{{hash}}","size":{{blockBytes}},"time":"{{Time}}"}"""));
        string known = string.Join(',', hashes.Select(hash => $$"""{"hash":"{{hash}}","size":{{blockBytes}}}"""));
        string volumeHash = Convert.ToBase64String(SHA256.HashData(written));
        WriteList(folder, $"duplicati-{Time}.dlist.zip", blockBytes, "filelist.json", $"[{list}]");
        WriteList(
            folder, $"duplicati-i{new string('2', 32)}.dindex.zip", blockBytes, "vol/" + volume,
            $$"""{"blocks":[{{known}}],"volumehash":"{{volumeHash}}","volumesize":{{written.Length}}}""");
        return Path.Join(folder, volume);
    }

    private static void WriteList(string folder, string name, int blockBytes, string entry, string text)
    {
        using FileStream file = File.Create(Path.Join(folder, name));
        using ZipArchive archive = Begin(file, blockBytes);
        using Stream stream = archive.CreateEntry(entry).Open();
        stream.Write(Encoding.UTF8.GetBytes(text));
    }

    private static ZipArchive Begin(Stream stream, int blockBytes)
    {
        ZipArchive archive = new(stream, ZipArchiveMode.Create, leaveOpen: true);
        using Stream manifest = archive.CreateEntry("manifest").Open();
        BlockLayout layout = new(blockBytes, HashKind.Sha256, HashKind.Sha256);
        manifest.Write(Manifest.Write(layout, new DateTimeOffset(2026, 1, 2, 3, 4, 5, TimeSpan.Zero), "2.3.0.0"));
        return archive;
    }

    /// <summary>Leaves holes where zeros are written.</summary>
    private sealed class HoleStream(FileStream file) : Stream
    {
        private const int PageBytes = 4096;

        public override bool CanRead => false;

        public override bool CanSeek => true;

        public override bool CanWrite => true;

        public override long Length => file.Length;

        public override long Position
        {
            get => file.Position;
            set => file.Position = value;
        }

        public override void Flush() => file.Flush();

        public override int Read(byte[] buffer, int offset, int count) => throw new NotSupportedException();

        public override long Seek(long offset, SeekOrigin origin) => file.Seek(offset, origin);

        public override void SetLength(long value) => file.SetLength(value);

        public override void Write(byte[] buffer, int offset, int count) => Write(buffer.AsSpan(offset, count));

        public override void Write(ReadOnlySpan<byte> buffer)
        {
            for (int done = 0; done < buffer.Length; done += PageBytes)
            {
                ReadOnlySpan<byte> page = buffer.Slice(done, Math.Min(PageBytes, buffer.Length - done));
                if (page.Length == PageBytes && !page.ContainsAnyExcept((byte)0))
                {
                    file.Seek(PageBytes, SeekOrigin.Current);
                }
                else
                {
                    file.Write(page);
                }
            }
        }
    }
}
