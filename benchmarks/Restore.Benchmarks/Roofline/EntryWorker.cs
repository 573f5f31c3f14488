using Microsoft.Win32.SafeHandles;
using Restore.Compression;
using Restore.Encryption;
using Restore.Format;
using Restore.Memory;

namespace Restore.Benchmarks.Roofline;

/// <summary>
/// Reads the directory of a volume's archive, and decodes the entries that are compressed; the
/// others are used where they lie.
/// </summary>
internal sealed class EntryWorker(Codecs codecs, VolumeCiphers ciphers, EncryptionKind encryption, BufferPool pool)
    : Worker
{
    private byte[] decoded = new byte[1 << 20];

    public override async ValueTask TakeAsync(RooflineItem item)
    {
        PooledBuffer volume = pool.Rent((int)item.Length);
        using (SafeFileHandle file = File.OpenHandle(item.Path, options: FileOptions.SequentialScan))
        {
            int filled = 0;
            int read;
            while (filled < volume.Length && (read = RandomAccess.Read(file, volume.Span[filled..], filled)) > 0)
            {
                filled += read;
            }
        }

        DecryptedVolume plain = ciphers.For(encryption) is { } cipher
            ? await cipher.DecryptAsync(volume)
            : new DecryptedVolume(volume, 0, volume.Length, Authentic: true, Defect: null);
        using PooledBuffer owned = plain.Buffer;
        Decode(plain.Memory);
    }

    private void Decode(ReadOnlyMemory<byte> bytes)
    {
        long total = 0;
        Begin();
        using Archive archive = ArchiveReader.Open(ArchiveKind.Zip, bytes, codecs);
        while (archive.MoveNext(out ArchiveEntry entry))
        {
            if (archive.TryGetStored(entry, out _))
            {
                continue;
            }

            if (entry.Length > decoded.Length)
            {
                decoded = new byte[entry.Length];
            }

            if (archive.Decode(entry, decoded.AsSpan(0, (int)entry.Length), checkCrc: false) != DecodeResult.Decoded)
            {
                throw new InvalidDataException($"An entry of {bytes.Length:N0} bytes of a volume does not decode");
            }

            total += entry.Length;
        }

        End(total);
    }
}
