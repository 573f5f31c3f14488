using System.Buffers;
using System.Collections.Concurrent;
using System.Runtime.InteropServices;
using Restore.Interop;

namespace Restore.Mount;

/// <summary>
/// Speaks the protocol of /dev/fuse (7.31): answers the requests of the kernel, many at the same
/// time. What is in memory is answered by the thread that reads the request; the rest does not hold
/// up that thread.
/// </summary>
internal sealed class FuseServer(int device, IMountedFiles files, Action<string> warn) : IDisposable
{
    public const int MostReadBytes = 1 << 20;

    // Each holds the bytes that it reads.
    private const int MostReads = 32;
    private const int MostThreads = 4;

    // A program that is interrupted waits for its call. After this time the call ends without a
    // result.
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(10);

    private readonly SemaphoreSlim reads = new(MostReads);
    private readonly ConcurrentDictionary<ulong, CancellationTokenSource> running = new();
    private readonly TaskCompletionSource ended = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private int threads;

    /// <summary>Starts to answer.</summary>
    /// <returns>Ends when the file system is unmounted.</returns>
    public Task Start()
    {
        // Two at least: what is in memory is answered by the thread that reads the request, and
        // the other one reads the next request meanwhile.
        threads = Math.Clamp(Environment.ProcessorCount, 2, MostThreads);
        for (var thread = 0; thread < threads; thread++)
        {
            new Thread(Receive) { IsBackground = true, Name = "fuse" }.Start();
        }

        return ended.Task;
    }

    public void Dispose() => reads.Dispose();

    private void Receive()
    {
        while (Next() is { } request)
        {
            _ = AnswerAsync(request);
        }

        // The file system is unmounted: no answer is needed any more, and the store may take long.
        foreach (var call in running.Values)
        {
            End(call, TimeSpan.Zero);
        }

        if (Interlocked.Decrement(ref threads) == 0)
        {
            ended.TrySetResult();
        }
    }

    /// <summary>The next request; null when the file system is unmounted.</summary>
    private unsafe FuseRequest? Next()
    {
        var buffer = ArrayPool<byte>.Shared.Rent(FuseRequest.MostBytes);
        fixed (byte* data = buffer)
        {
            nint length;
            while ((length = Libc.Read(device, data, buffer.Length)) < FuseRequest.HeadBytes)
            {
                if (length >= 0 || Marshal.GetLastPInvokeError() == MountLibc.ErrorNoDevice)
                {
                    ArrayPool<byte>.Shared.Return(buffer);
                    return null;
                }

                // A request that was interrupted before it was read.
            }

            return new FuseRequest(buffer, (int)length);
        }
    }

    private async Task AnswerAsync(FuseRequest request)
    {
        using var owned = request;
        if (request.Call is FuseCall.Forget or FuseCall.ForgetAll)
        {
            // Numbers keep their meaning, so nothing is remembered.
            return;
        }

        if (request.Call == FuseCall.Interrupt)
        {
            Interrupt(request.Read<ulong>());
            return;
        }

        using var cancellation = new CancellationTokenSource();
        running[request.Id] = cancellation;
        using var reply = new FuseReply();
        try
        {
            await AnswerAsync(request, reply, cancellation.Token);
        }
        catch (FuseException failure)
        {
            reply.Error = failure.Error;
        }
        catch (OperationCanceledException)
        {
            reply.Error = FuseException.Interrupted;
        }
        catch (Exception failure)
        {
            reply.Error = FuseException.InputOutput;
            warn(
                failure is IOException or RestoreException
                    ? failure.Message
                    : $"Unexpected error in the mount ({failure.Message})"
            );
        }
        finally
        {
            // Also if the error stream is gone: the caller waits.
            running.TryRemove(request.Id, out _);
            Send(reply, request.Id);
        }
    }

    /// <summary>
    /// A caller got a signal. Most calls end soon anyway, and many programs do not expect that a
    /// read of a file is interrupted.
    /// </summary>
    private void Interrupt(ulong id)
    {
        if (running.TryGetValue(id, out var call))
        {
            End(call, Patience);
        }
    }

    private static void End(CancellationTokenSource call, TimeSpan patience)
    {
        try
        {
            call.CancelAfter(patience);
        }
        catch (ObjectDisposedException)
        {
            // It has just ended.
        }
    }

    private async ValueTask AnswerAsync(FuseRequest request, FuseReply reply, CancellationToken cancellationToken)
    {
        var node = request.Node;
        switch (request.Call)
        {
            case FuseCall.LookUp:
                reply.WriteEntry(
                    await files.LookUpAsync(node, request.Name(), cancellationToken)
                        ?? throw new FuseException(FuseException.NoSuchEntry)
                );
                break;
            case FuseCall.Attributes:
                reply.WriteAttributes(await files.FactsAsync(node, cancellationToken));
                break;
            case FuseCall.ReadLink:
                reply.Write(await files.LinkTargetAsync(node, cancellationToken));
                break;
            case FuseCall.Open:
                // A version never changes, so pages that the kernel has of a file stay right.
                reply.Write(
                    new FuseOpenReply
                    {
                        Handle = await files.OpenAsync(node, cancellationToken),
                        Flags = FuseFlags.KeepCache,
                    }
                );
                break;
            case FuseCall.Read:
                await ReadAsync(request, reply, cancellationToken);
                break;
            case FuseCall.Close:
                await files.CloseAsync(request.Read<ulong>());
                break;
            case FuseCall.OpenFolder:
                reply.Write(
                    new FuseOpenReply
                    {
                        Flags = files.IsLasting(node) ? FuseFlags.KeepCache | FuseFlags.CacheFolder : 0,
                    }
                );
                break;
            case FuseCall.List:
                var list = request.Read<FuseReadRequest>();
                var writer = new FolderWriter(reply.Take((int)Math.Min(list.LengthBytes, MostReadBytes)));
                await files.ListAsync(node, list.Offset, writer, cancellationToken);
                reply.Length = writer.Length;
                break;
            case FuseCall.Attribute:
                var value = await files.AttributeAsync(node, request.NameAfter<FuseValueRequest>(), cancellationToken);
                reply.WriteValue(
                    value ?? throw new FuseException(FuseException.NoData),
                    request.Read<FuseValueRequest>().LengthBytes
                );
                break;
            case FuseCall.AttributeNames:
                reply.WriteValue(
                    await files.AttributeNamesAsync(node, cancellationToken),
                    request.Read<FuseValueRequest>().LengthBytes
                );
                break;
            case FuseCall.FileSystem:
                reply.WriteFileSystem();
                break;
            case FuseCall.Begin:
                Begin(request, reply);
                break;
            case FuseCall.CloseFolder or FuseCall.End:
                break;
            default:
                throw new FuseException(FuseException.NoSuchCall);
        }
    }

    private async ValueTask ReadAsync(FuseRequest request, FuseReply reply, CancellationToken cancellationToken)
    {
        await reads.WaitAsync(cancellationToken);
        try
        {
            var piece = request.Read<FuseReadRequest>();
            reply.Length = await files.ReadAsync(
                piece.Handle,
                piece.Offset,
                reply.Take((int)Math.Min(piece.LengthBytes, MostReadBytes)),
                cancellationToken
            );
        }
        finally
        {
            reads.Release();
        }
    }

    private static void Begin(FuseRequest request, FuseReply reply)
    {
        const uint Major = 7,
            OldestMinor = 31,
            PageBytes = 4096;
        const uint Wanted = FuseFlags.AsyncRead | FuseFlags.ParallelFolders | FuseFlags.MaxPages;
        var offer = request.Read<FuseBeginRequest>();
        if (offer.Major != Major || offer.Minor < OldestMinor)
        {
            throw new FuseException(FuseException.Invalid);
        }

        reply.Write(
            new FuseBeginReply
            {
                Major = Major,
                Minor = OldestMinor,
                ReadAheadBytes = MostReadBytes,
                Flags = offer.Flags & Wanted,
                BackgroundRequests = MostReads,
                CongestedRequests = MostReads,
                // There are no writes; the kernel uses a page at least.
                WriteBytes = PageBytes,
                // A tick of .NET.
                TimeNanoseconds = 100,
                Pages = (ushort)(MostReadBytes / PageBytes),
            }
        );
    }

    private unsafe void Send(FuseReply reply, ulong id)
    {
        var message = reply.Message(id);
        fixed (byte* data = message)
        {
            // Fails if the caller was killed or the file system is unmounted. The answer is not
            // needed then.
            _ = Libc.Write(device, data, message.Length);
        }
    }
}
