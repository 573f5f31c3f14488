using System.Buffers.Text;

namespace Restore.Format;

/// <summary>
/// Reads JSON token by token from a stream of any length, over one pooled buffer. Nothing is
/// allocated per token. A token's bytes are valid until the next <see cref="Read"/>. Broken or too
/// deep JSON is a <see cref="JsonException"/>.
/// </summary>
internal ref struct JsonStreamReader
{
    /// <summary>
    /// Longest text or number; the longest path of any system is under 100,000 bytes.
    /// </summary>
    public const int MaxTokenBytes = 1024 * 1024;

    // No sound token is longer, escapes and all, so the buffer normally keeps this size.
    private const int BufferBytes = 64 * 1024;

    private readonly Stream stream;
    private readonly CancellationToken cancellationToken;
    private readonly ArrayBufferWriter<byte> unescaped;
    private readonly bool isCutKnown;
    private byte[] buffer;
    private int start;
    private int end;
    private long dropped;
    private bool isEnd;
    private Utf8JsonReader json;

    /// <param name="stream">The JSON.</param>
    /// <param name="cancellationToken">Cancels the reading.</param>
    /// <param name="isCutKnown">Whether JSON that ends too early is an
    /// <see cref="InvalidDataException"/> with the code <see cref="IssueCode.FileListIncomplete"/>.
    /// </param>
    public JsonStreamReader(Stream stream, CancellationToken cancellationToken, bool isCutKnown = false)
    {
        this.stream = stream;
        this.isCutKnown = isCutKnown;
        this.cancellationToken = cancellationToken;
        unescaped = new ArrayBufferWriter<byte>();
        buffer = ArrayPool<byte>.Shared.Rent(BufferBytes);
        isEnd = Fill();
        start = JsonText.Bom.Length * (buffer.AsSpan(0, end).StartsWith(JsonText.Bom) ? 1 : 0);
        json = new Utf8JsonReader(buffer.AsSpan(start, end - start), isEnd && !isCutKnown, state: default);
    }

    /// <summary>
    /// Continues where <see cref="Suspend"/> was called. The reader owns what the position owned.
    /// </summary>
    public JsonStreamReader(JsonPosition position, CancellationToken cancellationToken)
    {
        this.cancellationToken = cancellationToken;
        (stream, unescaped, buffer) = (position.Stream, position.Unescaped, position.Buffer);
        (start, end, dropped) = (position.Start, position.End, position.Dropped);
        (isEnd, isCutKnown) = (position.IsEnd, position.IsCutKnown);
        json = new Utf8JsonReader(buffer.AsSpan(start, end - start), isEnd && !isCutKnown, position.State);
    }

    public readonly JsonTokenType TokenType => json.TokenType;

    /// <summary>The bytes after the current token, as far as they are in memory.</summary>
    public readonly ReadOnlySpan<byte> Ahead => buffer.AsSpan(0, end)[(start + (int)json.BytesConsumed)..];

    /// <summary>Where the current token ends in the stream.</summary>
    public readonly long Position => dropped + start + json.BytesConsumed;

    /// <summary>
    /// Continues after bytes that the caller consumed from <see cref="Ahead"/>: whole values of the
    /// same kind as the current token, each with the comma before it, so that only the position
    /// changes.
    /// </summary>
    public void Pass(int bytes)
    {
        // The state of a reader says between which tokens it is, and not where. After another value
        // of the same kind it is the same.
        start += (int)json.BytesConsumed + bytes;
        json = new Utf8JsonReader(buffer.AsSpan(start, end - start), json.IsFinalBlock, json.CurrentState);
    }

    /// <summary>
    /// Continues at a later place of the stream. What lies between is whole values of the same kind
    /// as the current token, each with the comma before it.
    /// </summary>
    public void PassTo(long position, IParsedAhead ahead)
    {
        long unread = position - dropped - end;
        if (unread <= 0)
        {
            Pass((int)(position - Position));
            return;
        }

        JsonReaderState state = json.CurrentState;
        ahead.Skip(unread);
        (start, end, dropped) = (0, 0, position);
        isEnd = Fill();
        json = new Utf8JsonReader(buffer.AsSpan(0, end), isEnd && !isCutKnown, state);
    }

    /// <summary>
    /// Moves to the next token. Returns false at the end of sound JSON, after the stream was read
    /// to its end.
    /// </summary>
    public bool Read()
    {
        while (!json.Read())
        {
            if (json.IsFinalBlock)
            {
                return false;
            }

            if (isEnd)
            {
                // With isCutKnown no buffer counts as final, so the reader takes what it has for
                // the start of sound JSON, and asks for the rest instead of failing.
                return json.CurrentDepth == 0 && json.TokenType == JsonTokenType.EndArray
                    ? false
                    : throw new InvalidDataException($"It ends too early, after its byte {Position:N0}").With(
                        IssueCode.FileListIncomplete
                    );
            }

            Refill();
        }

        return true;
    }

    public void Skip()
    {
        if (TokenType is not (JsonTokenType.StartArray or JsonTokenType.StartObject))
        {
            return;
        }

        int depth = json.CurrentDepth;
        while (Read() && json.CurrentDepth > depth) { }
    }

    /// <summary>
    /// The current value if it is a number written as a plain integer of 64 bits.
    /// </summary>
    public readonly bool TryGetInt64(out long value)
    {
        value = 0;
        return TokenType == JsonTokenType.Number && json.TryGetInt64(out value);
    }

    /// <summary>
    /// The current string or property name as unescaped UTF-8; false if the token is neither, or is
    /// not Unicode.
    /// </summary>
    public readonly bool TryGetText(out ReadOnlySpan<byte> utf8) => JsonText.TryGetText(json, unescaped, out utf8);

    /// <summary>
    /// Decodes the current string from base64; false unless it decodes to exactly the length of
    /// <paramref name="hash"/>.
    /// </summary>
    public readonly bool TryGetHash(scoped Span<byte> hash) =>
        TryGetText(out ReadOnlySpan<byte> base64)
        && base64.Length == Base64.GetMaxEncodedToUtf8Length(hash.Length)
        && Base64.DecodeFromUtf8(base64, hash, out _, out int written) == OperationStatus.Done
        && written == hash.Length;

    /// <summary>
    /// Ends this reader so that another one can continue: a reader lives on the stack, so it cannot
    /// wait while a receiver takes the values that it read.
    /// </summary>
    public JsonPosition Suspend()
    {
        int next = start + (int)json.BytesConsumed;
        JsonPosition position = new(
            stream,
            unescaped,
            buffer,
            next,
            end,
            dropped,
            isEnd,
            isCutKnown,
            json.CurrentState
        );
        buffer = [];
        return position;
    }

    public void Dispose()
    {
        byte[] released = buffer;
        buffer = [];
        ArrayPool<byte>.Shared.Return(released);
    }

    private void Refill()
    {
        start += (int)json.BytesConsumed;

        // Nothing was consumed: a token is longer than the buffer. Otherwise the rest moves to the
        // front.
        if (start == 0)
        {
            Grow();
        }
        else
        {
            buffer.AsSpan(start, end - start).CopyTo(buffer);
            end -= start;
            dropped += start;
            start = 0;
        }

        isEnd = Fill();
        json = new Utf8JsonReader(buffer.AsSpan(0, end), isEnd && !isCutKnown, json.CurrentState);
    }

    private void Grow()
    {
        if (buffer.Length >= MaxTokenBytes)
        {
            throw new InvalidDataException(
                $"The JSON has a text of more than {MaxTokenBytes} bytes, which no sound backup has"
            );
        }

        byte[] larger = ArrayPool<byte>.Shared.Rent(buffer.Length * 2);
        buffer.AsSpan(0, end).CopyTo(larger);
        ArrayPool<byte>.Shared.Return(buffer);
        buffer = larger;
    }

    // Fills the whole buffer: with a stream that returns one byte at a time, a token would
    // otherwise be parsed again after each byte.
    private bool Fill()
    {
        cancellationToken.ThrowIfCancellationRequested();
        int room = buffer.Length - end;
        int read = stream.ReadAtLeast(buffer.AsSpan(end), room, throwOnEndOfStream: false);
        end += read;
        return read < room;
    }
}
