using System.Buffers;
using System.Globalization;
using Restore.Memory;
using Restore.Tests.Support.Machine;

namespace Restore.Tests.Memory;

public sealed class NativeBlockTests
{
    /// <summary>The kernel says of each range of memory whether it was advised ("hg").</summary>
    [Fact]
    [NeedsLinux]
    public unsafe void The_system_knows_the_advice()
    {
        Assert.SkipUnless(Directory.Exists("/sys/kernel/mm/transparent_hugepage"), "The kernel has no huge pages");
        NativeBlock block = new(16 << 20);
        using MemoryHandle pinned = block.Memory.Pin();
        ulong middle = (ulong)(nint)pinned.Pointer + (8 << 20);
        bool isIn = false;
        foreach (string line in File.ReadLines("/proc/self/smaps"))
        {
            string[] words = line.Split(' ', StringSplitOptions.RemoveEmptyEntries);
            if (
                words is [var range, ..]
                && range.Split('-') is [var from, var to]
                && TryHex(from, out ulong first)
                && TryHex(to, out ulong end)
            )
            {
                isIn = middle >= first && middle < end;
            }
            else if (isIn && words is ["VmFlags:", ..])
            {
                Assert.Contains("hg", words);
                block.Free();
                return;
            }
        }

        Assert.Fail("The block is in no range of memory");
    }

    private static bool TryHex(string text, out ulong value) =>
        ulong.TryParse(text, NumberStyles.HexNumber, CultureInfo.InvariantCulture, out value);
}
