using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using Restore.Cli.Interop;

namespace Restore.Cli;

/// <summary>The reader of the standard output has gone: nobody wants the rest.</summary>
internal sealed class OutputClosedException() : IOException("The reader of the output has gone");

/// <summary>
/// The standard output for bytes. Unlike the one of the console, it tells that a pipe was closed, so that nothing is fetched for nobody; and unlike a file
/// stream, it moves the position that it shares with other programs.
/// </summary>
/// <param name="descriptor">Its number in the process.</param>
[UnsupportedOSPlatform("windows")]
internal sealed class OutputPipe(int descriptor = OutputPipe.StandardOutput) : Stream
{
    private const int StandardOutput = 1;
    private const int Interrupted = 4;
    private const int BrokenPipe = 32;
    private const int FullOnLinux = 11;
    private const int FullElsewhere = 35;
    private const short IsWritable = 4;
    private const short IsBroken = 8;

    public override bool CanRead => false;

    public override bool CanSeek => false;

    public override bool CanWrite => true;

    public override long Length => throw new NotSupportedException();

    public override long Position { get => throw new NotSupportedException(); set => throw new NotSupportedException(); }

    /// <summary>A token that is cancelled when the reader of the standard output goes away. It costs a thread that sleeps until then.</summary>
    public static CancellationToken WatchReader(int descriptor = StandardOutput)
    {
        CancellationTokenSource gone = new();
        new Thread(() =>
        {
            Libc.PollDescriptor waiting = new() { Descriptor = descriptor };
            while (Libc.Poll(ref waiting, 1, timeout: -1) < 0 && Marshal.GetLastPInvokeError() == Interrupted)
            {
            }

            if ((waiting.Happened & IsBroken) != 0)
            {
                gone.Cancel();
            }
        }) { IsBackground = true, Name = "Reader of the output" }.Start();
        return gone.Token;
    }

    public override void Flush()
    {
    }

    public override int Read(byte[] buffer, int offset, int count) => throw new NotSupportedException();

    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    public override void SetLength(long value) => throw new NotSupportedException();

    public override void Write(byte[] buffer, int offset, int count) => Write(buffer.AsSpan(offset, count));

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
                // The pipe is full, and another program that has it too made writes to it return at once.
                var waiting = new Libc.PollDescriptor { Descriptor = descriptor, Events = IsWritable };
                _ = Libc.Poll(ref waiting, 1, timeout: -1);
            }
            else if (error != Interrupted)
            {
                throw error == BrokenPipe ? new OutputClosedException() : new IOException(Marshal.GetPInvokeErrorMessage(error), error);
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
