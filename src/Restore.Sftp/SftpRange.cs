using System.Runtime.CompilerServices;
using Renci.SshNet;
using Renci.SshNet.Sftp;

namespace Restore.Sftp;

/// <summary>
/// A part of a file as a stream, with all of its requests under way at once. SSH.NET's own streams begin with one request and then read ahead beyond the
/// part, up to 3 MiB that nobody wants: the part is read by a reader of SSH.NET that knows where it ends. Decision 0033.
/// </summary>
internal sealed class SftpRange : Stream
{
    // What servers answer at most to one request.
    private const int RequestBytes = 32 * 1024;

    // 2 MiB for each of at most 16 transfers: 40 MB/s each at 50 ms.
    private const int MaxRequests = 64;

    private readonly SftpFileStream file;
    private readonly SftpFileStream part;

    private SftpRange(SftpFileStream file, SftpFileStream part) => (this.file, this.part) = (file, part);

    public override bool CanRead => true;

    public override bool CanSeek => false;

    public override bool CanWrite => false;

    public override long Length => throw new NotSupportedException();

    public override long Position
    {
        get => throw new NotSupportedException();
        set => throw new NotSupportedException();
    }

    public static async Task<SftpRange> OpenAsync(SftpClient client, string path, long offset, int length, CancellationToken cancellationToken)
    {
        object session = SessionOf(client);
        SftpFileStream file = await OpenFile(
            null, session, path, FileMode.Open, FileAccess.Read, RequestBytes, cancellationToken, isDownloadFile: false).ConfigureAwait(false);

        // Requests of one size that end where the part ends. The reader stops after the one that contains the last byte.
        int count = (length + RequestBytes - 1) / RequestBytes;
        int requestBytes = (length + count - 1) / count;
        int requests = Math.Min(count, MaxRequests);
        object reader = NewReader(file.Handle, session, requestBytes, offset, requests, (ulong)(offset + length - 1), requests);
        return new SftpRange(file, NewStream(session, path, FileAccess.Read, true, requestBytes, requestBytes, file.Handle, offset, reader));
    }

    /// <summary>A failure of the connection is one of the transfer, so that what arrived is kept.</summary>
    public override async ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
    {
        try
        {
            return await part.ReadAsync(buffer, cancellationToken).ConfigureAwait(false);
        }
        catch (Exception failure) when (SftpFailures.IsOfConnection(failure))
        {
            throw new IOException(failure.Message, failure);
        }
    }

    public override Task<int> ReadAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken) =>
        ReadAsync(buffer.AsMemory(offset, count), cancellationToken).AsTask();

    public override int Read(byte[] buffer, int offset, int count) => throw new NotSupportedException();

    public override void Flush()
    {
        // Nothing is written.
    }

    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    public override void SetLength(long value) => throw new NotSupportedException();

    public override void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException();

    /// <summary>Closes the file. Nobody waits for the server's answer: a round trip for each read.</summary>
    public override ValueTask DisposeAsync()
    {
        _ = CloseAsync();
        return base.DisposeAsync();
    }

    private async Task CloseAsync()
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
        SftpFileStream? type, [UnsafeAccessorType(SessionType)] object session, string path, FileMode mode, FileAccess access, int bufferSize,
        CancellationToken cancellationToken, bool isDownloadFile);
#pragma warning restore CA1068

    [UnsafeAccessor(UnsafeAccessorKind.Constructor)]
    [return: UnsafeAccessorType(ReaderType)]
    private static extern object NewReader(
        byte[] handle, [UnsafeAccessorType(SessionType)] object session, int chunkSize, long position, int maxPendingReads, ulong? fileSize,
        int initialMaxRequests);

    [UnsafeAccessor(UnsafeAccessorKind.Constructor)]
    private static extern SftpFileStream NewStream(
        [UnsafeAccessorType(SessionType)] object session, string path, FileAccess access, bool canSeek, int readBufferSize, int writeBufferSize,
        byte[] handle, long position, [UnsafeAccessorType(ReaderType)] object reader);
}
