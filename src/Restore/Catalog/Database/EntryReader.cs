using System.Text.Unicode;

namespace Restore.Catalog.Database;

/// <summary>
/// Reads the entries of one version from a database, in one scan without an object for a row.
/// </summary>
internal sealed class EntryReader(
    DatabaseConnection connection,
    string databasePath,
    VersionContent content,
    EntryFilter filter,
    EntryObserver? observer
) : IDisposable
{
    private const long FolderBlockset = -100;
    private const long SymlinkBlockset = -200;

    // As in file lists: no system has paths longer than 64 KiB.
    private const int MaxPathBytes = 1 << 20;

    // LEFT keeps this order of the tables, and keeps entries that lost their rows in other tables:
    // one walk along the key of FilesetEntry finds all others by their number.
    private const string Entries = """
        SELECT p."Prefix", f."Path", f."BlocksetID", e."Lastmodified", b."Length", b."FullHash",
               f."MetadataID", m."BlocksetID", n."Length", n."FullHash", e."FileID"
        FROM "FilesetEntry" e
        LEFT JOIN "FileLookup" f ON f."ID" = e."FileID"
        LEFT JOIN "PathPrefix" p ON p."ID" = f."PrefixID"
        LEFT JOIN "Blockset" b ON b."ID" = f."BlocksetID"
        LEFT JOIN "Metadataset" m ON m."ID" = f."MetadataID"
        LEFT JOIN "Blockset" n ON n."ID" = m."BlocksetID"
        WHERE e."FilesetID" = ?
        """;

    private readonly DatabaseQuery blocksetExtent = connection.Query(
        "SELECT COUNT(*), MIN(\"Index\"), MAX(\"Index\") FROM \"BlocksetEntry\" WHERE \"BlocksetID\" = ?"
    );

    private readonly BlocksetReader blocks = new(connection, content.Layout);

    // Contents of several blocks by blockset, so that a claimed length is checked once and its
    // blocks are kept once.
    private readonly Dictionary<long, ContentId> sequences = [];
    private readonly PathBudget paths = new();
    private int contradictions;

    private byte[] path = new byte[1024];
    private char[] scratch = new char[256];

    private enum Column
    {
        Prefix,
        Path,
        Blockset,
        Modified,
        Length,
        Hash,
        Metadata,
        MetadataBlockset,
        MetadataLength,
        MetadataHash,
        File,
    }

    /// <summary>
    /// Reads the entries of a version that the filter takes; false if the version has none at all.
    /// </summary>
    public bool TryRead(long filesetId)
    {
        bool hasAny = false;
        using DatabaseQuery query = connection.Query(Entries, filesetId);
        while (query.Read())
        {
            hasAny = true;
            ReadEntry(query);
        }

        // ORDER BY would make SQLite keep all rows in its sorter; sorting the finished table takes
        // 4 bytes for an entry.
        new FileListOrder(content).Sort();
        if (filter.TakesFoldersAbove)
        {
            ReadFoldersAbove(filesetId);
        }

        if (contradictions > 0)
        {
            content.Issues.Add(
                new RestoreIssue(IssueKind.Warning, databasePath, BlocksetReader.Contradiction(contradictions))
                {
                    Code = IssueCode.DatabaseContradictory,
                }
            );
        }

        return hasAny;
    }

    public void Dispose()
    {
        blocksetExtent.Dispose();
        blocks.Dispose();
    }

    private void ReadFoldersAbove(long filesetId)
    {
        HashSet<string> keys = FoldersAbove.KeysOf(content);
        content.EndSelection();
        using DatabaseQuery query = connection.Query(Entries, filesetId);
        while (query.Read())
        {
            if (
                query.Number((int)Column.Blockset) == FolderBlockset
                && ReadPath(query) is int length and > 0
                && keys.Contains(FoldersAbove.KeyOf(path.AsSpan(0, length)))
                && !filter.Matches(path.AsSpan(0, length), ref scratch)
            )
            {
                AddEntry(query, path.AsSpan(0, length), EntryKind.Folder);
            }
        }
    }

    private void ReadEntry(DatabaseQuery row)
    {
        int length = ReadPath(row);
        ReadOnlySpan<byte> utf8 = path.AsSpan(0, Math.Max(0, length));
        if (length <= 0 || !Utf8.IsValid(utf8))
        {
            string shown = length <= 0 ? $"entry {row.Number((int)Column.File)}" : Shown(utf8);
            content.Issues.Add(
                new RestoreIssue(
                    IssueKind.Refused,
                    shown,
                    "Its path in the database is missing, too long, or not Unicode text"
                )
            );
            return;
        }

        EntryKind kind = row.Number((int)Column.Blockset) switch
        {
            FolderBlockset => EntryKind.Folder,
            SymlinkBlockset => EntryKind.Symlink,
            _ => EntryKind.File,
        };
        bool isSelected = filter.IsAll || filter.Matches(utf8, ref scratch);
        observer?.Invoke(utf8, kind, isSelected);
        if (isSelected && paths.TryTake(utf8))
        {
            AddEntry(row, utf8, kind);
        }
        else if (isSelected)
        {
            content.Issues.Add(PathBudget.Refusal(utf8));
        }
    }

    private void AddEntry(DatabaseQuery row, ReadOnlySpan<byte> utf8, EntryKind kind)
    {
        ContentId file = ContentId.None;
        if (
            kind == EntryKind.File
            && !TryAddContent(row, Column.Blockset, Column.Length, long.MaxValue, out file, out string problem)
        )
        {
            content.Issues.Add(new RestoreIssue(IssueKind.Refused, Shown(utf8), problem));
            return;
        }

        ContentId metadata = ContentId.None;
        if (
            row.Number((int)Column.Metadata) >= 0
            && !TryAddContent(
                row,
                Column.MetadataBlockset,
                Column.MetadataLength,
                VersionContent.MaxMetadataBytes,
                out metadata,
                out problem
            )
        )
        {
            content.AddMetadataLoss(Shown(utf8), kind, problem);
        }

        long ticks = kind == EntryKind.File ? row.Number((int)Column.Modified) : 0;
        content.AddEntry(utf8, kind, file, metadata, ticks > 0 && ticks <= DateTime.MaxValue.Ticks ? ticks : 0);
    }

    /// <returns>The length of the path; 0 if it is not known, -1 if it is too long.</returns>
    private int ReadPath(DatabaseQuery row)
    {
        ReadOnlySpan<byte> prefix = row.Utf8((int)Column.Prefix);
        ReadOnlySpan<byte> name = row.Utf8((int)Column.Path);
        int length = prefix.Length + name.Length;
        if (length > MaxPathBytes || row.IsNull((int)Column.Prefix))
        {
            return length > MaxPathBytes ? -1 : 0;
        }

        if (length > path.Length)
        {
            path = new byte[length * 2];
        }

        prefix.CopyTo(path);
        name.CopyTo(path.AsSpan(prefix.Length));
        return length;
    }

    /// <summary>
    /// Adds the content that a row names: a blockset, with length and hash in the two columns from
    /// <paramref name="lengthColumn"/> on.
    /// </summary>
    private bool TryAddContent(
        DatabaseQuery row,
        Column blocksetColumn,
        Column lengthColumn,
        long maxBytes,
        out ContentId added,
        out string problem
    )
    {
        added = ContentId.None;
        BlockLayout layout = content.Layout;
        long blockset = row.Number((int)blocksetColumn);
        long size = row.Number((int)lengthColumn);
        Span<byte> hash = stackalloc byte[HashKinds.MaxLengthBytes];
        hash = hash[..layout.FileHash.LengthBytes()];
        problem =
            row.IsNull((int)lengthColumn) ? "The database does not say what is in it"
            : size < 0 ? $"It is {size:N0} bytes long by the database, which is impossible"
            : size > maxBytes
                ? $"It is {size:N0} bytes long by the database, which is larger than the limit of {maxBytes:N0}"
            : !row.TryHash((int)lengthColumn + 1, hash)
                ? $"Its hash in the database is not a {layout.FileHash.ManifestName()} hash"
            : "";
        if (problem.Length > 0)
        {
            return false;
        }

        if (size <= layout.BlockSizeBytes)
        {
            added = AddSmall(blockset, size, hash);
            return true;
        }

        if (!sequences.TryGetValue(blockset, out added))
        {
            added = HasBlocks(blockset, layout.BlockCount(size)) ? content.AddContent(size, hash) : ContentId.None;

            // A refused blockset is kept too, so that many entries that name it do not have its
            // rows counted again and again.
            sequences.Add(blockset, added);
            if (!added.IsNone)
            {
                content.AddSequence(added);
                ReadBlocks(blockset, added);
            }
        }

        problem = !added.IsNone
            ? ""
            : $"It is {size:N0} bytes long by the database, which does not list as many blocks as that takes";
        return !added.IsNone;
    }

    /// <summary>
    /// Adds a content of at most one block. If files and blocks have the same hash algorithm, the
    /// hash of the block is also the hash of the file.
    /// </summary>
    private ContentId AddSmall(long blockset, long sizeBytes, ReadOnlySpan<byte> hash)
    {
        if (sizeBytes > 0 && content.Layout.FileHash == content.Layout.BlockHash)
        {
            return content.AddContent(content.Blocks.GetOrAdd(hash, (int)sizeBytes));
        }

        ContentId added = content.AddContent(sizeBytes, hash);
        if (sizeBytes > 0)
        {
            ReadBlocks(blockset, added);
        }

        return added;
    }

    /// <summary>Adds the blocks of a content. One that cannot belong to it stays unknown.</summary>
    private void ReadBlocks(long blockset, ContentId added)
    {
        long sizeBytes = content.SizeOf(added);
        blocks.Begin(blockset);
        while (blocks.Read())
        {
            if (blocks.IsOf(sizeBytes))
            {
                content.SetBlock(added, (int)blocks.Index, content.Blocks.GetOrAdd(blocks.Hash, blocks.SizeBytes));
            }
            else
            {
                contradictions++;
            }
        }
    }

    /// <summary>
    /// Whether the database lists all blocks of a blockset. A length is a claim that costs memory,
    /// so the rows must exist.
    /// </summary>
    private bool HasBlocks(long blockset, long count)
    {
        blocksetExtent.Restart(blockset);
        return blocksetExtent.Read()
            && blocksetExtent.Number(0) == count
            && blocksetExtent.Number(1) == 0
            && blocksetExtent.Number(2) == count - 1;
    }

    private static string Shown(ReadOnlySpan<byte> utf8) =>
        Encoding.UTF8.GetString(utf8[..Math.Min(utf8.Length, 4096)]);
}
