namespace Restore.Encryption;

/// <summary>HMAC-SHA-256 of data that comes in parts. Not safe for concurrent use.</summary>
internal sealed class PartsHmac : IDisposable
{
    private const int BlockBytes = 64;
    private const byte Inner = 0x36;
    private const byte Outer = 0x5c;

    private readonly IncrementalHash? system;
    private readonly PartsHash? page;
    private readonly byte[]? pageKey;

    /// <param name="key">At most 64 bytes.</param>
    public PartsHmac(ReadOnlySpan<byte> key)
    {
        if (OperatingSystem.IsBrowser())
        {
            // RFC 2104, over the hash of the page.
            page = new PartsHash(HashKind.Sha256);
            pageKey = new byte[BlockBytes];
            key.CopyTo(pageKey);
            Begin(Inner);
        }
        else
        {
            system = IncrementalHash.CreateHMAC(HashAlgorithmName.SHA256, key);
        }
    }

    public void Append(ReadOnlySpan<byte> data)
    {
        if (OperatingSystem.IsBrowser())
        {
            page!.Append(data);
        }
        else
        {
            system!.AppendData(data);
        }
    }

    /// <summary>Writes the code, and starts again.</summary>
    public void Finish(Span<byte> code)
    {
        if (!OperatingSystem.IsBrowser())
        {
            system!.GetHashAndReset(code);
            return;
        }

        // The hash of the page starts again after each digest, so one object serves for both hashes
        // of an HMAC.
        page!.Finish(code);
        Begin(Outer);
        page.Append(code[..SHA256.HashSizeInBytes]);
        page.Finish(code);
        Begin(Inner);
    }

    public void Dispose()
    {
        CryptographicOperations.ZeroMemory(pageKey);
        page?.Dispose();
        system?.Dispose();
    }

    private void Begin(byte pad)
    {
        Span<byte> block = stackalloc byte[BlockBytes];
        for (int i = 0; i < BlockBytes; i++)
        {
            block[i] = (byte)(pageKey![i] ^ pad);
        }

        page!.Append(block);
        CryptographicOperations.ZeroMemory(block);
    }
}
