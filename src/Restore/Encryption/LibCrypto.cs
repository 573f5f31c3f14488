namespace Restore.Encryption;

/// <summary>
/// The plain SHA-256 functions of OpenSSL 3. .NET uses them on Linux through several layers, which
/// take five times as long as the hash itself for a short input.
/// </summary>
internal sealed unsafe class LibCrypto
{
    public const int DigestBytes = SHA256.HashSizeInBytes;

    // SHA256_CTX has 112 bytes on every platform, in all of OpenSSL 3.
    private const int StateBytes = 112;

    private readonly delegate* unmanaged[Cdecl]<byte*, int> initialize;
    private readonly delegate* unmanaged[Cdecl]<byte*, byte*, nuint, int> update;
    private readonly delegate* unmanaged[Cdecl]<byte*, byte*, int> finish;

    private LibCrypto(nint library)
    {
        initialize = (delegate* unmanaged[Cdecl]<byte*, int>)NativeLibrary.GetExport(library, "SHA256_Init");
        update = (delegate* unmanaged[Cdecl]<byte*, byte*, nuint, int>)
            NativeLibrary.GetExport(library, "SHA256_Update");
        finish = (delegate* unmanaged[Cdecl]<byte*, byte*, int>)NativeLibrary.GetExport(library, "SHA256_Final");
    }

    /// <summary>
    /// The library, or null if it is missing. Only Linux has it under this name; elsewhere .NET
    /// hashes with functions of the system.
    /// </summary>
    public static LibCrypto? TryLoad() =>
        NativeLibraryFinder.TryLoad(["libcrypto.so.3"], library => new LibCrypto(library));

    /// <summary>Only for data that is not secret.</summary>
    public void Hash(ReadOnlySpan<byte> data, Span<byte> digest)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(digest.Length, DigestBytes);
        byte* state = stackalloc byte[StateBytes];
        fixed (
            byte* bytes = data,
                result = digest
        )
        {
            initialize(state);
            update(state, bytes, (nuint)data.Length);
            finish(result, state);
        }
    }

    /// <summary>
    /// Repeatedly replaces the digest at the start of <paramref name="input"/> by the SHA-256 of
    /// the whole input.
    /// </summary>
    public void Iterate(Span<byte> input, int rounds)
    {
        byte* state = stackalloc byte[StateBytes];
        fixed (byte* bytes = input)
        {
            for (int round = 0; round < rounds; round++)
            {
                initialize(state);
                update(state, bytes, (nuint)input.Length);
                finish(bytes, state);
            }
        }

        CryptographicOperations.ZeroMemory(new Span<byte>(state, StateBytes));
    }
}
