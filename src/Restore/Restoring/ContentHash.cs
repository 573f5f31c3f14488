using Restore.Ends;
using Restore.Planning.Scanning;

namespace Restore.Restoring;

/// <summary>Where the content of an entry goes: to a file (<see cref="ContentWriter"/>), or nowhere, in a drill (<see cref="ContentHash"/>).</summary>
internal interface IContentEnd
{
    bool IsOpen { get; }

    long BytesWritten { get; }

    /// <summary>Of those, the ones copied from a local file.</summary>
    long BytesCopied { get; }

    string Path { get; }

    void Write(int index, ReadOnlySpan<byte> bytes);

    void WriteZeros(int index);

    void CopyLocal(int index);

    void SetFinalLength();

    /// <summary>Whether the content has the recorded hash; each block was verified before it came here.</summary>
    /// <returns>Null if the blocks did not come in order and nothing keeps them: they have to be read again (<see cref="OpenHashes"/>).</returns>
    bool? IsVerified();

    /// <summary>After a wrong hash, or if blocks are lost: removes what is wrong.</summary>
    /// <returns>The wrong blocks, including those that did not come.</returns>
    List<BlockId> ClearWrongBlocks();

    /// <summary>Sets the metadata.</summary>
    /// <returns>What could not be set, one sentence each.</returns>
    IReadOnlyList<string> Apply(EntryMetadata? metadata, bool isWhole);

    /// <summary>Closes the content, and puts it at its path if it is whole.</summary>
    void Complete(bool isWhole);

    /// <summary>Closes the file for now; the next block opens it again.</summary>
    void CloseFile();

    void Close();

    /// <summary>Closes the content of an entry that failed, and removes it.</summary>
    void Fail();

    /// <summary>Closes the content of an entry that was interrupted, and removes it if this restore created it.</summary>
    void Abandon();
}

/// <summary>The content of a file in a drill: hashed as its blocks come, and kept nowhere.</summary>
internal sealed class ContentHash(FileContext context, FileHasher hasher, EntryId entry) : IContentEnd
{
    private static readonly byte[] Zeros = new byte[64 << 10];

    private readonly VersionContent content = context.Plan.Content;
    private readonly ContentId contentId = context.Plan.Content.Entries[entry].Content;
    private readonly RunningHash hash = new(hasher);

    public bool IsOpen => false;

    public long BytesWritten { get; private set; }

    public long BytesCopied => 0;

    public string Path => context.Plan.Entries.TargetPath(entry);

    public void Write(int index, ReadOnlySpan<byte> bytes)
    {
        Start();
        BytesWritten += bytes.Length;
        if (IsHashed(index))
        {
            hash.Append(bytes);
        }
    }

    public void WriteZeros(int index)
    {
        Start();
        int length = content.Layout.BlockSizeBytes;
        BytesWritten += length;
        if (IsHashed(index))
        {
            for (int done = 0; done < length; done += Math.Min(Zeros.Length, length - done))
            {
                hash.Append(Zeros.AsSpan(0, Math.Min(Zeros.Length, length - done)));
            }
        }
    }

    public void CopyLocal(int index) => throw new InvalidOperationException("A drill takes no blocks from local files");

    public void SetFinalLength() => Start();

    public bool? IsVerified()
    {
        int items = context.Plan.ItemsOf(entry).ContentItems;
        return items > 0 && content.IsCoveredByBlockHash(contentId) ? true
            : items == 0 && content.SizeOf(contentId) == 0 ? hasher.MatchesNothing(content.FileHashOf(contentId))
            : hash.Finish(items, content.FileHashOf(contentId));
    }

    // Each block was verified by its own hash: none is left to the hash of the file.
    public List<BlockId> ClearWrongBlocks() => [];

    public IReadOnlyList<string> Apply(EntryMetadata? metadata, bool isWhole)
    {
        if (metadata is not null)
        {
            context.LeftOut?.Note(entry, metadata);
        }

        return [];
    }

    public void Complete(bool isWhole)
    {
    }

    public void CloseFile()
    {
    }

    public void Close() => hash.Abandon();

    public void Fail() => Close();

    public void Abandon() => Close();

    /// <summary>Refuses a path that a target refuses.</summary>
    private void Start()
    {
        if (!context.States.IsStarted(entry))
        {
            TargetPath.Check(Path);
            context.States.SetStarted(entry);
        }
    }

    private bool IsHashed(int index) => !content.IsCoveredByBlockHash(contentId) && hash.GoesOnWith(index);
}
