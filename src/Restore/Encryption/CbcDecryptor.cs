using Restore.Interop.Browser;

namespace Restore.Encryption;

/// <summary>Decrypts whole blocks of AES-256-CBC in place, without padding.</summary>
internal sealed class CbcDecryptor : IDisposable
{
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

    public void Dispose()
    {
        CryptographicOperations.ZeroMemory(pageKey);
        system?.Dispose();
    }
}
