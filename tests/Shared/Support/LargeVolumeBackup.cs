using System.Buffers.Binary;
using System.IO.Compression;
using System.Security.Cryptography;
using System.Text;
using Restore.Format;

namespace Restore.Tests.Support;

/// <summary>
/// A backup with block volumes of any length: files of one block each, which are stored and consist
/// mostly of zeros, so that a volume takes little room on a disk with holes.
/// </summary>
internal static class LargeVolumeBackup
{
    private const string Time = "20260102T030405Z";

    /// <summary>Writes a backup with one block volume.</summary>
    /// <param name="folder">Where.</param>
    /// <param name="blockBytes">Length of each block.</param>
    /// <param name="blocks">The number of blocks, and of files.</param>
    /// <param name="isDeflated">Whether the blocks are compressed, which leaves nearly nothing of
    /// them.</param>
    /// <returns>The path of the block volume.</returns>
    public static string Write(string folder, int blockBytes, int blocks, bool isDeflated = false) =>
        Write(folder, blockBytes, [Enumerable.Repeat((blockBytes, isDeflated), blocks)]);

    /// <summary>Writes a backup with several block volumes.</summary>
    /// <param name="folder">Where.</param>
    /// <param name="blockSizeBytes">The block size of the backup.</param>
    /// <param name="volumes">The blocks of each volume.</param>
    /// <returns>The path of the last block volume.</returns>
    public static string Write(
        string folder,
        int blockSizeBytes,
        IEnumerable<IEnumerable<(int LengthBytes, bool IsDeflated)>> volumes
    )
    {
        byte[] zeros = new byte[blockSizeBytes];
        List<string> entries = [];
        string volume = "";
        foreach ((int number, IEnumerable<(int LengthBytes, bool IsDeflated)> blocks) in volumes.Index())
        {
            volume = $"duplicati-b{new string('1', 31)}{number}.dblock.zip";
            List<string> known = [];
            using (FileStream file = File.Create(Path.Join(folder, volume)))
            {
                using HoleStream holes = new(file);
                using ZipArchive archive = Begin(holes, blockSizeBytes);
                foreach ((int length, bool isDeflated) in blocks)
                {
                    Span<byte> block = zeros.AsSpan(0, length);
                    BinaryPrimitives.WriteInt32LittleEndian(block, entries.Count + 1);
                    string hash = Convert.ToBase64String(SHA256.HashData(block));
                    entries.Add(
                        $$"""{"type":"File","path":"/data/{{entries.Count}}","hash":"{{hash}}","size":{{length}},"time":"{{Time}}"}"""
                    );
                    known.Add($$"""{"hash":"{{hash}}","size":{{length}}}""");
                    CompressionLevel level = isDeflated ? CompressionLevel.Fastest : CompressionLevel.NoCompression;
                    using Stream entry = archive.CreateEntry(hash.Replace('+', '-').Replace('/', '_'), level).Open();
                    entry.Write(block);
                }
            }

            using FileStream written = File.OpenRead(Path.Join(folder, volume));
            string volumeHash = Convert.ToBase64String(SHA256.HashData(written));
            WriteList(
                folder,
                $"duplicati-i{new string('2', 31)}{number}.dindex.zip",
                blockSizeBytes,
                "vol/" + volume,
                $$"""{"blocks":[{{string.Join(',', known)}}],"volumehash":"{{volumeHash}}","volumesize":{{written.Length}}}"""
            );
        }

        WriteList(
            folder,
            $"duplicati-{Time}.dlist.zip",
            blockSizeBytes,
            "filelist.json",
            $"[{string.Join(',', entries)}]"
        );
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
