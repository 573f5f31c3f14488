using System.Security.Cryptography;
using Azure.Storage;
using Azure.Storage.Blobs.Models;
using Azure.Storage.Blobs.Specialized;

namespace Restore.Azure;

/// <summary>
/// Uploads a file in blocks; the file exists when all blocks are committed. The service compares
/// the MD5 of each block, and discards the blocks of a broken upload after a week.
/// </summary>
internal sealed class AzureSink : IVolumeSink
{
    // One block for the volumes of most backups; a broken connection costs a large one no more than
    // this.
    private const int BlockBytes = 64 << 20;

    private readonly AzureConnection connection;
    private readonly AzureStore store;
    private readonly AccessTier? tier;

    public AzureSink(AzureConnection connection)
    {
        this.connection = connection;
        store = new AzureStore(connection, absentIsEmpty: true);
        tier = connection.Context.Options.Text(AzureOptions.Tier) is { } name
            ? new AccessTier(name)
            : (AccessTier?)null;
    }

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
        try
        {
            await SendAsync(name, content, cancellationToken).ConfigureAwait(false);
        }
        catch (RestoreException failure) when (failure.Code == RestoreErrorCode.BucketNotFound)
        {
            await connection
                .AskAsync(
                    token => connection.Container.CreateIfNotExistsAsync(cancellationToken: token),
                    name,
                    cancellationToken
                )
                .ConfigureAwait(false);
            await SendAsync(name, content, cancellationToken).ConfigureAwait(false);
        }
    }

    public async ValueTask DeleteAsync(string name, CancellationToken cancellationToken = default) =>
        await connection
            .AskAsync(
                token => connection.Container.DeleteBlobIfExistsAsync(name, cancellationToken: token),
                name,
                cancellationToken
            )
            .ConfigureAwait(false);

    public ValueTask DisposeAsync() => store.DisposeAsync();

    private async Task SendAsync(string name, ReadOnlyMemory<byte> content, CancellationToken cancellationToken)
    {
        BlockBlobClient blob = connection.Container.GetBlockBlobClient(name);
        List<string> blocks = [];
        for (int offset = 0; offset < content.Length; offset += BlockBytes)
        {
            ReadOnlyMemory<byte> block = content.Slice(offset, Math.Min(BlockBytes, content.Length - offset));

            // The service requires that all ids of a file have the same length.
            string id = Convert.ToBase64String(BitConverter.GetBytes(blocks.Count));
            blocks.Add(id);
            var check = new BlockBlobStageBlockOptions { TransferValidation = Md5(block.Span) };
            await connection
                .MappedAsync(
                    () =>
                        connection.Context.Transfers.SendBodyAsync(
                            block,
                            name,
                            (body, token) => blob.StageBlockAsync(id, body, check, token),
                            cancellationToken
                        ),
                    name
                )
                .ConfigureAwait(false);
        }

        // A file without bytes is a commit without blocks.
        var options = new CommitBlockListOptions { AccessTier = tier };
        await connection
            .AskAsync(token => blob.CommitBlockListAsync(blocks, options, token), name, cancellationToken)
            .ConfigureAwait(false);
    }

#pragma warning disable CA5351 // It finds bytes that were changed by chance; volumes have their own hashes
    private static UploadTransferValidationOptions Md5(ReadOnlySpan<byte> content) =>
        new() { ChecksumAlgorithm = StorageChecksumAlgorithm.MD5, PrecalculatedChecksum = MD5.HashData(content) };
#pragma warning restore CA5351
}
