using Microsoft.Win32.SafeHandles;

namespace Restore.Benchmarks.Data;

/// <summary>The result of generating a data set.</summary>
internal sealed record GeneratedData(int Files, long Bytes, long ZeroBytes, long LargestBytes);

/// <summary>
/// Generates data sets: the same parameters give the same bytes, names and times on every machine.
/// </summary>
internal static class DataGenerator
{
    private const int PieceBytes = 100 << 10;
    private const long FirstTime = 1_700_000_000;

    // Random bytes in the text, so that Deflate at level 6 halves it.
    private const double RandomShareOfText = 0.15;

    public static GeneratedData Generate(DataSet set, string folder)
    {
        Random64 random = new(set.Seed);
        long[] sizes = FileSizes.Choose(set, random);
        TextPool? text = set.Kind == ContentKind.Random ? null : new TextPool(random);
        byte[] piece = new byte[PieceBytes];
        long zeroBytes = 0;
        for (int i = 0; i < sizes.Length; i++)
        {
            string path = PathOf(folder, i);
            Directory.CreateDirectory(Path.GetDirectoryName(path)!);
            using SafeFileHandle file = File.OpenHandle(path, FileMode.Create, FileAccess.Write);
            for (long offset = 0; offset < sizes[i]; offset += PieceBytes)
            {
                Span<byte> bytes = piece.AsSpan(0, (int)Math.Min(PieceBytes, sizes[i] - offset));
                bool isZero = set.ZeroShare > 0 && random.NextDouble() < set.ZeroShare;
                Fill(bytes, isZero, text, random, set.Kind);
                zeroBytes += isZero ? bytes.Length : 0;
                RandomAccess.Write(file, bytes, offset);
            }

            File.SetLastWriteTimeUtc(file, TimeOf(i));
        }

        return new GeneratedData(sizes.Length, sizes.Sum(), zeroBytes, sizes.Max());
    }

    /// <summary>The path of a file: 20 folders of 10 folders.</summary>
    public static string PathOf(string folder, int index) =>
        Path.Combine(folder, $"d{index % 20:D2}", $"s{index / 20 % 10:D2}", $"f{index:D6}.bin");

    public static DateTime TimeOf(int index) => DateTimeOffset.FromUnixTimeSeconds(FirstTime + index).UtcDateTime;

    public static void Fill(Span<byte> bytes, bool isZero, TextPool? text, Random64 random, ContentKind kind)
    {
        if (isZero)
        {
            bytes.Clear();
            return;
        }

        int randomBytes = kind switch
        {
            ContentKind.Random => bytes.Length,
            ContentKind.Text => (int)(bytes.Length * RandomShareOfText),
            _ => 0,
        };
        int textBytes = bytes.Length - randomBytes;
        text?.Piece(random, textBytes).CopyTo(bytes);
        random.Fill(bytes[textBytes..]);
    }
}
