using System.Net.Http.Headers;

namespace Restore.Storage.Http;

/// <summary>What an answer to a read says about its body.</summary>
/// <param name="IsPartial">Whether it is the asked part of the file (status 206), and not the file from its start.</param>
/// <param name="Range">Which part it is.</param>
/// <param name="LengthBytes">How long the body is, if that is said.</param>
internal readonly record struct BodyInfo(bool IsPartial, ContentRangeHeaderValue? Range, long? LengthBytes)
{
    /// <summary>The length of the whole file, if the answer says so.</summary>
    /// <exception cref="TransientStoreException">It is another part than the one that starts at <paramref name="offset"/>.</exception>
    public long? FileLength(string name, long offset)
    {
        if (!IsPartial)
        {
            return LengthBytes;
        }

        if (LengthBytes == 0)
        {
            // Some servers say so of an empty file instead of refusing the range.
            return offset;
        }

        return Range is { From: { } from } && from == offset
            ? Range.Length
            : throw new TransientStoreException($"The store sent another part of {name} than was asked for ({offset})");
    }
}
