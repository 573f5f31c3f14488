using Restore.Catalog;
using Restore.Csp;
using Restore.Planning;
using Restore.Reading.Messages;

namespace Restore.Restoring.Messages;

/// <summary>What a FileProcessor has to do with an entry.</summary>
internal enum WorkKind : byte
{
    /// <summary>Take a block: write a block of content, or keep a block of metadata until the entry is finished.</summary>
    Block,

    /// <summary>Write a full block of zeros; needs no bytes.</summary>
    Zeros,

    /// <summary>Copy a block from the local file that the plan names.</summary>
    LocalCopy,

    /// <summary>Finish the entry: nothing is missing.</summary>
    Finish,

    /// <summary>Finish the entry in this pass: its content is complete, its metadata is not.</summary>
    FinishWithoutMetadata,

    /// <summary>Finish the entry in this pass: blocks of its content are missing.</summary>
    FinishIncomplete,
}

/// <summary>One piece of work: an entry, which of its items (content blocks first, then metadata blocks), and the bytes, of which it owns one use.</summary>
internal readonly record struct WorkItem(WorkKind Kind, EntryId Entry, Item Item, BlockBytes Bytes) : IDisposable, IMeasured
{
    long IMeasured.Bytes => Bytes.Length;

    public void Dispose() => Bytes.Dispose();
}

/// <summary>A batch of work for one FileProcessor, in order.</summary>
internal sealed class FileWork : Batch<WorkItem>;
