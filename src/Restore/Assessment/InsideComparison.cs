namespace Restore.Assessment;

/// <summary>Compares parts of a file with the same parts in the version before.</summary>
internal static class InsideComparison
{
    // Encryption of parts takes whole pages, so that each piece is random or as it was.
    private const int Piece = 4096;

    // What is compressed differs from random bytes only in long pieces.
    private const int LongPiece = 65536;

    /// <param name="offset">Where the parts are in the file.</param>
    public static InsideSign Of(
        ReadOnlySpan<byte> extension,
        long offset,
        ReadOnlySpan<byte> before,
        ReadOnlySpan<byte> now
    )
    {
        if (offset == 0 && Beginnings.Fits(extension, before) == true && Beginnings.Fits(extension, now) == false)
        {
            return InsideSign.OtherBeginning;
        }

        return
            IsRandomNow(before, now, Piece, ByteStatistics.IsStructured)
            || IsRandomNow(before, now, LongPiece, IsFarFromRandom)
            ? InsideSign.Random
            : InsideSign.None;
    }

    private static bool IsFarFromRandom(ReadOnlySpan<byte> bytes) => !ByteStatistics.IsNearRandom(bytes);

    private static bool IsRandomNow(
        ReadOnlySpan<byte> before,
        ReadOnlySpan<byte> now,
        int piece,
        Func<ReadOnlySpan<byte>, bool> wasOther
    )
    {
        int length = Math.Min(before.Length, now.Length);
        bool isShort = piece == Piece && length < Piece;
        for (int at = 0; at + (isShort ? ByteStatistics.Least : piece) <= length; at += piece)
        {
            int end = Math.Min(length, at + piece);
            if (ByteStatistics.IsRandom(now[at..end]) && wasOther(before[at..end]))
            {
                return true;
            }
        }

        return false;
    }
}
