namespace Restore.Memory;

/// <summary>
/// Memory that returns to the system when it is freed; an array does so only after a full
/// collection.
/// </summary>
internal sealed unsafe class NativeBlock : MemoryManager<byte>
{
    private const int HugePageBytes = 2 << 20;

    private nint start;

    public NativeBlock(int lengthBytes)
    {
        LengthBytes = lengthBytes;

        // The allocator of the C library keeps freed memory of up to 32 MiB; a mapping returns to
        // the system.
        start = OperatingSystem.IsLinux() ? Map((nuint)lengthBytes) : (nint)NativeMemory.Alloc((nuint)lengthBytes);
    }

    public int LengthBytes { get; private set; }

    /// <summary>
    /// Whether each byte is needed only until it was read (<see cref="MemoryReadStream"/>).
    /// </summary>
    public bool IsReadOnce { get; set; }

    private byte* Start => start != 0 ? (byte*)start : throw new ObjectDisposedException(nameof(NativeBlock));

    /// <summary>Frees the memory. No part of it may be used any more.</summary>
    public void Free()
    {
        // A block can be freed by its owner and by a finalizer. Only one of them may release the
        // memory.
        nint freed = Interlocked.Exchange(ref start, 0);
        if (freed == 0)
        {
            return;
        }

        if (OperatingSystem.IsLinux())
        {
            _ = Libc.MUnmap((nuint)freed, (nuint)LengthBytes);
        }
        else
        {
            NativeMemory.Free((void*)freed);
        }
    }

    /// <summary>
    /// Gives the pages behind a length back to the system, where it takes them. That part must not
    /// be used any more.
    /// </summary>
    public void Trim(int lengthBytes)
    {
        int page = Environment.SystemPageSize;
        int kept = (int)Math.Min((Math.Max(lengthBytes, 1) + page - 1L) / page * page, LengthBytes);
        if (OperatingSystem.IsLinux() && kept < LengthBytes)
        {
            _ = Libc.MUnmap((nuint)(Start + kept), (nuint)(LengthBytes - kept));
            LengthBytes = kept;
        }
    }

    /// <summary>
    /// Gives the pages before a place back to the system, where it takes them. What was there is
    /// lost; the memory can be written again.
    /// </summary>
    public void Forget(int lengthBytes)
    {
        const int AdviceNotNeeded = 4;

        // Only whole huge pages: to give a part of one back, the system would have to split it.
        nint end = (nint)(Start + lengthBytes) / HugePageBytes * HugePageBytes;
        if (OperatingSystem.IsLinux() && end > start)
        {
            _ = Libc.MAdvise((nuint)start, (nuint)(end - start), AdviceNotNeeded);
        }
    }

    public override Span<byte> GetSpan() => new(Start, LengthBytes);

    public override MemoryHandle Pin(int elementIndex = 0) => new(Start + elementIndex, pinnable: this);

    public override void Unpin()
    {
        // The memory never moves.
    }

    protected override void Dispose(bool disposing) => Free();

    private static nint Map(nuint lengthBytes)
    {
        const int ReadAndWrite = 3;
        const int PrivateAnonymous = 0x22;
        const int AdviceHugePages = 14;
        nint start = Libc.MMap(0, lengthBytes, ReadAndWrite, PrivateAnonymous, -1, 0);
        if (start == -1)
        {
            throw new InsufficientMemoryException($"The system has no {lengthBytes} bytes of memory");
        }

        // One page fault for each 2 MiB instead of one for each 4 KiB. The system may refuse;
        // memory that is not written stays unused.
        nuint first = ((nuint)start + HugePageBytes - 1) / HugePageBytes * HugePageBytes;
        nuint end = ((nuint)start + lengthBytes) / HugePageBytes * HugePageBytes;
        if (first < end)
        {
            _ = Libc.MAdvise(first, end - first, AdviceHugePages);
        }

        return start;
    }
}
