namespace Restore.Format;

/// <summary>
/// Streams the entries of a <c>filelist.json</c> to a sink, some at a time: hundreds of megabytes
/// without an object or a string per entry.
/// </summary>
internal sealed class FileListReader(Stream json, BlockLayout layout) : IDisposable
{
    // The memory for an entry takes as long to come as a few entries take.
    private const int ExpectedAhead = 6;

    private readonly FileListFields fields = new(layout);
    private readonly IParsedAhead? ahead = json as IParsedAhead;
    private JsonPosition? position;
    private ParsedEntries? parsed;
    private int given;

    /// <summary>Entries that were read so far, usable or not.</summary>
    public long EntriesRead { get; private set; }

    /// <summary>
    /// Whether a list that ends too early fails with <see cref="IssueCode.FileListIncomplete"/>,
    /// and not as others that are no JSON, and a list with something after its end does not fail.
    /// </summary>
    public bool IsCutKnown { get; init; }

    /// <summary>Whether something follows the end of the list, which has all its entries.</summary>
    public bool HasExcess { get; private set; }

    /// <summary>
    /// Entries that are read at most: each costs memory, and a list that repeats one entry a hundred
    /// million times is a volume of three megabytes.
    /// </summary>
    public long MaxEntries { get; init; } = long.MaxValue;

    /// <summary>
    /// Reads a list to the end of its stream. Entries that cannot be used go to
    /// <see cref="IFileListSink.Unusable"/> and the rest of the list stays usable: unknown types,
    /// repeated properties, and sizes, hashes and blocklists that do not fit
    /// <paramref name="layout"/>.
    /// </summary>
    /// <exception cref="InvalidDataException">The list as a whole is broken (not a JSON array,
    /// cut, something after the end, a text of over 1 MiB); discard what the sink received.
    /// </exception>
    public static void Read(Stream json, IFileListSink sink, BlockLayout layout, CancellationToken cancellationToken)
    {
        using FileListReader reader = new(json, layout);
        reader.ReadSome(sink, long.MaxValue, cancellationToken);
    }

    /// <summary>
    /// False at the end of the list, when the stream has been read to its end, too. After a failure
    /// the reader cannot be used any more.
    /// </summary>
    public bool ReadSome(IFileListSink sink, long count, CancellationToken cancellationToken)
    {
        JsonStreamReader reader = position is null
            ? new(json, cancellationToken, IsCutKnown)
            : new(position, cancellationToken);

        // The reader owns the buffer now, and returns it. Only a suspended reader leaves it to a
        // position.
        position = null;
        try
        {
            if (EntriesRead == 0)
            {
                ReadStart(ref reader);
            }

            bool isMore = ReadSome(ref reader, sink, count);
            position = isMore ? reader.Suspend() : null;
            return isMore;
        }
        catch (JsonException e)
        {
            throw new InvalidDataException(
                $"The file list is not valid JSON after its byte {reader.Position:N0}, so none of it can be trusted",
                e
            );
        }
        finally
        {
            if (position is null)
            {
                reader.Dispose();
            }
        }
    }

    public void Dispose()
    {
        position?.Dispose();
        position = null;
    }

    private static void ReadStart(ref JsonStreamReader json)
    {
        json.Read();
        if (json.TokenType != JsonTokenType.StartArray)
        {
            throw new InvalidDataException("The file list is not a JSON array");
        }
    }

    private bool ReadSome(ref JsonStreamReader json, IFileListSink sink, long count)
    {
        for (long left = count; left > 0; left--)
        {
            left -= ReadCompact(ref json, sink, left);
            if (left == 0)
            {
                break;
            }

            if (!json.Read() || json.TokenType == JsonTokenType.EndArray)
            {
                // Reads to the end of the stream: anything after the array is an error, and only
                // there does an archive's stream check its length and CRC.
                ReadEnd(ref json);
                return false;
            }

            ReadEntry(ref json, sink);
        }

        return true;
    }

    private void ReadEnd(ref JsonStreamReader json)
    {
        try
        {
            json.Read();
        }
        catch (JsonException) when (IsCutKnown)
        {
            HasExcess = true;
        }
    }

    /// <summary>
    /// Reads entries that are written without blanks, as far as they are in memory or were parsed
    /// by another thread; returns how many.
    /// </summary>
    private long ReadCompact(ref JsonStreamReader json, IFileListSink sink, long most)
    {
        // The compact form begins with the comma after an entry. So the first entry, and the one
        // after something else than an object, is read token by token.
        if (json.TokenType != JsonTokenType.EndObject)
        {
            return 0;
        }

        long read = 0;
        long before;
        do
        {
            before = read;
            read += GiveParsed(ref json, sink, most - read, out long next);
            read += ReadInMemory(ref json, sink, most - read, next);
        } while (ahead is not null && read > before && read < most);

        return read;
    }

    /// <summary>
    /// Gives the entries that another thread parsed from the end of the entry before on.
    /// </summary>
    /// <param name="next">The place where entries begin that another thread parsed.</param>
    private long GiveParsed(ref JsonStreamReader json, IFileListSink sink, long most, out long next)
    {
        long read = 0;
        next = long.MaxValue;
        while (ahead is not null && (parsed ?? ahead.From(json.Position, out next)) is { } entries)
        {
            for (; given < entries.Count && read < most; read++)
            {
                Count();
                if (given + ExpectedAhead < entries.Count)
                {
                    sink.Expect(entries.Get(given + ExpectedAhead));
                }

                sink.Entry(entries.Get(given++));
            }

            if (given < entries.Count)
            {
                parsed = entries;
                return read;
            }

            json.PassTo(entries.End, ahead);
            (parsed, given) = (null, 0);
        }

        return read;
    }

    /// <summary>Reads entries that are in memory, up to a place of the list.</summary>
    private long ReadInMemory(ref JsonStreamReader json, IFileListSink sink, long most, long end)
    {
        ReadOnlySpan<byte> inMemory = json.Ahead;
        long room = end - json.Position;
        int used = 0;
        long read = 0;
        while (read < most && used < room && fields.TryReadCompact(inMemory[used..], out int length))
        {
            used += length;
            read++;
            Give(sink);
        }

        json.Pass(used);
        return read;
    }

    private void ReadEntry(ref JsonStreamReader json, IFileListSink sink)
    {
        if (json.TokenType != JsonTokenType.StartObject)
        {
            json.Skip();
            Count();
            sink.Unusable($"entry {EntriesRead}", "It is not a JSON object");
            return;
        }

        fields.Read(ref json);
        Give(sink);
    }

    private void Give(IFileListSink sink)
    {
        Count();
        if (fields.Problem() is { } problem)
        {
            sink.Unusable(fields.PathForReport() ?? $"entry {EntriesRead}", problem);
        }
        else
        {
            sink.Entry(fields.Entry());
        }
    }

    private void Count()
    {
        if (++EntriesRead > MaxEntries)
        {
            throw new InvalidDataException(
                $"The file list has more than {MaxEntries:N0} entries, which are more than a volume of its length has"
            );
        }
    }
}
