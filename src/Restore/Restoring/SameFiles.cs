namespace Restore.Restoring;

/// <summary>Compares two files of the target.</summary>
internal static class SameFiles
{
    private const int PieceBytes = 1 << 16;

    /// <summary>Whether both have the same bytes; false if one cannot be read.</summary>
    public static bool AreSame(IRestoreTarget target, string partial, string other)
    {
        TargetStatus status = target.Inspect(other);
        if (status.Kind != TargetKind.File || status.SizeBytes != target.Inspect(partial).SizeBytes)
        {
            return false;
        }

        try
        {
            using ITargetFile mine = target.OpenFile(partial, TargetOpenMode.Read);
            using ITargetFile theirs = target.OpenFile(other, TargetOpenMode.Read);
            byte[] piece = new byte[PieceBytes];
            byte[] otherPiece = new byte[PieceBytes];
            for (long offset = 0; offset < status.SizeBytes; offset += PieceBytes)
            {
                int count = mine.Read(offset, piece);
                if (
                    theirs.Read(offset, otherPiece) != count
                    || !piece.AsSpan(0, count).SequenceEqual(otherPiece.AsSpan(0, count))
                )
                {
                    return false;
                }
            }

            return true;
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            return false;
        }
    }
}
