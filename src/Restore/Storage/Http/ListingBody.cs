namespace Restore.Storage.Http;

/// <summary>
/// The body of a listing as a stream for parsers: every read has the store's timeout, and the size
/// of one entry is limited.
/// </summary>
internal sealed class ListingBody(Stream body, StoreTransfers transfers, CancellationToken cancellationToken)
    : ForwardStream
{
    // An entry is a name and some properties: a few hundred bytes. A server may list files without
    // end, but no entry may fill the memory.
    private const int MaxEntryBytes = 1 << 20;

    // Ten million entries of 1.5 KB: more than any backup has.
    private const long MaxListingBytes = 16L << 30;

    private int entryBytes;
    private long listingBytes;

    public override bool CanRead => true;

    /// <summary>Marks the end of an entry; the limit starts again for the next one.</summary>
    public void EntryDone() => entryBytes = 0;

    public override async ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken unused = default)
    {
        if (entryBytes > MaxEntryBytes || listingBytes > MaxListingBytes)
        {
            throw new IOException(
                $"The store's listing is too large: an entry of more than {MaxEntryBytes} bytes, or more than {MaxListingBytes} in all"
            );
        }

        try
        {
            int count = await transfers
                .WithTimeoutAsync(token => body.ReadAsync(buffer, token).AsTask(), "listing", cancellationToken)
                .ConfigureAwait(false);
            entryBytes += count;
            listingBytes += count;
            return count;
        }
        catch (Exception failure)
            when (failure is (IOException or HttpRequestException) and not TransientStoreException)
        {
            throw new TransientStoreException($"The listing broke off: {failure.Reason()}", failure);
        }
    }

    public override Task<int> ReadAsync(byte[] buffer, int offset, int count, CancellationToken unused) =>
        ReadAsync(buffer.AsMemory(offset, count), unused).AsTask();
}
