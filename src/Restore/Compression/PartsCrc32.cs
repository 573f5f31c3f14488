using System.IO.Hashing;
using System.Runtime.InteropServices.JavaScript;
using Restore.Interop.Browser;

namespace Restore.Compression;

/// <summary>CRC-32 of data that comes in parts. Not safe for concurrent use.</summary>
internal sealed class PartsCrc32 : IDisposable
{
    private readonly Crc32 system = new();
    private readonly JSObject? page;

    public PartsCrc32()
    {
        if (OperatingSystem.IsBrowser())
        {
            page = PageCryptography.Create("CRC32");
        }
    }

    public void Append(ReadOnlySpan<byte> data)
    {
        if (OperatingSystem.IsBrowser())
        {
            PageCryptography.Append(page!, data);
        }
        else
        {
            system.Append(data);
        }
    }

    public uint Finish()
    {
        if (!OperatingSystem.IsBrowser())
        {
            return system.GetCurrentHashAsUInt32();
        }

        Span<byte> digest = stackalloc byte[sizeof(uint)];
        PageCryptography.Finish(page!, digest);
        return BinaryPrimitives.ReadUInt32BigEndian(digest);
    }

    public void Dispose()
    {
        if (OperatingSystem.IsBrowser())
        {
            page!.Dispose();
        }
    }
}
