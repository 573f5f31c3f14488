using Restore.Planning.Scanning;

namespace Restore.Restoring;

/// <summary>
/// The content of an entry. Its blocks come one by one, and are hashed as a whole if they come in
/// order.
/// </summary>
internal abstract class EntryContent(FileContext context, FileHasher hasher, EntryId entry)
{
    protected static readonly byte[] Zeros = new byte[64 << 10];

    public virtual bool IsOpen => false;

    public long BytesWritten { get; private set; }

    /// <summary>The part of the written bytes that was copied from a local file.</summary>
    public long BytesCopied { get; protected set; }

    public abstract string Path { get; }

    protected VersionContent Content { get; } = context.Plan.Content;

    protected ContentId Id { get; } = context.Plan.Content.Entries[entry].Content;

    protected RunningHash Hash { get; } = new(hasher);

    public void Write(int index, ReadOnlySpan<byte> bytes)
    {
        WriteBlock(index, bytes);
        Count(index, bytes);
    }

    /// <summary>Counts and hashes a block that is in its place.</summary>
    protected void Count(int index, ReadOnlySpan<byte> bytes)
    {
        BytesWritten += bytes.Length;
        if (IsHashed(index))
        {
            Hash.Append(bytes);
        }
    }

    public void WriteZeros(int index)
    {
        int length = Content.Layout.BlockSizeBytes;
        WriteZeroBlock(index, length);
        BytesWritten += length;
        for (int done = IsHashed(index) ? 0 : length; done < length; done += Math.Min(Zeros.Length, length - done))
        {
            Hash.Append(Zeros.AsSpan(0, Math.Min(Zeros.Length, length - done)));
        }
    }

    public abstract void CopyLocal(int index);

    public abstract void SetFinalLength();

    /// <summary>
    /// Whether the content has the recorded hash; each block was verified before it came here.
    /// </summary>
    /// <returns>Null if the blocks did not come in order and nothing keeps them: they must be read
    /// again (<see cref="OpenHashes"/>).</returns>
    public abstract bool? IsVerified();

    /// <summary>After a wrong hash, or if blocks are lost: removes what is wrong.</summary>
    /// <returns>The wrong blocks, including those that did not come.</returns>
    public abstract List<BlockId> ClearWrongBlocks();

    /// <summary>Sets the metadata.</summary>
    /// <returns>What could not be set, one sentence each.</returns>
    public abstract IReadOnlyList<string> Apply(EntryMetadata? metadata, bool isWhole);

    /// <summary>Closes the content, and puts it at its path if it is whole.</summary>
    public virtual void Complete(bool isWhole) { }

    /// <summary>Closes the file for now; the next block opens it again.</summary>
    public virtual void CloseFile() { }

    public void Close()
    {
        Hash.Abandon();
        CloseFile();
    }

    /// <summary>Closes the content of an entry that failed, and removes it.</summary>
    public virtual void Fail() => Close();

    /// <summary>
    /// Closes the content of an entry that was interrupted, and removes it if this restore created
    /// it.
    /// </summary>
    public virtual void Abandon() => Close();

    protected abstract void WriteBlock(int index, ReadOnlySpan<byte> bytes);

    protected abstract void WriteZeroBlock(int index, int length);

    private bool IsHashed(int index) => !Content.IsCoveredByBlockHash(Id) && Hash.GoesOnWith(index);
}
