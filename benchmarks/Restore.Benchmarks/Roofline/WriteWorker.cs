using System.Runtime.InteropServices;
using System.Text;
using Restore.Benchmarks.Suite;
using Restore.Interop;

namespace Restore.Benchmarks.Roofline;

/// <summary>
/// Writes files of the same lengths with the calls of a restore: created, written in large pieces,
/// given a time, closed.
/// </summary>
internal sealed unsafe class WriteWorker : Worker
{
    private const int PieceBytes = 1 << 20;
    private const int AlignmentBytes = 4096;
    private const int OwnerOnly = 0x180;

    private readonly string target;
    private readonly bool isDirect;
    private readonly byte* piece = (byte*)NativeMemory.AlignedAlloc(PieceBytes, AlignmentBytes);

    /// <param name="target">The folder to write to; the folders in it exist.</param>
    /// <param name="isDirect">Whether whole pieces go past the page cache.</param>
    public WriteWorker(string target, bool isDirect)
    {
        this.target = target;
        this.isDirect = isDirect;
        new Random(1).NextBytes(new Span<byte>(piece, PieceBytes));
    }

    public override ValueTask TakeAsync(RooflineItem item)
    {
        byte[] path = Encoding.UTF8.GetBytes(Path.Combine(target, item.Name) + "\0");
        Begin();
        int file = Check(Kernel.CreateFile(-1, path, OwnerOnly), item);
        bool isPastCache = isDirect && item.Length >= PieceBytes && Kernel.SetDirect(file, isDirect: true) >= 0;
        for (long offset = 0; offset < item.Length; offset += PieceBytes)
        {
            int length = (int)Math.Min(PieceBytes, item.Length - offset);
            if (isPastCache && length < PieceBytes)
            {
                Check(Kernel.SetDirect(file, isDirect: false), item);
            }

            Check(Kernel.WriteAll(file, new ReadOnlySpan<byte>(piece, length), offset), item);
        }

        Check(Kernel.SetModified(file, DateTime.UnixEpoch.Ticks), item);
        Check(Kernel.Close(file), item);
        End(item.Length);
        return ValueTask.CompletedTask;
    }

    public override void Dispose()
    {
        NativeMemory.AlignedFree(piece);
        base.Dispose();
    }

    private static int Check(int result, RooflineItem item) =>
        result >= 0
            ? result
            : throw new SuiteException($"{item.Name} cannot be written: {Marshal.GetPInvokeErrorMessage(-result)}.");
}
