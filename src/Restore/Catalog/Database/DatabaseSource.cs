using Restore.Catalog.Locating;

namespace Restore.Catalog.Database;

/// <summary>A local database as the first location source: it knows blocks without blocklists, and their locations.</summary>
internal sealed class DatabaseSource(DatabaseFile file, IReadOnlyDictionary<long, VolumeId> volumes, SearchState search, BlockNeeds needs) : ILocationSource
{
    private bool wasRead;

    public async Task<bool> TryStepAsync(Action<int, int> progress, CancellationToken cancellationToken)
    {
        if (wasRead)
        {
            return false;
        }

        wasRead = true;
        BlockReader reader = new(file, volumes, search, needs);
        await reader.ReadAsync(cancellationToken).ConfigureAwait(false);
        search.Update(_ => needs.EndDatabase());
        if (reader.UnusableRows > 0)
        {
            search.Report(
                file.DisplayPath,
                $"Rows about blocks contradict the files they belong to ({reader.UnusableRows:N0} of them)",
                IssueCode.DatabaseContradictory);
        }

        return true;
    }
}

/// <summary>Reads the blocks of the needed contents and their locations from a database: on several connections, with one writer of the results.</summary>
internal sealed class BlockReader
{
    // Contents that one worker reads at a time: some tens of milliseconds.
    private const int ChunkLength = 4096;

    // One writer applies the rows, and a few readers keep it busy.
    private const int MaxWorkers = 8;

    // Measured on 2 million blocksets of one block: a scan takes 1.2 microseconds a row, needed or not; a look-up of one blockset takes 3. Blocksets are
    // numbered consecutively, so n numbers are about n rows: scanning costs n, and looking up the w needed ones costs 3w less what a larger one saves.
    private const int ScanFactor = 3;

    private const string Rows =
        """
        SELECT e."BlocksetID", e."Index", b."Hash", b."Size", b."VolumeID"
        FROM "BlocksetEntry" e CROSS JOIN "Block" b ON b."ID" = e."BlockID"
        WHERE e."BlocksetID" BETWEEN ? AND ? ORDER BY e."BlocksetID", e."Index"
        """;

    private readonly DatabaseFile file;
    private readonly IReadOnlyDictionary<long, VolumeId> volumes;
    private readonly SearchState search;
    private readonly BlockNeeds needs;
    private readonly BlockLayout layout;
    private readonly long[] blocksets;
    private readonly ContentId[] contents;
    private int nextChunk;

    public BlockReader(DatabaseFile file, IReadOnlyDictionary<long, VolumeId> volumes, SearchState search, BlockNeeds needs)
    {
        this.file = file;
        this.volumes = volumes;
        this.search = search;
        this.needs = needs;
        layout = search.Layout;
        contents = search.Ask(_ => needs.WantedContents.Where(content => needs.Content.BlockCountOf(content) > 0).ToArray());
        blocksets = search.Ask(_ => contents.Select(content => needs.Content.BlocksetIds[content]).ToArray());
        Array.Sort(blocksets, contents);
    }

    public long UnusableRows { get; private set; }

    public async Task ReadAsync(CancellationToken cancellationToken)
    {
        int chunks = (contents.Length + ChunkLength - 1) / ChunkLength;
        int workers = Math.Min(chunks, Math.Min(MaxWorkers, Environment.ProcessorCount));
        IEnumerable<Task> readers = Enumerable.Range(0, workers).Select(_ => file.ReadAsync(ReadChunks, cancellationToken));
        await Task.WhenAll(readers).ConfigureAwait(false);
        if (chunks > 0)
        {
            // Runs last: second locations are recorded only for blocks that are known by then.
            await file.ReadAsync(ReadDuplicates, cancellationToken).ConfigureAwait(false);
        }
    }

    private bool ReadChunks(DatabaseConnection connection)
    {
        using DatabaseQuery query = connection.Query(Rows);
        BlockRows rows = new(layout.BlockHash.LengthBytes());
        try
        {
            int first;
            while ((first = (Interlocked.Increment(ref nextChunk) - 1) * ChunkLength) < contents.Length)
            {
                ReadChunk(query, rows, first, Math.Min(first + ChunkLength, contents.Length));
            }

            Apply(rows);
            return true;
        }
        catch
        {
            // Stops the other workers.
            Volatile.Write(ref nextChunk, int.MaxValue / ChunkLength / 2);
            throw;
        }
    }

    private void ReadChunk(DatabaseQuery query, BlockRows rows, int first, int end)
    {
        bool isScan = (end - first) * (long)ScanFactor > blocksets[end - 1] - blocksets[first];
        for (int at = first; at < end; at = isScan ? end : EndOf(at, end))
        {
            query.Restart(blocksets[at], isScan ? blocksets[end - 1] : blocksets[at]);
            Take(query, rows, at, end);
        }
    }

    /// <summary>Selects the rows of a query that belong to needed contents; both are ordered by blockset.</summary>
    private void Take(DatabaseQuery query, BlockRows rows, int at, int end)
    {
        Span<byte> hash = stackalloc byte[HashKinds.MaxLengthBytes];
        hash = hash[..layout.BlockHash.LengthBytes()];
        while (query.Read())
        {
            long blockset = query.Number(0);
            while (at < end && blocksets[at] < blockset)
            {
                at++;
            }

            if (at == end || blocksets[at] != blockset)
            {
                continue;
            }

            // A bad hash has the size -1, which fits no content.
            long size = query.TryHash(2, hash) ? query.Number(3) : -1;
            rows.Add(at, end, query.Number(1), hash, size, volumes.GetValueOrDefault(query.Number(4), VolumeId.None));
            if (rows.IsFull)
            {
                Apply(rows);
            }
        }
    }

    private void Apply(BlockRows rows)
    {
        search.Update(_ =>
        {
            for (int row = 0; row < rows.Count; row++)
            {
                ref BlockRow one = ref rows[row];
                for (int at = one.At; at < one.End && blocksets[at] == blocksets[one.At]; at++)
                {
                    UnusableRows += TrySet(contents[at], one, rows.HashOf(row)) ? 0 : 1;
                }
            }
        });
        rows.Clear();
    }

    private bool TrySet(ContentId content, in BlockRow row, ReadOnlySpan<byte> hash)
    {
        long contentSize = needs.Content.Contents[content].SizeBytes;
        if (row.Index < 0 || row.Index >= needs.Content.BlockCountOf(content) || row.SizeBytes != layout.BlockLength(contentSize, row.Index))
        {
            return false;
        }

        BlockId block = needs.Content.Blocks.GetOrAdd(hash, (int)row.SizeBytes);
        int known = needs.Content.BlockOf(content, (int)row.Index);
        if (known >= 0 && known != block)
        {
            return false;
        }

        needs.SetBlock(content, (int)row.Index, block);
        if (row.Volume != VolumeId.None)
        {
            needs.Locate(block, row.Volume, CopyOrder.Database);
        }

        return true;
    }

    private bool ReadDuplicates(DatabaseConnection connection)
    {
        byte[] hash = new byte[layout.BlockHash.LengthBytes()];
        using DatabaseQuery query = connection.Query(
            "SELECT b.\"Hash\", b.\"Size\", d.\"VolumeID\" FROM \"DuplicateBlock\" d CROSS JOIN \"Block\" b ON b.\"ID\" = d.\"BlockID\"");
        search.Update(_ =>
        {
            while (query.Read())
            {
                if (volumes.TryGetValue(query.Number(2), out VolumeId volume) && query.TryHash(0, hash))
                {
                    needs.Locate(hash, query.Number(1), volume, CopyOrder.DatabaseDuplicate);
                }
            }
        });
        return true;
    }

    private int EndOf(int at, int end)
    {
        long blockset = blocksets[at];
        while (at < end && blocksets[at] == blockset)
        {
            at++;
        }

        return at;
    }
}

internal record struct BlockRow(int At, int End, long Index, long SizeBytes, VolumeId Volume);

/// <summary>Rows from one connection, collected until there are enough to apply them together.</summary>
internal sealed class BlockRows(int hashLength)
{
    // 8,192 rows with their hashes are half a MiB for each connection.
    private const int Capacity = 8192;

    private readonly BlockRow[] rows = new BlockRow[Capacity];
    private readonly byte[] hashes = new byte[Capacity * hashLength];

    public int Count { get; private set; }

    public bool IsFull => Count == Capacity;

    public ref BlockRow this[int row] => ref rows[row];

    public ReadOnlySpan<byte> HashOf(int row) => hashes.AsSpan(row * hashLength, hashLength);

    public void Add(int at, int end, long index, ReadOnlySpan<byte> hash, long sizeBytes, VolumeId volume)
    {
        hash.CopyTo(hashes.AsSpan(Count * hashLength));
        rows[Count++] = new BlockRow(at, end, index, sizeBytes, volume);
    }

    public void Clear() => Count = 0;
}
