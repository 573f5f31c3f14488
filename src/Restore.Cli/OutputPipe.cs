using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using Restore.Cli.Interop;
using Restore.Interop;

namespace Restore.Cli;

/// <summary>
/// Unlike the console's stream, it reports that a pipe was closed, so that nothing is fetched
/// without a reader. Unlike a file stream, it moves the position that it shares with other
/// programs.
/// </summary>
[UnsupportedOSPlatform("windows")]
internal sealed class OutputPipe(int descriptor = OutputPipe.StandardOutput) : OutputStream
{
    private const int StandardOutput = 1;
    private const int Interrupted = 4;
    private const int BrokenPipe = 32;
    private const int FullOnLinux = 11;
    private const int FullElsewhere = 35;
    private const short IsWritable = 4;
    private const short IsReadable = 1;
    private const short IsBroken = 8;
    private const short HasHungUp = 16;

    /// <summary>
    /// A token that is cancelled when the reader of the standard output goes away. It costs a
    /// thread that sleeps until then.
    /// </summary>
    public static CancellationToken WatchReader(int descriptor = StandardOutput)
    {
        CancellationTokenSource gone = new();
        new Thread(() =>
        {
            // macOS reports a hang-up when the reader has gone, but only to a wait for input,
            // which a pipe never has at this end.
            HostLibc.PollDescriptor waiting = new()
            {
                Descriptor = descriptor,
                Events = OperatingSystem.IsMacOS() ? IsReadable : (short)0,
            };
            while (HostLibc.Poll(ref waiting, 1, timeout: -1) < 0 && Marshal.GetLastPInvokeError() == Interrupted) { }

            if ((waiting.Happened & (IsBroken | HasHungUp)) != 0)
            {
                gone.Cancel();
            }
        })
        {
            IsBackground = true,
            Name = "Reader of the output",
        }.Start();
        return gone.Token;
    }

    public override void Write(ReadOnlySpan<byte> buffer)
    {
        while (!buffer.IsEmpty)
        {
            var written = Write(descriptor, buffer);
            if (written >= 0)
            {
                buffer = buffer[(int)written..];
                continue;
            }

            var error = Marshal.GetLastPInvokeError();
            if (error == (OperatingSystem.IsLinux() ? FullOnLinux : FullElsewhere))
            {
                // The pipe is full, and another program that has it too made writes to it return
                // immediately.
                var waiting = new HostLibc.PollDescriptor { Descriptor = descriptor, Events = IsWritable };
                _ = HostLibc.Poll(ref waiting, 1, timeout: -1);
            }
            else if (error != Interrupted)
            {
                throw error == BrokenPipe
                    ? new OutputClosedException()
                    : new IOException(Marshal.GetPInvokeErrorMessage(error), error);
            }
        }
    }

    public override Task WriteAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken) =>
        WriteAsync(buffer.AsMemory(offset, count), cancellationToken).AsTask();

    public override ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default)
    {
        cancellationToken.ThrowIfCancellationRequested();
        Write(buffer.Span);
        return ValueTask.CompletedTask;
    }

    private static unsafe nint Write(int descriptor, ReadOnlySpan<byte> buffer)
    {
        fixed (byte* first = buffer)
        {
            return Libc.Write(descriptor, first, buffer.Length);
        }
    }
}
