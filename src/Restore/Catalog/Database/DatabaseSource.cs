using Restore.Catalog.Locating;

namespace Restore.Catalog.Database;

/// <summary>
/// A local database as the first location source: it has the blocklists of files of several blocks,
/// which count if their hash is right, and knows which volumes have which blocks. On several
/// connections, with one writer of the results.
/// </summary>
internal sealed class DatabaseSource(
    DatabaseFile file,
    IReadOnlyDictionary<long, VolumeId> volumes,
    SearchState search,
    BlockNeeds needs
) : ILocationSource
{
    // What a connection reads at a time: some tens of milliseconds.
    private const int ContentsAtATime = 64;
    private const int BlocksAtATime = 4096;

    // One writer applies the rows, and a few readers keep it busy.
    private const int MaxWorkers = 8;

    // Measured on 2 million blocks: a row of a scan takes 1.2 microseconds, needed or not; a
    // look-up of one block takes 3.
    private const int ScanFactor = 3;

    private readonly BlockLayout layout = search.Layout;
    private bool wasRead;
    private int contradictions;

    public async Task<bool> TryStepAsync(Action<int, int> progress, CancellationToken cancellationToken)
    {
        if (wasRead)
        {
            return false;
        }

        wasRead = true;
        try
        {
            await ReadAsync(cancellationToken).ConfigureAwait(false);
        }
        catch (RestoreException failure) when (failure.Code == RestoreErrorCode.DatabaseUnusable)
        {
            // The locations that it returned count as far as volumes confirm them, and the volumes
            // have the rest.
            search.Report(file.DisplayPath, DatabaseFile.NotNeeded(failure), IssueCode.DatabaseUnusable);
        }

        return true;
    }

    private async Task ReadAsync(CancellationToken cancellationToken)
    {
        // The order of the steps matters. Accepted blocklists add needed blocks, so the list of
        // blocks without a location comes after them. Further copies come last, when all blocks
        // that they can belong to are known.
        ContentId[] contents =
        [
            .. search.Ask(index => index.ContentsWithMissingBlocklists()).Select(content => new ContentId(content)),
        ];
        await ReadAsync(
                contents.Length,
                ContentsAtATime,
                (connection, chunks) => ReadBlocklists(connection, contents, chunks),
                cancellationToken
            )
            .ConfigureAwait(false);
        BlockId[] blocks = search.Ask(index => index.Unlocated().ToArray());

        // Deleted rows leave gaps, so the highest ID is at least the number of rows. A hostile ID
        // that is far too high leads to look-ups, which cost no more than the needed blocks.
        long rows = blocks.Length == 0 ? 0 : await file.ReadAsync(CountRows, cancellationToken).ConfigureAwait(false);
        await (
            rows < blocks.LongLength * ScanFactor
                ? ReadAsync((int)rows, BlocksAtATime, Scan, cancellationToken)
                : ReadAsync(
                    blocks.Length,
                    BlocksAtATime,
                    (connection, chunks) => LookUp(connection, blocks, chunks),
                    cancellationToken
                )
        ).ConfigureAwait(false);
        if (blocks.Length > 0)
        {
            await file.ReadAsync(ReadDuplicates, cancellationToken).ConfigureAwait(false);
        }

        if (contradictions > 0)
        {
            search.Report(
                file.DisplayPath,
                BlocksetReader.Contradiction(contradictions),
                IssueCode.DatabaseContradictory
            );
        }
    }

    private async Task ReadAsync(
        int count,
        int chunkLength,
        Action<DatabaseConnection, Chunks> read,
        CancellationToken cancellationToken
    )
    {
        Chunks chunks = new(count, chunkLength);
        int workers = Math.Min(chunks.Count, Math.Min(MaxWorkers, Environment.ProcessorCount));
        await Task.WhenAll(Enumerable.Range(0, workers).Select(_ => file.ReadAsync(Read, cancellationToken)))
            .ConfigureAwait(false);

        bool Read(DatabaseConnection connection)
        {
            try
            {
                read(connection, chunks);
                return true;
            }
            catch
            {
                // WhenAll waits for the other connections, which would read the rest of the table
                // for nothing.
                chunks.Stop();
                throw;
            }
        }
    }

    private void ReadBlocklists(DatabaseConnection connection, ContentId[] contents, Chunks chunks)
    {
        // INDEXED BY makes the query fail if SQLite cannot use the index. Without it, each look-up
        // in a hostile file could become a scan of the table.
        using DatabaseQuery blockset = connection.Query(
            """SELECT "ID" FROM "Blockset" INDEXED BY "BlocksetFullHash" WHERE "FullHash" = ? AND "Length" = ?"""
        );
        using BlocksetReader blocks = new(connection, layout);
        byte[] list = new byte[layout.HashesPerBlocklist * layout.BlockHash.LengthBytes()];
        while (chunks.TryTake(out int first, out int end))
        {
            for (int at = first; at < end; at++)
            {
                long sizeBytes = needs.Content.SizeOf(contents[at]);
                blockset.Restart();
                blockset.BindHash(needs.Content.FileHashOf(contents[at]));
                blockset.Bind(sizeBytes);
                if (blockset.Read() && !TryAccept(blocks, blockset.Number(0), sizeBytes, list))
                {
                    Interlocked.Increment(ref contradictions);
                }
            }
        }
    }

    /// <returns>False if the database has other blocks than a content of this length.</returns>
    private bool TryAccept(BlocksetReader blocks, long blockset, long sizeBytes, byte[] list)
    {
        int used = 0;
        long count = layout.BlockCount(sizeBytes);
        blocks.Begin(blockset);
        for (long index = 0; index < count; index++)
        {
            if (!blocks.Read() || blocks.Index != index || !blocks.IsOf(sizeBytes))
            {
                return false;
            }

            blocks.Hash.CopyTo(list.AsSpan(used));
            used += blocks.Hash.Length;
            if (used == list.Length || index == count - 1)
            {
                // The database has no blocklists. The hash of the rebuilt list decides: a wrong
                // block gives a hash that no content waits for, so Find returns none and the list
                // is ignored.
                byte[] hash = layout.BlockHash.HashData(list.AsSpan(0, used));
                search.Update(known => known.AcceptBlocklist(known.Find(hash, used), list.AsSpan(0, used)));
                used = 0;
            }
        }

        return true;
    }

    private static long CountRows(DatabaseConnection connection)
    {
        using DatabaseQuery last = connection.Query("""SELECT MAX("ID") FROM "Block" """);
        return last.Read() ? Math.Max(0, last.Number(0)) : 0;
    }

    private void Scan(DatabaseConnection connection, Chunks chunks)
    {
        using DatabaseQuery query = connection.Query(
            """SELECT "Hash", "Size", "VolumeID" FROM "Block" WHERE "ID" BETWEEN ? AND ?"""
        );
        LocatedBlocks located = new(layout.BlockHash.LengthBytes(), BlocksAtATime);
        while (chunks.TryTake(out int first, out int end))
        {
            query.Restart(first + 1, end);
            while (query.Read())
            {
                if (located.IsFull)
                {
                    // A database that is not Duplicati's can have several rows of one number.
                    Apply(located);
                }

                if (volumes.TryGetValue(query.Number(2), out VolumeId volume) && query.TryHash(0, located.Next))
                {
                    located.Add(query.Number(1), volume);
                }
            }

            Apply(located);
        }
    }

    private void LookUp(DatabaseConnection connection, BlockId[] blocks, Chunks chunks)
    {
        using DatabaseQuery query = connection.Query(
            """SELECT "VolumeID" FROM "Block" INDEXED BY "BlockHashSize" WHERE "Hash" = ? AND "Size" = ?"""
        );
        LocatedBlocks located = new(layout.BlockHash.LengthBytes(), BlocksAtATime);
        while (chunks.TryTake(out int first, out int end))
        {
            for (int at = first; at < end; at++)
            {
                ReadOnlySpan<byte> hash = needs.HashOf(blocks[at]);
                query.Restart();
                query.BindHash(hash);
                query.Bind(needs.SizeOf(blocks[at]));
                if (query.Read() && volumes.TryGetValue(query.Number(0), out VolumeId volume))
                {
                    hash.CopyTo(located.Next);
                    located.Add(needs.SizeOf(blocks[at]), volume);
                }
            }

            Apply(located);
        }
    }

    /// <summary>
    /// Nothing adds blocks meanwhile, so connections may look up which ones are needed.
    /// </summary>
    private void Apply(LocatedBlocks located)
    {
        search.Update(index =>
            located.ForEach((hash, size, volume) => index.Locate(hash, size, volume, CopyOrder.Database))
        );
        located.Clear();
    }

    /// <summary>
    /// Reads further copies, and records only the copies of blocks that are known by then.
    /// </summary>
    private bool ReadDuplicates(DatabaseConnection connection)
    {
        byte[] hash = new byte[layout.BlockHash.LengthBytes()];
        using DatabaseQuery query = connection.Query(
            "SELECT b.\"Hash\", b.\"Size\", d.\"VolumeID\" FROM \"DuplicateBlock\" d CROSS JOIN \"Block\" b ON b.\"ID\" = d.\"BlockID\""
        );
        search.Update(index =>
        {
            while (query.Read())
            {
                if (volumes.TryGetValue(query.Number(2), out VolumeId volume) && query.TryHash(0, hash))
                {
                    index.Locate(hash, query.Number(1), volume, CopyOrder.DatabaseDuplicate);
                }
            }
        });
        return true;
    }

    /// <summary>
    /// Parts of a range of numbers, one after the other for each thread that is free. Safe for
    /// concurrent use.
    /// </summary>
    private sealed class Chunks(int count, int length)
    {
        private int next;

        public int Count => (int)(((long)count + length - 1) / length);

        public bool TryTake(out int first, out int end)
        {
            long begin = (long)(Interlocked.Increment(ref next) - 1) * length;
            (first, end) = ((int)Math.Min(begin, count), (int)Math.Min(begin + length, count));
            return first < end;
        }

        public void Stop() => Volatile.Write(ref next, int.MaxValue / 2);
    }

    /// <summary>
    /// Blocks that one connection found, collected until there are enough to apply them together.
    /// </summary>
    private sealed class LocatedBlocks(int hashLength, int capacity)
    {
        private readonly byte[] hashes = new byte[capacity * hashLength];
        private readonly (long SizeBytes, VolumeId Volume)[] rows = new (long, VolumeId)[capacity];
        private int count;

        public delegate void Receiver(ReadOnlySpan<byte> hash, long sizeBytes, VolumeId volume);

        public bool IsFull => count == capacity;

        /// <summary>Where the hash of the next one goes.</summary>
        public Span<byte> Next => hashes.AsSpan(count * hashLength, hashLength);

        public void Add(long sizeBytes, VolumeId volume) => rows[count++] = (sizeBytes, volume);

        public void ForEach(Receiver receive)
        {
            for (int row = 0; row < count; row++)
            {
                receive(hashes.AsSpan(row * hashLength, hashLength), rows[row].SizeBytes, rows[row].Volume);
            }
        }

        public void Clear() => count = 0;
    }
}
