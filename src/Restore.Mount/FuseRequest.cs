using System.Buffers;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Restore.Mount;

/// <summary>A request of the kernel; it owns its buffer.</summary>
internal sealed class FuseRequest(byte[] buffer, int length) : IDisposable
{
    /// <summary>More than the kernel sends to a file system that takes no writes.</summary>
    public const int MostBytes = 16 << 10;

    public static int HeadBytes => Unsafe.SizeOf<FuseRequestHead>();

    private readonly FuseRequestHead head = MemoryMarshal.Read<FuseRequestHead>(buffer);

    public FuseCall Call => head.Call;

    public ulong Id => head.Id;

    public ulong Node => head.Node;

    private ReadOnlyMemory<byte> Body => buffer.AsMemory(HeadBytes, length - HeadBytes);

    /// <summary>The structure that the body begins with.</summary>
    public T Read<T>()
        where T : unmanaged => MemoryMarshal.Read<T>(Body.Span);

    /// <summary>The name that the body consists of, which ends with a NUL.</summary>
    public ReadOnlyMemory<byte> Name() => NameAt(0);

    /// <summary>The name that follows the structure that the body begins with.</summary>
    public ReadOnlyMemory<byte> NameAfter<T>()
        where T : unmanaged => NameAt(Unsafe.SizeOf<T>());

    public void Dispose() => ArrayPool<byte>.Shared.Return(buffer);

    private ReadOnlyMemory<byte> NameAt(int at)
    {
        var rest = Body[at..];
        var end = rest.Span.IndexOf((byte)0);
        return end < 0 ? rest : rest[..end];
    }
}
