using System.Text.Unicode;

namespace Restore.Format;

/// <summary>
/// Reads entries in the form in which lists are written, several times as fast as token by token.
/// </summary>
internal sealed partial class FileListFields
{
    private const int LongestName = 14;

    private static readonly SearchValues<byte> EndsPlainText = SearchValues.Create([
        .. Enumerable.Range(0, ' ').Select(b => (byte)b),
        (byte)'"',
        (byte)'\\',
    ]);

    /// <summary>
    /// Reads the next entry of a list with the comma before it, if it is written without blanks,
    /// and each property is known, sound and there once. Whatever it accepts is JSON, and what
    /// <see cref="Read"/> would read.
    /// </summary>
    /// <param name="json">The list, from the end of the entry before.</param>
    /// <param name="length">The length of the comma and the entry.</param>
    /// <returns>False if the entry has another form or does not end here; it is to be read by
    /// <see cref="Read"/>.</returns>
    public bool TryReadCompact(ReadOnlySpan<byte> json, out int length)
    {
        Clear();
        length = 2;
        if (!json.StartsWith(",{"u8))
        {
            return false;
        }

        while (TryReadProperty(json[length..], out int used) && length + used < json.Length)
        {
            length += used + 1;
            switch (json[length - 1])
            {
                case (byte)',':
                    continue;
                case (byte)'}':
                    return true;
                default:
                    return false;
            }
        }

        return false;
    }

    private bool TryReadProperty(ReadOnlySpan<byte> json, out int length)
    {
        length = 0;
        int end =
            json.IsEmpty || json[0] != '"'
                ? -1
                : json.Slice(1, Math.Min(json.Length - 1, LongestName + 1)).IndexOf((byte)'"');
        if (end < 0 || json.Length < end + 4 || json[end + 2] != ':')
        {
            return false;
        }

        FileListProperty property = FileListNames.Property(json.Slice(1, end));

        // An unknown or repeated property needs the rules of the other reader, which begins again
        // with this entry.
        if (property == FileListProperty.None || Has(property))
        {
            return false;
        }

        present |= property;
        ReadOnlySpan<byte> value = json[(end + 3)..];
        int used = property switch
        {
            FileListProperty.Type => CompactKind(value),
            FileListProperty.Path => CompactPath(value),
            FileListProperty.Time => CompactTime(value),
            FileListProperty.Hash => CompactJson.Hash(value, hash),
            FileListProperty.MetaHash => CompactJson.Hash(value, metaHash),
            FileListProperty.BlockHash => CompactJson.Hash(value, blockHash),
            FileListProperty.MetaBlockHash => CompactJson.Hash(value, metaBlockHash),
            FileListProperty.Size => CompactJson.Number(value, out size),
            FileListProperty.MetaSize => CompactJson.Number(value, out metaSize),
            FileListProperty.BlockSize => CompactJson.Number(value, out blockSize),
            FileListProperty.Blocklists => CompactHashes(
                value,
                blocklists,
                MostBlocklists(FileListProperty.Size, size),
                out blocklistCount
            ),
            _ => CompactHashes(
                value,
                metaBlocklists,
                MostBlocklists(FileListProperty.MetaSize, metaSize),
                out metaBlocklistCount
            ),
        };
        length = end + 3 + used;
        return used > 0;
    }

    // Each returns the length of the value, or 0 for one that it does not read.
    private int CompactKind(ReadOnlySpan<byte> value)
    {
        int length = value.IsEmpty || value[0] != '"' ? -1 : value[1..].IndexOf((byte)'"');
        if (length < 0 || FileListNames.Kind(value.Slice(1, length)) is not EntryKind known)
        {
            return 0;
        }

        kind = known;
        return length + 2;
    }

    private int CompactTime(ReadOnlySpan<byte> value)
    {
        if (
            value.Length < Timestamp.Length + 2
            || value[0] != '"'
            || value[Timestamp.Length + 1] != '"'
            || !Timestamp.TryParse(value.Slice(1, Timestamp.Length), out DateTime utc)
        )
        {
            return 0;
        }

        timeTicks = utc.Ticks;
        return Timestamp.Length + 2;
    }

    private int CompactPath(ReadOnlySpan<byte> value)
    {
        int at = 1;
        while (value.Length > at && value[0] == '"')
        {
            int plain = value[at..].IndexOfAny(EndsPlainText);
            if (plain < 0)
            {
                return 0;
            }

            path.Write(value.Slice(at, plain));
            at += plain;
            if (value[at] == '"')
            {
                // Unescaped text cannot become invalid, so one check of the whole path is enough.
                return Utf8.IsValid(path.WrittenSpan) ? at + 1 : 0;
            }

            // The separators of Windows, and what else stands for itself.
            if (
                value.Length < at + 2
                || value[at] != '\\'
                || value[at + 1] is not ((byte)'\\' or (byte)'/' or (byte)'"')
            )
            {
                return 0;
            }

            path.Write(value.Slice(at + 1, 1));
            at += 2;
        }

        return 0;
    }

    private int CompactHashes(ReadOnlySpan<byte> value, ArrayBufferWriter<byte> into, long most, out long count)
    {
        count = 0;
        if (!value.StartsWith("[\""u8))
        {
            return value.StartsWith("[]"u8) ? 2 : 0;
        }

        int length = layout.BlockHash.LengthBytes();
        for (
            int at = 1;
            count < most
                && CompactJson.Hash(value[at..], into.GetSpan(length)[..length]) is int used and > 0
                && at + used < value.Length;
            at++
        )
        {
            into.Advance(length);
            count++;
            at += used;
            if (value[at] != ',')
            {
                return value[at] == ']' ? at + 1 : 0;
            }
        }

        return 0;
    }
}
