namespace Restore.Streams.Archives;

/// <summary>
/// Writes a tar archive in the pax format: ustar headers, and before an entry the records that its
/// header has no room for.
/// </summary>
internal sealed class TarSink(Stream output) : ArchiveSink
{
    private const int BlockBytes = 512;

    // GNU tar writes as much at the end; other programs want two blocks of zeros.
    private const int RecordBytes = 20 * BlockBytes;

    // The most that 11 and 7 octal digits hold.
    private const long LargestOctal = 0x1_FFFF_FFFF;
    private const int LargestId = 0x1F_FFFF;

    // 0644, 0755 and 0777: C# has no octal numbers.
    private const int DefaultFileMode = 0x1A4;
    private const int DefaultFolderMode = 0x1ED;
    private const int LinkMode = 0x1FF;

    private static readonly byte[] Zeros = new byte[RecordBytes];

    private long written;

    protected override async Task WriteEntryAsync(
        ExportedEntry entry,
        string name,
        Stream content,
        CancellationToken cancellationToken
    )
    {
        bool isFolder = entry.Entry.Kind == BackupEntryKind.Folder;
        bool isLink = entry.Entry.Kind == BackupEntryKind.Symlink;
        byte[] path = Encoding.UTF8.GetBytes(isFolder ? name + "/" : name);
        byte[] link = isLink ? Encoding.UTF8.GetBytes(entry.LinkTarget ?? "") : [];
        long size = isFolder || isLink ? 0 : entry.Entry.SizeBytes;
        byte[] records = RecordsOf(entry, path, link, size);
        if (records.Length > 0)
        {
            // Programs that do not know pax unpack the records as a file of this name.
            byte[] recordPath = [.. "PaxHeaders/"u8, .. path.AsSpan(0, Math.Min(path.Length, 80))];
            await WriteAsync(
                    Header(recordPath, [], records.Length, 'x', DefaultFileMode, 0, 0, 0, "", ""),
                    cancellationToken
                )
                .ConfigureAwait(false);
            await WriteAsync(records, cancellationToken).ConfigureAwait(false);
            await PadAsync(BlockBytes, cancellationToken).ConfigureAwait(false);
        }

        int mode = isLink ? LinkMode : ModeWithoutList(entry) ?? (isFolder ? DefaultFolderMode : DefaultFileMode);
        byte[] header = Header(
            path,
            link,
            size,
            isFolder ? '5'
                : isLink ? '2'
                : '0',
            mode,
            entry.UserId ?? 0,
            entry.GroupId ?? 0,
            Math.Max(0, (entry.LastModified ?? DateTimeOffset.UnixEpoch).ToUnixTimeSeconds()),
            entry.OwnerName ?? "",
            entry.GroupName ?? ""
        );
        await WriteAsync(header, cancellationToken).ConfigureAwait(false);
        if (size > 0)
        {
            // The header has the length already, so as many bytes must follow, lost or not.
            await CopyAsync(entry, content, bytes => WriteAsync(bytes, cancellationToken), cancellationToken)
                .ConfigureAwait(false);
            await PadAsync(BlockBytes, cancellationToken).ConfigureAwait(false);
        }
    }

    protected override async Task WriteEndAsync(CancellationToken cancellationToken)
    {
        await WriteAsync(Zeros.AsMemory(0, 2 * BlockBytes), cancellationToken).ConfigureAwait(false);
        await PadAsync(RecordBytes, cancellationToken).ConfigureAwait(false);
    }

    private static byte[] RecordsOf(ExportedEntry entry, byte[] path, byte[] link, long size)
    {
        using MemoryStream records = new();
        AddIf(!FitsField(path, 100), records, "path", path);
        AddIf(!FitsField(link, 100), records, "linkpath", link);
        AddIf(size > LargestOctal, records, "size", Number(size));
        AddIf(entry.UserId > LargestId, records, "uid", Number(entry.UserId ?? 0));
        AddIf(entry.GroupId > LargestId, records, "gid", Number(entry.GroupId ?? 0));
        AddIf(
            entry.OwnerName is { } owner && !FitsField(Encoding.UTF8.GetBytes(owner), 31),
            records,
            "uname",
            Encoding.UTF8.GetBytes(entry.OwnerName ?? "")
        );
        AddIf(
            entry.GroupName is { } group && !FitsField(Encoding.UTF8.GetBytes(group), 31),
            records,
            "gname",
            Encoding.UTF8.GetBytes(entry.GroupName ?? "")
        );
        if (
            entry.LastModified is DateTimeOffset time
            && (
                time.Ticks % TimeSpan.TicksPerSecond != 0
                || time < DateTimeOffset.UnixEpoch
                || time.ToUnixTimeSeconds() > LargestOctal
            )
        )
        {
            decimal seconds = (time.UtcTicks - DateTimeOffset.UnixEpoch.UtcTicks) / (decimal)TimeSpan.TicksPerSecond;
            AddIf(
                true,
                records,
                "mtime",
                Encoding.ASCII.GetBytes(seconds.ToString("0.#######", CultureInfo.InvariantCulture))
            );
        }

        foreach (
            (string name, byte[] value) in entry.ExtendedAttributes.OrderBy(
                attribute => attribute.Key,
                StringComparer.Ordinal
            )
        )
        {
            // GNU tar and star read access lists from records of their own, as text. A list that
            // has no such text stays an attribute, so that nothing of the backup is left out.
            if (AccessRecordOf(name) is { } record && AccessList.ToText(value) is { } text)
            {
                AddIf(true, records, record, Encoding.ASCII.GetBytes(text));
                continue;
            }

            // A record ends its name with an equals sign.
            bool canBeNamed =
                !name.Contains('=', StringComparison.Ordinal) && !name.Contains('\n', StringComparison.Ordinal);
            AddIf(canBeNamed, records, "SCHILY.xattr." + name, value);
        }

        return records.ToArray();
    }

    private static string? AccessRecordOf(string attribute) =>
        attribute switch
        {
            AccessList.Name => "SCHILY.acl.access",
            AccessList.DefaultName => "SCHILY.acl.default",
            _ => null,
        };

    /// <summary>
    /// Adds a record: its length in digits, which count themselves, a blank, the name, the value
    /// and a line break.
    /// </summary>
    private static void AddIf(bool isNeeded, MemoryStream records, string name, byte[] value)
    {
        if (!isNeeded)
        {
            return;
        }

        byte[] key = Encoding.UTF8.GetBytes(name);
        int rest = 1 + key.Length + 1 + value.Length + 1;
        int length = rest + 1;
        while (length != rest + Number(length).Length)
        {
            length = rest + Number(length).Length;
        }

        records.Write([.. Number(length), (byte)' ', .. key, (byte)'=', .. value, (byte)'\n']);
    }

    private static byte[] Number(long number) => Encoding.ASCII.GetBytes(number.ToString(CultureInfo.InvariantCulture));

    private static bool FitsField(byte[] text, int length) =>
        text.Length <= length && text.All(character => character is > 0 and < 0x80);

    private static byte[] Header(
        ReadOnlySpan<byte> path,
        ReadOnlySpan<byte> link,
        long size,
        char kind,
        int mode,
        uint user,
        uint group,
        long time,
        string owner,
        string groupName
    )
    {
        byte[] header = new byte[BlockBytes];
        Text(header, 0, 100, path);
        Octal(header, 100, 8, mode);
        Octal(header, 108, 8, Math.Min(user, LargestId));
        Octal(header, 116, 8, Math.Min(group, LargestId));
        Octal(header, 124, 12, Math.Min(size, LargestOctal));
        Octal(header, 136, 12, Math.Min(time, LargestOctal));

        // The field of the checksum counts as blanks in the sum.
        header.AsSpan(148, 8).Fill((byte)' ');
        header[156] = (byte)kind;
        Text(header, 157, 100, link);
        "ustar"u8.CopyTo(header.AsSpan(257));
        "00"u8.CopyTo(header.AsSpan(263));
        Text(header, 265, 31, Encoding.UTF8.GetBytes(owner));
        Text(header, 297, 31, Encoding.UTF8.GetBytes(groupName));
        int sum = 0;
        foreach (byte value in header)
        {
            sum += value;
        }

        Octal(header, 148, 7, sum);
        return header;
    }

    private static void Text(byte[] header, int offset, int length, ReadOnlySpan<byte> text) =>
        text[..Math.Min(length, text.Length)].CopyTo(header.AsSpan(offset));

    /// <summary>
    /// A number in octal digits that fill the field but for a zero byte at its end.
    /// </summary>
    private static void Octal(byte[] header, int offset, int length, long number)
    {
        for (int i = offset + length - 2; i >= offset; i--, number >>= 3)
        {
            header[i] = (byte)('0' + (number & 7));
        }

        header[offset + length - 1] = 0;
    }

    private async ValueTask WriteAsync(ReadOnlyMemory<byte> bytes, CancellationToken cancellationToken)
    {
        await output.WriteAsync(bytes, cancellationToken).ConfigureAwait(false);
        written += bytes.Length;
    }

    private ValueTask PadAsync(int unit, CancellationToken cancellationToken) =>
        WriteAsync(Zeros.AsMemory(0, (int)((unit - (written % unit)) % unit)), cancellationToken);
}
