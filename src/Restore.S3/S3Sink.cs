using System.Security.Cryptography;
using Amazon.S3;
using Amazon.S3.Model;

namespace Restore.S3;

/// <summary>An object appears whole or not at all, and the server compares the MD5 of what it got. Large volumes are uploaded in parts.</summary>
internal sealed class S3Sink : IVolumeSink
{
    // One request for the volumes of most backups; a broken connection costs a large one no more than this.
    private const int PartBytes = 64 << 20;

    private readonly StoreContext context;
    private readonly S3Store store;
    private readonly string prefix;
    private readonly bool isSigned;
    private readonly S3StorageClass? storageClass;
    private readonly StoreHttp http;
    private readonly AmazonS3Client client;
    private readonly S3Failures failures;

    public S3Sink(StoreContext context)
    {
        this.context = context;
        store = new S3Store(context);
        prefix = context.Url.Path.Length > 0 ? context.Url.Path + "/" : "";
        http = new StoreHttp(context, new S3AnswerLimit());
        client = S3Connection.Open(context.Url, http.Client);
        failures = new S3Failures(context, http);
        storageClass = context.Options.Text(S3Options.StorageClass) is { } name ? new S3StorageClass(name.ToUpperInvariant()) : null;

        // Over TLS nobody can change the content on its way, so it need not be hashed to be signed.
        isSigned = client.Config.ServiceURL?.StartsWith("http://", StringComparison.OrdinalIgnoreCase) == true;
    }

    public string DisplayName => store.DisplayName;

    public bool IsLocal => false;

    public IAsyncEnumerable<StoredFile> ListAsync(CancellationToken cancellationToken = default) => store.ListAsync(cancellationToken);

    public async ValueTask PutAsync(string name, ReadOnlyMemory<byte> content, CancellationToken cancellationToken = default)
    {
        if (content.Length > PartBytes)
        {
            await PutPartsAsync(name, content, cancellationToken).ConfigureAwait(false);
            return;
        }

        string hash = Md5(content.Span);
        await SendAsync(name, content, (body, token) => client.PutObjectAsync(
            new PutObjectRequest
            {
                BucketName = context.Url.Host,
                Key = prefix + name,
                InputStream = body,
                AutoCloseStream = false,
                MD5Digest = hash,
                UseChunkEncoding = false,
                DisablePayloadSigning = !isSigned,
                StorageClass = storageClass,
            },
            token), cancellationToken).ConfigureAwait(false);
    }

    public async ValueTask DeleteAsync(string name, CancellationToken cancellationToken = default)
    {
        var request = new DeleteObjectRequest { BucketName = context.Url.Host, Key = prefix + name };
        try
        {
            await AskAsync(name, token => client.DeleteObjectAsync(request, token), cancellationToken).ConfigureAwait(false);
        }
        catch (FileNotFoundException)
        {
            // S3 does not say so, servers like it may.
        }
    }

    public async ValueTask DisposeAsync()
    {
        client.Dispose();
        http.Dispose();
        await store.DisposeAsync().ConfigureAwait(false);
    }

#pragma warning disable CA5351 // It finds bytes that were changed by chance; volumes have their own hashes
    private static string Md5(ReadOnlySpan<byte> content) => Convert.ToBase64String(MD5.HashData(content));
#pragma warning restore CA5351

    private async Task PutPartsAsync(string name, ReadOnlyMemory<byte> content, CancellationToken cancellationToken)
    {
        var begin = new InitiateMultipartUploadRequest { BucketName = context.Url.Host, Key = prefix + name, StorageClass = storageClass };
        InitiateMultipartUploadResponse upload =
            await AskAsync(name, token => client.InitiateMultipartUploadAsync(begin, token), cancellationToken).ConfigureAwait(false);
        try
        {
            List<PartETag> parts = [];
            for (int offset = 0; offset < content.Length; offset += PartBytes)
            {
                ReadOnlyMemory<byte> part = content.Slice(offset, Math.Min(PartBytes, content.Length - offset));
                parts.Add(await PutPartAsync(name, upload.UploadId, parts.Count + 1, part, cancellationToken).ConfigureAwait(false));
            }

            var end = new CompleteMultipartUploadRequest
            {
                BucketName = context.Url.Host, Key = prefix + name, UploadId = upload.UploadId, PartETags = parts,
            };
            await AskAsync(name, token => client.CompleteMultipartUploadAsync(end, token), cancellationToken).ConfigureAwait(false);
        }
        catch
        {
            await AbortAsync(name, upload.UploadId).ConfigureAwait(false);
            throw;
        }
    }

    private async Task<PartETag> PutPartAsync(string name, string upload, int number, ReadOnlyMemory<byte> part, CancellationToken cancellationToken)
    {
        string hash = Md5(part.Span);
        UploadPartResponse answer = await SendAsync(name, part, (body, token) => client.UploadPartAsync(
            new UploadPartRequest
            {
                BucketName = context.Url.Host,
                Key = prefix + name,
                UploadId = upload,
                PartNumber = number,
                PartSize = part.Length,
                InputStream = body,
                MD5Digest = hash,
                UseChunkEncoding = false,
                DisablePayloadSigning = !isSigned,
            },
            token), cancellationToken).ConfigureAwait(false);
        return new PartETag(number, answer.ETag);
    }

    /// <summary>Parts that nobody asks for cost money until they are removed. If that fails, the rules of the bucket have to do it.</summary>
    private async Task AbortAsync(string name, string upload)
    {
        var request = new AbortMultipartUploadRequest { BucketName = context.Url.Host, Key = prefix + name, UploadId = upload };
        try
        {
            await AskAsync(name, token => client.AbortMultipartUploadAsync(request, token), CancellationToken.None).ConfigureAwait(false);
        }
        catch (Exception failure) when (failure is IOException or RestoreException)
        {
            // The failure of the upload is the one to report.
        }
    }

    private Task<T> SendAsync<T>(
        string name, ReadOnlyMemory<byte> content, Func<Stream, CancellationToken, Task<T>> send, CancellationToken cancellationToken) =>
        MappedAsync(name, () => context.Transfers.SendBodyAsync(content, name, send, cancellationToken));

    private Task<T> AskAsync<T>(string name, Func<CancellationToken, Task<T>> request, CancellationToken cancellationToken) =>
        MappedAsync(name, () => context.Transfers.WithTimeoutAsync(request, name, cancellationToken));

    private async Task<T> MappedAsync<T>(string name, Func<Task<T>> exchange)
    {
        try
        {
            return await exchange().ConfigureAwait(false);
        }
        catch (Exception failure) when (S3Failures.Handles(failure))
        {
            throw failures.Of(failure, name);
        }
    }
}
