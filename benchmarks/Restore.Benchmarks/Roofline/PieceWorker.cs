using System.Security.Cryptography;
using Microsoft.Win32.SafeHandles;

namespace Restore.Benchmarks.Roofline;

/// <summary>
/// What is done to the bytes of a file, piece by piece while they are in the processor's cache.
/// </summary>
internal enum PieceWork
{
    Read,
    Authenticate,
    Decrypt,
    Hash,
}

/// <summary>Reads files in pieces and does one kind of work with each.</summary>
internal sealed class PieceWorker(PieceWork work) : Worker
{
    private const int PieceBytes = 256 << 10;
    private const int AesBlockBytes = 16;

    private readonly byte[] piece = new byte[PieceBytes];
    private readonly byte[] hash = new byte[SHA256.HashSizeInBytes];
    private readonly IncrementalHash fileHash = IncrementalHash.CreateHash(HashAlgorithmName.SHA256);
    private readonly IncrementalHash code = IncrementalHash.CreateHMAC(
        HashAlgorithmName.SHA256,
        new byte[SHA256.HashSizeInBytes]
    );
    private readonly Aes aes = NewAes();

    public override ValueTask TakeAsync(RooflineItem item)
    {
        using SafeFileHandle file = File.OpenHandle(item.Path, options: FileOptions.SequentialScan);
        long offset = 0;
        int length;
        while ((length = Read(file, offset)) > 0)
        {
            Do(piece.AsSpan(0, length), isWhole: length == item.Length);
            offset += length;
        }

        if (work == PieceWork.Hash && item.Length > PieceBytes)
        {
            Begin();
            fileHash.GetHashAndReset(hash);
            End(0);
        }

        return ValueTask.CompletedTask;
    }

    public override void Dispose()
    {
        fileHash.Dispose();
        code.Dispose();
        aes.Dispose();
        base.Dispose();
    }

    private static Aes NewAes()
    {
        var aes = Aes.Create();
        aes.SetKey(new byte[SHA256.HashSizeInBytes]);
        return aes;
    }

    private int Read(SafeFileHandle file, long offset)
    {
        if (work != PieceWork.Read)
        {
            return RandomAccess.Read(file, piece, offset);
        }

        Begin();
        int length = RandomAccess.Read(file, piece, offset);
        End(length);
        return length;
    }

    private void Do(Span<byte> bytes, bool isWhole)
    {
        if (work == PieceWork.Read)
        {
            return;
        }

        Begin();
        if (work == PieceWork.Authenticate)
        {
            code.AppendData(bytes);
        }
        else if (work == PieceWork.Decrypt)
        {
            Span<byte> blocks = bytes[..(bytes.Length / AesBlockBytes * AesBlockBytes)];
            aes.DecryptCbc(blocks, hash.AsSpan(0, AesBlockBytes), blocks, PaddingMode.None);
        }
        else if (isWhole)
        {
            SHA256.HashData(bytes, hash);
        }
        else
        {
            fileHash.AppendData(bytes);
        }

        End(bytes.Length);
    }
}
