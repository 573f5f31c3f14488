using System.Runtime.InteropServices.JavaScript;
using System.Runtime.Versioning;

namespace Restore.Interop.Browser;

/// <summary>
/// Cryptography of the page that .NET runs in: .NET itself has no AES and no MD5 in a browser, and
/// hashes 16 MiB/s. The page sets the module <c>restore-cryptography</c> before anything is read.
/// Addresses point into .NET's memory, which the page sees as one array.
/// </summary>
[SupportedOSPlatform("browser")]
internal static partial class PageCryptography
{
    private const string Module = "restore-cryptography";

    public static unsafe void Hash(string algorithm, ReadOnlySpan<byte> data, Span<byte> digest)
    {
        fixed (
            byte* bytes = data,
                result = digest
        )
        {
            Hash(algorithm, (nint)bytes, data.Length, (nint)result);
        }
    }

    /// <summary>
    /// Repeatedly replaces the digest at the start of <paramref name="input"/> by the SHA-256 of
    /// the whole input.
    /// </summary>
    public static unsafe void Iterate(Span<byte> input, int rounds)
    {
        fixed (byte* bytes = input)
        {
            Iterate((nint)bytes, input.Length, rounds);
        }
    }

    /// <summary>Continues after data that was hashed recently, given its digest.</summary>
    /// <returns>False if the page does not know it any more.</returns>
    public static unsafe bool TryBegin(JSObject hash, ReadOnlySpan<byte> digest)
    {
        fixed (byte* bytes = digest)
        {
            return Begin(hash, (nint)bytes, digest.Length);
        }
    }

    public static unsafe void Append(JSObject hash, ReadOnlySpan<byte> data)
    {
        fixed (byte* bytes = data)
        {
            Append(hash, (nint)bytes, data.Length);
        }
    }

    /// <summary>Writes the digest, and starts the hash again.</summary>
    public static unsafe void Finish(JSObject hash, Span<byte> digest)
    {
        fixed (byte* result = digest)
        {
            Finish(hash, (nint)result);
        }
    }

    /// <summary>Decrypts whole blocks in place.</summary>
    public static unsafe void DecryptCbc(ReadOnlySpan<byte> key, ReadOnlySpan<byte> iv, Span<byte> blocks)
    {
        fixed (
            byte* keyBytes = key,
                ivBytes = iv,
                bytes = blocks
        )
        {
            DecryptCbc((nint)keyBytes, key.Length, (nint)ivBytes, (nint)bytes, blocks.Length);
        }
    }

    /// <summary>Decrypts whole blocks in place.</summary>
    public static async Task DecryptCbcAsync(ReadOnlyMemory<byte> key, ReadOnlyMemory<byte> iv, Memory<byte> blocks)
    {
        using MemoryHandle keyBytes = key.Pin();
        using MemoryHandle ivBytes = iv.Pin();
        using MemoryHandle bytes = blocks.Pin();
        await DecryptCbcAside(Address(keyBytes), key.Length, Address(ivBytes), Address(bytes), blocks.Length)
            .ConfigureAwait(false);
    }

    /// <summary>PBKDF2 with HMAC-SHA-512.</summary>
    public static async Task DerivePbkdf2Async(
        string passphrase,
        ReadOnlyMemory<byte> salt,
        int rounds,
        Memory<byte> key
    )
    {
        using MemoryHandle saltBytes = salt.Pin();
        using MemoryHandle keyBytes = key.Pin();
        await DerivePbkdf2(passphrase, Address(saltBytes), salt.Length, rounds, Address(keyBytes), key.Length)
            .ConfigureAwait(false);
    }

    private static unsafe nint Address(in MemoryHandle pinned) => (nint)pinned.Pointer;

    [JSImport("decryptCbcAside", Module)]
    private static partial Task DecryptCbcAside(nint key, int keyLength, nint iv, nint blocks, int length);

    [JSImport("derivePbkdf2", Module)]
    private static partial Task DerivePbkdf2(
        string passphrase,
        nint salt,
        int saltLength,
        int rounds,
        nint key,
        int keyLength
    );

    [JSImport("create", Module)]
    public static partial JSObject Create(string algorithm);

    [JSImport("hash", Module)]
    private static partial void Hash(string algorithm, nint data, int length, nint digest);

    [JSImport("iterate", Module)]
    private static partial void Iterate(nint input, int length, int rounds);

    [JSImport("begin", Module)]
    private static partial bool Begin(JSObject hash, nint digest, int length);

    [JSImport("append", Module)]
    private static partial void Append(JSObject hash, nint data, int length);

    [JSImport("finish", Module)]
    private static partial void Finish(JSObject hash, nint digest);

    [JSImport("decryptCbc", Module)]
    private static partial void DecryptCbc(nint key, int keyLength, nint iv, nint blocks, int length);
}
