using System.Security.Cryptography;
using Amazon.S3;
using Amazon.S3.Model;

namespace Restore.S3;

/// <summary>
/// An object appears whole or not at all, and the server compares the MD5 of what it got. Large
/// volumes are uploaded in parts.
/// </summary>
internal sealed class S3Sink(S3Connection connection, string? storageClass = null) : IVolumeSink
{
    // One request for the volumes of most backups; a broken connection costs a large one no more
    // than this.
    private const int PartBytes = 64 << 20;

    private readonly S3Store store = new(connection);
    private readonly S3StorageClass? storageClass = storageClass is null
        ? null
        : new S3StorageClass(storageClass.ToUpperInvariant());

    public string DisplayName => store.DisplayName;

    public bool IsLocal => false;

    public IAsyncEnumerable<StoredFile> ListAsync(CancellationToken cancellationToken = default) =>
        store.ListAsync(cancellationToken);

    public async ValueTask PutAsync(
        string name,
        ReadOnlyMemory<byte> content,
        CancellationToken cancellationToken = default
    )
    {
        if (content.Length > PartBytes)
        {
            await PutPartsAsync(name, content, cancellationToken).ConfigureAwait(false);
            return;
        }

        string hash = Md5(content.Span);
        await connection
            .SendAsync(
                name,
                content,
                (client, body, token) =>
                    client.PutObjectAsync(
                        new PutObjectRequest
                        {
                            BucketName = connection.Bucket,
                            Key = connection.Prefix + name,
                            InputStream = body,
                            AutoCloseStream = false,
                            MD5Digest = hash,

                            // Not all servers that speak S3 take a body in signed chunks.
                            UseChunkEncoding = false,
                            DisablePayloadSigning = IsPrivate(client),
                            StorageClass = storageClass,
                        },
                        token
                    ),
                cancellationToken
            )
            .ConfigureAwait(false);
    }

    public async ValueTask DeleteAsync(string name, CancellationToken cancellationToken = default)
    {
        var request = new DeleteObjectRequest { BucketName = connection.Bucket, Key = connection.Prefix + name };
        try
        {
            await connection
                .AskAsync((client, token) => client.DeleteObjectAsync(request, token), name, cancellationToken)
                .ConfigureAwait(false);
        }
        catch (FileNotFoundException)
        {
            // S3 does not say so, servers like it may.
        }
    }

    public ValueTask DisposeAsync() => store.DisposeAsync();

#pragma warning disable CA5351 // It finds bytes that were changed by chance; volumes have their own hashes
    private static string Md5(ReadOnlySpan<byte> content) => Convert.ToBase64String(MD5.HashData(content));
#pragma warning restore CA5351

    private async Task PutPartsAsync(string name, ReadOnlyMemory<byte> content, CancellationToken cancellationToken)
    {
        var begin = new InitiateMultipartUploadRequest
        {
            BucketName = connection.Bucket,
            Key = connection.Prefix + name,
            StorageClass = storageClass,
        };
        InitiateMultipartUploadResponse upload = await connection
            .AskAsync((client, token) => client.InitiateMultipartUploadAsync(begin, token), name, cancellationToken)
            .ConfigureAwait(false);
        try
        {
            List<PartETag> parts = [];
            for (int offset = 0; offset < content.Length; offset += PartBytes)
            {
                ReadOnlyMemory<byte> part = content.Slice(offset, Math.Min(PartBytes, content.Length - offset));
                parts.Add(
                    await PutPartAsync(name, upload.UploadId, parts.Count + 1, part, cancellationToken)
                        .ConfigureAwait(false)
                );
            }

            var end = new CompleteMultipartUploadRequest
            {
                BucketName = connection.Bucket,
                Key = connection.Prefix + name,
                UploadId = upload.UploadId,
                PartETags = parts,
            };
            await connection
                .AskAsync((client, token) => client.CompleteMultipartUploadAsync(end, token), name, cancellationToken)
                .ConfigureAwait(false);
        }
        catch
        {
            await AbortAsync(name, upload.UploadId).ConfigureAwait(false);
            throw;
        }
    }

    private async Task<PartETag> PutPartAsync(
        string name,
        string upload,
        int number,
        ReadOnlyMemory<byte> part,
        CancellationToken cancellationToken
    )
    {
        string hash = Md5(part.Span);
        UploadPartResponse answer = await connection
            .SendAsync(
                name,
                part,
                (client, body, token) =>
                    client.UploadPartAsync(
                        new UploadPartRequest
                        {
                            BucketName = connection.Bucket,
                            Key = connection.Prefix + name,
                            UploadId = upload,
                            PartNumber = number,
                            PartSize = part.Length,
                            InputStream = body,
                            MD5Digest = hash,
                            UseChunkEncoding = false,
                            DisablePayloadSigning = IsPrivate(client),
                        },
                        token
                    ),
                cancellationToken
            )
            .ConfigureAwait(false);
        return new PartETag(number, answer.ETag);
    }

    /// <summary>
    /// Removes the parts of an unfinished upload, because they cost money. If that fails, only a
    /// lifecycle rule of the bucket removes them.
    /// </summary>
    private async Task AbortAsync(string name, string upload)
    {
        var request = new AbortMultipartUploadRequest
        {
            BucketName = connection.Bucket,
            Key = connection.Prefix + name,
            UploadId = upload,
        };
        try
        {
            await connection
                .AskAsync(
                    (client, token) => client.AbortMultipartUploadAsync(request, token),
                    name,
                    CancellationToken.None
                )
                .ConfigureAwait(false);
        }
        catch (Exception failure) when (failure is IOException or RestoreException)
        {
            // The failure of the upload is the one to report.
        }
    }

    /// <summary>
    /// TLS protects the content on its way, so it need not be hashed to be signed.
    /// </summary>
    private static bool IsPrivate(AmazonS3Client client) =>
        client.Config.ServiceURL?.StartsWith("http://", StringComparison.OrdinalIgnoreCase) != true;
}
