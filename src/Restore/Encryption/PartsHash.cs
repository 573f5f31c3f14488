using System.Runtime.InteropServices.JavaScript;
using Restore.Interop.Browser;

namespace Restore.Encryption;

/// <summary>A hash of data that comes in parts. Not safe for concurrent use.</summary>
internal sealed class PartsHash : IDisposable
{
    private readonly HashKind kind;
    private readonly IncrementalHash? system;
    private readonly JSObject? page;

    public PartsHash(HashKind kind)
    {
        this.kind = kind;
        if (OperatingSystem.IsBrowser())
        {
            page = PageCryptography.Create(kind.ManifestName());
        }
        else
        {
            system = IncrementalHash.CreateHash(kind.AlgorithmName());
        }
    }

    /// <summary>
    /// Begins after data that was hashed as a whole before, if that hash is still known. Only a
    /// browser keeps some: there hashing takes most of the time.
    /// </summary>
    /// <param name="digest">The hash of the data, by the same algorithm.</param>
    public bool TryBegin(ReadOnlySpan<byte> digest) =>
        OperatingSystem.IsBrowser() && PageCryptography.TryBegin(page!, digest);

    public void Append(ReadOnlySpan<byte> data)
    {
        if (OperatingSystem.IsBrowser())
        {
            PageCryptography.Append(page!, data);
        }
        else
        {
            system!.AppendData(data);
        }
    }

    /// <summary>Writes the hash, and starts again.</summary>
    /// <returns>Its length.</returns>
    public int Finish(Span<byte> digest)
    {
        if (!OperatingSystem.IsBrowser())
        {
            return system!.GetHashAndReset(digest);
        }

        PageCryptography.Finish(page!, digest);
        return kind.LengthBytes();
    }

    public void Dispose()
    {
        system?.Dispose();
        if (OperatingSystem.IsBrowser())
        {
            page!.Dispose();
        }
    }
}
