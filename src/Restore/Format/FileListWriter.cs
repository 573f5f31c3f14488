namespace Restore.Format;

/// <summary>
/// Writes a <c>filelist.json</c> in the only form that Duplicati's own reader accepts: strict order
/// of properties, no unneeded property.
/// </summary>
internal sealed class FileListWriter
{
    private const int FlushBytes = 64 * 1024;

    private readonly Stream stream;
    private readonly int hashLength;
    private readonly JsonOutput json = new();
    private bool isFirst = true;

    /// <summary>
    /// Starts a list in <paramref name="stream"/>, which stays open; end it with
    /// <see cref="Finish"/>.
    /// </summary>
    public FileListWriter(Stream stream, BlockLayout layout)
    {
        this.stream = stream;
        hashLength = layout.BlockHash.LengthBytes();
        json.Raw(JsonText.Bom);
        json.Raw("["u8);
    }

    /// <summary>
    /// Adds an entry. Duplicati lists folders and links by path, then files by path; no reader
    /// depends on that order.
    /// </summary>
    public void Add(in FileListEntry entry)
    {
        json.Raw(isFirst ? "{\"type\":\""u8 : ",{\"type\":\""u8);
        isFirst = false;
        json.Raw(FileListNames.OfKind(entry.Kind));
        json.Raw("\",\"path\":"u8);
        json.Text(entry.Path);
        bool isFile = entry.Kind.IsFile();
        if (isFile)
        {
            Content(entry);
        }

        Metadata(entry, isFile);
        if (isFile)
        {
            Blocks(entry);
        }

        json.Raw("}"u8);
        if (json.Length >= FlushBytes)
        {
            json.FlushTo(stream);
        }
    }

    public void Finish()
    {
        json.Raw("]"u8);
        json.FlushTo(stream);
    }

    private void Content(in FileListEntry entry)
    {
        json.Raw(",\"hash\":"u8);
        json.Base64Text(entry.Hash);
        json.Raw(",\"size\":"u8);
        json.Number(entry.SizeBytes);
        json.Raw(",\"time\":"u8);
        json.Text(Timestamp.Format(new DateTime(entry.TimeTicks, DateTimeKind.Utc)));
    }

    private void Metadata(in FileListEntry entry, bool isFile)
    {
        if (entry.MetaHash.IsEmpty)
        {
            return;
        }

        json.Raw(",\"metahash\":"u8);
        json.Base64Text(entry.MetaHash);
        json.Raw(",\"metasize\":"u8);
        json.Number(entry.MetaSizeBytes);
        if (!entry.MetaBlocklistHashes.IsEmpty)
        {
            Hashes(",\"metablocklists\":["u8, entry.MetaBlocklistHashes);
        }
        else if (!isFile || !entry.MetaBlockHash.IsEmpty)
        {
            // Duplicati always writes the property for folders and links, and for files only if the
            // value differs.
            json.Raw(",\"metablockhash\":"u8);
            json.Base64Text(entry.MetaBlockHash.IsEmpty ? entry.MetaHash : entry.MetaBlockHash);
        }
    }

    private void Blocks(in FileListEntry entry)
    {
        if (!entry.BlocklistHashes.IsEmpty)
        {
            Hashes(",\"blocklists\":["u8, entry.BlocklistHashes);
        }
        else if (!entry.BlockHash.IsEmpty)
        {
            json.Raw(",\"blockhash\":"u8);
            json.Base64Text(entry.BlockHash);
            json.Raw(",\"blocksize\":"u8);
            json.Number(entry.SizeBytes);
        }
    }

    private void Hashes(ReadOnlySpan<byte> opening, ReadOnlySpan<byte> hashes)
    {
        json.Raw(opening);
        for (int offset = 0; offset < hashes.Length; offset += hashLength)
        {
            json.Raw(offset == 0 ? default : ","u8);
            json.Base64Text(hashes.Slice(offset, hashLength));
        }

        json.Raw("]"u8);
    }
}
