using Restore.Interop.Browser;

namespace Restore.Encryption;

/// <summary>Decrypts whole blocks of AES-256-CBC in place, without padding.</summary>
internal sealed class CbcDecryptor : IDisposable
{
    // For fewer bytes, calling the browser's own AES takes longer than decrypting here.
    private const int FewBytes = 32 << 10;

    private readonly Aes? system;
    private readonly byte[]? pageKey;

    public CbcDecryptor(ReadOnlySpan<byte> key)
    {
        if (OperatingSystem.IsBrowser())
        {
            pageKey = key.ToArray();
        }
        else
        {
            system = Aes.Create();
            system.SetKey(key);
        }
    }

    /// <param name="blocks">The ciphertext, and then the text.</param>
    /// <param name="previous">The block before them; at the start of a text the IV.</param>
    public void Decrypt(Span<byte> blocks, ReadOnlySpan<byte> previous)
    {
        if (OperatingSystem.IsBrowser())
        {
            PageCryptography.DecryptCbc(pageKey, previous, blocks);
        }
        else
        {
            system!.DecryptCbc(blocks, previous, blocks, PaddingMode.None);
        }
    }

    /// <summary>
    /// The same, asynchronously. In a browser, the browser itself decrypts while .NET continues
    /// with other work.
    /// </summary>
    public ValueTask DecryptAsync(Memory<byte> blocks, ReadOnlyMemory<byte> previous)
    {
        if (OperatingSystem.IsBrowser() && blocks.Length >= FewBytes)
        {
            return new ValueTask(PageCryptography.DecryptCbcAsync(pageKey!, previous, blocks));
        }

        Decrypt(blocks.Span, previous.Span);
        return ValueTask.CompletedTask;
    }

    public void Dispose()
    {
        CryptographicOperations.ZeroMemory(pageKey);
        system?.Dispose();
    }
}
