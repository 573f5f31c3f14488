using System.Globalization;
using System.Runtime.InteropServices;
using Restore.Memory;

namespace Restore.Tests.Memory;

public sealed class HugePagesTests
{
    private const int ArrayBytes = 16 << 20;

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(ArrayBytes)]
    public void The_content_of_an_array_stays(int length)
    {
        byte[] array = new byte[length];
        new Random(1).NextBytes(array);
        byte[] before = [.. array];
        HugePages.Advise(array);
        Assert.Equal(before, array);
    }

    /// <summary>The kernel says of each range of memory whether it was advised ("hg").</summary>
    [Fact]
    public unsafe void The_system_knows_the_advice()
    {
        Assert.SkipUnless(Directory.Exists("/sys/kernel/mm/transparent_hugepage"), "The kernel has no huge pages");
        byte[] array = GC.AllocateUninitializedArray<byte>(ArrayBytes, pinned: true);
        HugePages.Advise(array);
        ulong middle = (ulong)(nint)System.Runtime.CompilerServices.Unsafe.AsPointer(ref MemoryMarshal.GetArrayDataReference(array)) + (ArrayBytes / 2);
        bool isIn = false;
        foreach (string line in File.ReadLines("/proc/self/smaps"))
        {
            string[] words = line.Split(' ', StringSplitOptions.RemoveEmptyEntries);
            if (words is [var range, ..] && range.Split('-') is [var from, var to] && TryHex(from, out ulong first) && TryHex(to, out ulong end))
            {
                isIn = middle >= first && middle < end;
            }
            else if (isIn && words is ["VmFlags:", ..])
            {
                Assert.Contains("hg", words);
                GC.KeepAlive(array);
                return;
            }
        }

        Assert.Fail("The array is in no range of memory");
    }

    private static bool TryHex(string text, out ulong value) => ulong.TryParse(text, NumberStyles.HexNumber, CultureInfo.InvariantCulture, out value);
}
