namespace Restore.Restoring;

/// <summary>
/// Collects the work for each FileProcessor and sends it in batches, because a message for each
/// block would cost more than the block.
/// </summary>
internal sealed class WorkBatches(EntryOwners owners, IWriteChannelEnd<FileWork>[] outputs) : IDisposable
{
    // A batch of blocks has about as many bytes; and a block that ten thousand places need is ten
    // thousand items. The list of as many is no large object.
    private const int FullItems = 1024;
    private const int FullBytes = 4 << 20;

    private readonly FileWork[] batches = [.. outputs.Select(_ => new FileWork())];

    /// <summary>
    /// Adds an item to the batch of the FileProcessor that owns the entry; takes over the item.
    /// </summary>
    public void Add(in WorkItem item) => batches[owners.Of(item.Entry)].Add(item);

    /// <summary>Sends the batch with an entry's work, if it is full.</summary>
    public ValueTask FlushIfFullAsync(EntryId entry)
    {
        int processor = owners.Of(entry);
        FileWork batch = batches[processor];
        return batch.Count >= FullItems || batch.Bytes >= FullBytes ? SendAsync(processor) : ValueTask.CompletedTask;
    }

    public async ValueTask FlushAsync()
    {
        for (int processor = 0; processor < batches.Length; processor++)
        {
            if (batches[processor].Count > 0)
            {
                await SendAsync(processor).ConfigureAwait(false);
            }
        }
    }

    public void Dispose() => Array.ForEach(batches, batch => batch.Dispose());

    private ValueTask SendAsync(int processor)
    {
        FileWork batch = batches[processor];

        // The message belongs to its receiver from here on.
        batches[processor] = new FileWork();
        return outputs[processor].WriteAsync(batch);
    }
}
