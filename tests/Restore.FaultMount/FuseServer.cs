using System.Runtime.InteropServices;

namespace Restore.FaultMount;

/// <summary>
/// Speaks the protocol of /dev/fuse (7.31): one request after the other, on one thread. Nothing is
/// cached, so that every call of the client comes here.
/// </summary>
internal sealed unsafe partial class FuseServer(Faults faults)
{
    private const int MaxWriteBytes = 1 << 20;
    private const int BufferBytes = MaxWriteBytes + 8192;
    private const int NoReply = int.MinValue;

    private const int Interrupted = 4;
    private const int InputOutput = 5;
    private const int NoDevice = 19;
    private const int NoSuchCall = 38;

    private readonly byte* request = (byte*)NativeMemory.AlignedAlloc(BufferBytes, 4096);
    private readonly byte* reply = (byte*)NativeMemory.AlignedAlloc(BufferBytes, 4096);
    private readonly Nodes nodes = new();
    private readonly Dictionary<int, string[]> listings = [];
    private readonly HashSet<ulong> hanging = [];
    private bool writeBack;
    private bool streams;
    private int device;

    /// <summary>The body of the reply.</summary>
    private byte* Out => reply + sizeof(FuseReplyHead);

    /// <summary>Mounts, and serves from then on.</summary>
    /// <returns>Why not; null if it is mounted.</returns>
    public string? Start(string backing, string folder, bool withWriteBack, bool asStreams)
    {
        (writeBack, streams) = (withWriteBack, asStreams);
        _ = Libc.SetUmask(0);
        device = Libc.Open("/dev/fuse", Libc.ReadWrite | Libc.CloseOnExec, 0);
        int root = Libc.Open(backing, Libc.PathOnly | Libc.CloseOnExec, 0);
        if (device < 0 || root < 0)
        {
            return $"error {Marshal.GetLastPInvokeError()}";
        }

        nodes.SetRoot(root);
        string options = $"fd={device},rootmode=40000,user_id=0,group_id=0,allow_other,default_permissions";
        if (Libc.Mount("faults", folder, "fuse", 0, options) < 0)
        {
            return $"error {Marshal.GetLastPInvokeError()}";
        }

        new Thread(Serve) { IsBackground = true }.Start();
        return null;
    }

    private void Serve()
    {
        while (true)
        {
            nint length = Libc.Read(device, request, BufferBytes);
            if (length < 0)
            {
                if (Marshal.GetLastPInvokeError() == NoDevice)
                {
                    return;
                }

                // A request that was interrupted before it was read.
                continue;
            }

            FuseRequestHead head = *(FuseRequestHead*)request;
            int error;
            lock (hanging)
            {
                // Together, so that no call begins to hang when those that hang have been ended.
                error = CallNames.TryGetValue(head.Call, out string? name) ? faults.Next(name) : 0;
                if (error == Faults.Hang)
                {
                    hanging.Add(head.Id);
                    continue;
                }
            }

            int result = error > 0 ? -error : Do(head.Call, head.Node, request + sizeof(FuseRequestHead));
            if (result != NoReply)
            {
                Send(reply, head.Id, Math.Min(result, 0), Math.Max(result, 0));
            }
        }
    }

    /// <summary>Lets all calls fail that hang: the device is there again.</summary>
    public void EndHanging()
    {
        lock (hanging)
        {
            foreach (ulong call in hanging)
            {
                Fail(call, InputOutput);
            }

            hanging.Clear();
        }
    }

    /// <summary>
    /// Lets a call end that hangs, as a network file system does when its process is killed.
    /// </summary>
    private int Interrupt(ulong call)
    {
        lock (hanging)
        {
            if (hanging.Remove(call))
            {
                Fail(call, Interrupted);
            }
        }

        return NoReply;
    }

    /// <summary>
    /// Ends a call that hangs. The reply has a buffer of its own, because the thread that serves
    /// may be writing into the other.
    /// </summary>
    private void Fail(ulong call, int error)
    {
        FuseReplyHead head;
        Send((byte*)&head, call, -error, 0);
    }

    private void Send(byte* message, ulong call, int error, int length)
    {
        *(FuseReplyHead*)message = new FuseReplyHead
        {
            LengthBytes = sizeof(FuseReplyHead) + length,
            Error = error,
            Id = call,
        };
        _ = Libc.Write(device, message, sizeof(FuseReplyHead) + length);
    }

    /// <summary>The answer to the first request: what both sides can do.</summary>
    private int Begin(FuseBeginRequest offer)
    {
        const uint Wanted = FuseFlags.AsyncRead | FuseFlags.BigWrites | FuseFlags.ParallelFolders | FuseFlags.MaxPages;
        return Reply(
            new FuseBeginReply
            {
                Major = 7,
                Minor = 31,
                ReadAheadBytes = offer.ReadAheadBytes,
                Flags = offer.Flags & (Wanted | (writeBack ? FuseFlags.WriteBackCache : 0)),
                BackgroundRequests = 16,
                CongestedRequests = 12,
                WriteBytes = MaxWriteBytes,
                TimeNanoseconds = 1,
                Pages = MaxWriteBytes / 4096,
            }
        );
    }

    private static int Last() => -Marshal.GetLastPInvokeError();

    /// <summary>The result of a call that gives nothing back.</summary>
    private static int Done(int result) => result < 0 ? Last() : 0;

    private static byte* After(byte* text)
    {
        while (*text != 0)
        {
            text++;
        }

        return text + 1;
    }
}
