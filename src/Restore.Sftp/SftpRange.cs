using System.Runtime.CompilerServices;
using Renci.SshNet;
using Renci.SshNet.Sftp;

namespace Restore.Sftp;

/// <summary>
/// Reads a part of a file, with all of its requests under way at the same time. SSH.NET's own
/// streams begin with one request and then read up to 3 MiB too much, beyond the part. A reader of
/// SSH.NET that knows where the part ends is used instead. Decision 0033.
/// </summary>
internal static class SftpRange
{
    // What servers answer at most to one request.
    private const int RequestBytes = 32 * 1024;

    // 2 MiB for each of at most 16 transfers: 40 MB/s each at 50 ms.
    private const int MaxRequests = 64;

    /// <summary>
    /// The opened file, and its part as a stream. The caller closes the file alone: both have one
    /// handle.
    /// </summary>
    public static async Task<(SftpFileStream File, SftpFileStream Part)> OpenAsync(
        SftpClient client,
        string path,
        long offset,
        int length,
        CancellationToken cancellationToken
    )
    {
        // Its members are not public: this stands on the pinned version of SSH.NET.
        object session = SessionOf(client);
        SftpFileStream file = await OpenFile(
                null,
                session,
                path,
                FileMode.Open,
                FileAccess.Read,
                RequestBytes,
                cancellationToken,
                isDownloadFile: false
            )
            .ConfigureAwait(false);

        // Requests of one size that end where the part ends. The reader stops after the one that
        // contains the last byte.
        int count = (length + RequestBytes - 1) / RequestBytes;
        int requestBytes = (length + count - 1) / count;
        int requests = Math.Min(count, MaxRequests);
        object reader = NewReader(
            file.Handle,
            session,
            requestBytes,
            offset,
            requests,
            (ulong)(offset + length - 1),
            requests
        );
        return (
            file,
            NewStream(session, path, FileAccess.Read, true, requestBytes, requestBytes, file.Handle, offset, reader)
        );
    }

    /// <summary>
    /// Closes a file without waiting for the answer, which would cost a round trip for each read.
    /// </summary>
    public static async Task CloseAsync(SftpFileStream file)
    {
        try
        {
            await file.DisposeAsync().ConfigureAwait(false);
        }
        catch (Exception failure) when (SftpFailures.Handles(failure) || failure is OperationCanceledException)
        {
            // The connection is gone, and the handle with it.
        }
    }

    private const string SessionType = "Renci.SshNet.Sftp.ISftpSession, Renci.SshNet";
    private const string ReaderType = "Renci.SshNet.Sftp.SftpFileStream+SftpFileReader, Renci.SshNet";

    [UnsafeAccessor(UnsafeAccessorKind.Method, Name = "get_SftpSession")]
    [return: UnsafeAccessorType(SessionType)]
    private static extern object SessionOf(SftpClient client);

    // The client's own method asks first what the path is called, a round trip for each read.
#pragma warning disable CA1068 // The order is SSH.NET's
    [UnsafeAccessor(UnsafeAccessorKind.StaticMethod, Name = "OpenAsync")]
    private static extern Task<SftpFileStream> OpenFile(
        SftpFileStream? type,
        [UnsafeAccessorType(SessionType)] object session,
        string path,
        FileMode mode,
        FileAccess access,
        int bufferSize,
        CancellationToken cancellationToken,
        bool isDownloadFile
    );
#pragma warning restore CA1068

    [UnsafeAccessor(UnsafeAccessorKind.Constructor)]
    [return: UnsafeAccessorType(ReaderType)]
    private static extern object NewReader(
        byte[] handle,
        [UnsafeAccessorType(SessionType)] object session,
        int chunkSize,
        long position,
        int maxPendingReads,
        ulong? fileSize,
        int initialMaxRequests
    );

    [UnsafeAccessor(UnsafeAccessorKind.Constructor)]
    private static extern SftpFileStream NewStream(
        [UnsafeAccessorType(SessionType)] object session,
        string path,
        FileAccess access,
        bool canSeek,
        int readBufferSize,
        int writeBufferSize,
        byte[] handle,
        long position,
        [UnsafeAccessorType(ReaderType)] object reader
    );
}
