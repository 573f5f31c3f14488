using System.Runtime.InteropServices;

namespace Restore.Benchmarks.Measuring;

/// <summary>Strings as a C program's argv: pointers to UTF-8, with a null at the end.</summary>
internal sealed unsafe class NativeStrings : IDisposable
{
    private readonly int count;

    public NativeStrings(IEnumerable<string> strings)
    {
        string[] all = [.. strings];
        count = all.Length;
        Pointers = (byte**)NativeMemory.AllocZeroed((nuint)(count + 1), (nuint)sizeof(byte*));
        for (int i = 0; i < count; i++)
        {
            Pointers[i] = (byte*)Marshal.StringToCoTaskMemUTF8(all[i]);
        }
    }

    public byte** Pointers { get; }

    public void Dispose()
    {
        for (int i = 0; i < count; i++)
        {
            Marshal.FreeCoTaskMem((nint)Pointers[i]);
        }

        NativeMemory.Free(Pointers);
    }
}
