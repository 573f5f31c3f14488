namespace Restore.Stores;

/// <summary>What a server's answer to a range request says about its body.</summary>
/// <param name="IsPartial">Whether the body is the requested part of the file (status 206), and not
/// the file from its start.</param>
/// <param name="From">Where the part begins; null if the server does not say.</param>
/// <param name="FileBytes">Length of the whole file in bytes; null if the server does not
/// say.</param>
/// <param name="BodyBytes">Length of the body in bytes; null if the server does not say.</param>
public readonly record struct RangeAnswer(bool IsPartial, long? From, long? FileBytes, long? BodyBytes)
{
    /// <summary>The length of the whole file, if the answer has it.</summary>
    /// <exception cref="TransientStoreException">The answer is a part that does not start at
    /// <paramref name="offset"/>.</exception>
    internal long? FileLength(string name, long offset)
    {
        if (!IsPartial)
        {
            return BodyBytes;
        }

        if (BodyBytes == 0)
        {
            // Some servers answer this way for an empty file instead of refusing the range.
            return offset;
        }

        return From == offset
            ? FileBytes
            : throw new TransientStoreException($"The store sent another part of {name} than was asked for ({offset})");
    }
}
