using Restore.Interop.Browser;

namespace Restore.Encryption;

/// <summary>
/// Derives the key of an AES Crypt stream from a passphrase. The salt is the IV of the volume, so
/// no volume can reuse the key of another.
/// </summary>
internal static class AesCryptKey
{
    // OpenSSL takes a third less time than a loop here, but cannot be interrupted: half a second is
    // not a long wait. 300,000 rounds are usual.
    private const int MaxUninterruptedRounds = 1_000_000;

    private static readonly Lazy<LibCrypto?> Library = new(LibCrypto.TryLoad);

    public static async ValueTask DeriveAsync(
        AesCryptHeader header,
        string passphrase,
        ReadOnlyMemory<byte> iv,
        Memory<byte> key,
        CancellationToken cancellationToken
    )
    {
        if (header.Version <= 2)
        {
            DeriveBySha256(passphrase, iv.Span, key.Span);
        }
        else if (OperatingSystem.IsBrowser())
        {
            // .NET takes several seconds there, the browser half of one.
            await PageCryptography.DerivePbkdf2Async(passphrase, iv, header.KeyIterations, key).ConfigureAwait(false);
        }
        else
        {
            DeriveByPbkdf2(passphrase, iv.Span, header.KeyIterations, key.Span, cancellationToken);
        }
    }

    /// <summary>
    /// Versions 0 to 2: 8,192 rounds of SHA-256 over the last result (at first the IV and 16 zeros)
    /// and the passphrase in UTF-16LE.
    /// </summary>
    public static void DeriveBySha256(string passphrase, ReadOnlySpan<byte> iv, Span<byte> key) =>
        DeriveBySha256(passphrase, iv, key, Library.Value);

    /// <summary>The same with a library, or with .NET's hash if the library is null.</summary>
    public static void DeriveBySha256(string passphrase, ReadOnlySpan<byte> iv, Span<byte> key, LibCrypto? library)
    {
        int inputBytes = AesCryptHeader.KeyBytes + Encoding.Unicode.GetByteCount(passphrase);
        byte[] rented = ArrayPool<byte>.Shared.Rent(inputBytes);
        Span<byte> input = rented.AsSpan(0, inputBytes);
        Span<byte> digest = input[..AesCryptHeader.KeyBytes];
        digest.Clear();
        iv.CopyTo(digest);
        Encoding.Unicode.GetBytes(passphrase, input[AesCryptHeader.KeyBytes..]);

        if (OperatingSystem.IsBrowser())
        {
            PageCryptography.Iterate(input, AesCryptHeader.FixedKeyIterations);
        }
        else if (library is not null)
        {
            library.Iterate(input, AesCryptHeader.FixedKeyIterations);
        }
        else
        {
            Iterate(input, AesCryptHeader.FixedKeyIterations);
        }

        digest.CopyTo(key);
        CryptographicOperations.ZeroMemory(input);
        ArrayPool<byte>.Shared.Return(rented);
    }

    /// <summary>
    /// Does what <see cref="LibCrypto.Iterate"/> does, where that library is missing.
    /// </summary>
    private static void Iterate(Span<byte> input, int rounds)
    {
        // One native hash state for all rounds: 2.8 ms, a fifth faster than one-shot calls (the
        // library takes 0.5 ms).
        using IncrementalHash hash = IncrementalHash.CreateHash(HashAlgorithmName.SHA256);
        for (int round = 0; round < rounds; round++)
        {
            hash.AppendData(input);
            hash.GetHashAndReset(input[..AesCryptHeader.KeyBytes]);
        }
    }

    private static void DeriveByPbkdf2(
        string passphrase,
        ReadOnlySpan<byte> iv,
        int rounds,
        Span<byte> key,
        CancellationToken cancellationToken
    )
    {
        byte[] password = Encoding.UTF8.GetBytes(passphrase);
        try
        {
            if (rounds <= MaxUninterruptedRounds)
            {
                Rfc2898DeriveBytes.Pbkdf2(password, iv, key, rounds, HashAlgorithmName.SHA512);
            }
            else
            {
                DeriveInterruptibly(password, iv, rounds, key, cancellationToken);
            }
        }
        finally
        {
            CryptographicOperations.ZeroMemory(password);
        }
    }

    /// <summary>
    /// PBKDF2 (RFC 8018) with HMAC-SHA-512 for a key that is no longer than one hash; can be
    /// cancelled.
    /// </summary>
    internal static void DeriveInterruptibly(
        byte[] password,
        ReadOnlySpan<byte> salt,
        int rounds,
        Span<byte> key,
        CancellationToken cancellationToken
    )
    {
        const int RoundsBetweenLooks = 4096;
        using IncrementalHash hmac = IncrementalHash.CreateHMAC(HashAlgorithmName.SHA512, password);
        Span<byte> last = stackalloc byte[SHA512.HashSizeInBytes];
        Span<byte> sum = stackalloc byte[SHA512.HashSizeInBytes];
        hmac.AppendData(salt);
        hmac.AppendData([0, 0, 0, 1]);
        hmac.GetHashAndReset(last);
        last.CopyTo(sum);
        for (int round = 1; round < rounds; round++)
        {
            if (round % RoundsBetweenLooks == 0)
            {
                cancellationToken.ThrowIfCancellationRequested();
            }

            hmac.AppendData(last);
            hmac.GetHashAndReset(last);
            Xor(sum, last);
        }

        sum[..key.Length].CopyTo(key);
        CryptographicOperations.ZeroMemory(last);
        CryptographicOperations.ZeroMemory(sum);
    }

    private static void Xor(Span<byte> sum, ReadOnlySpan<byte> other)
    {
        Span<ulong> words = MemoryMarshal.Cast<byte, ulong>(sum);
        ReadOnlySpan<ulong> others = MemoryMarshal.Cast<byte, ulong>(other);
        for (int i = 0; i < words.Length; i++)
        {
            words[i] ^= others[i];
        }
    }
}

/// <summary>
/// How many rounds of key derivation the volumes of a backup may cost. A header can ask for seconds
/// of work and need not be opened by the passphrase: rounds for such headers are counted together,
/// for the whole run. Safe for concurrent use.
/// </summary>
/// <param name="maxIterations">The most that one header may ask for. Twice as many are spent for
/// headers that the passphrase does not open.</param>
#pragma warning disable CA1001 // A semaphore has something to dispose only if its wait handle is used.
internal sealed class KeyBudget(int maxIterations)
#pragma warning restore CA1001
{
    // Fewer rounds than these take less than a second. More are derived one at a time, so that each
    // failure counts before the next one begins.
    private const int FewIterations = 1_000_000;

    // What Duplicati writes.
    private const int UsualIterations = 300_000;

    private readonly SemaphoreSlim many = new(1);
    private long wasted;
    private long wastedOnOthers;
    private int usual = UsualIterations;

    public int MaxIterations => maxIterations;

    /// <param name="iterations">What the header asks for.</param>
    /// <param name="isFileList">Whether it is a file list. Among the other volumes that ask for
    /// unusually many rounds, only one is tried in vain: a user does not select them by name, as
    /// with a file list, and anyone who can write to the store can put many there.</param>
    /// <param name="open">Derives the key.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    public async ValueTask<AesCryptSession> OpenAsync(
        int iterations,
        bool isFileList,
        Func<ValueTask<AesCryptSession>> open,
        CancellationToken cancellationToken
    )
    {
        if (iterations <= FewIterations)
        {
            return await OpenCountedAsync(iterations, isFileList, open).ConfigureAwait(false);
        }

        await many.WaitAsync(cancellationToken).ConfigureAwait(false);
        try
        {
            return await OpenCountedAsync(iterations, isFileList, open).ConfigureAwait(false);
        }
        finally
        {
            many.Release();
        }
    }

    private async ValueTask<AesCryptSession> OpenCountedAsync(
        int iterations,
        bool isFileList,
        Func<ValueTask<AesCryptSession>> open
    )
    {
        // Versions 0 to 2 have a fixed number of rounds, which takes milliseconds. They are never
        // refused here.
        bool isTooMuch =
            Interlocked.Read(ref wasted) + iterations > 2L * maxIterations
            && iterations > AesCryptHeader.FixedKeyIterations;
        if (
            isTooMuch
            || (!isFileList && iterations > Volatile.Read(ref usual) && Interlocked.Read(ref wastedOnOthers) > 0)
        )
        {
            throw new InvalidDataException(
                $"The volume's header asks for {iterations} rounds of key derivation, after {Interlocked.Read(ref wasted)} rounds for volumes that the "
                    + "passphrase does not open"
            ).With(IssueCode.KeyIterationsExceeded);
        }

        try
        {
            AesCryptSession session = await open().ConfigureAwait(false);
            Raise(iterations);
            return session;
        }
        catch (PassphraseException)
        {
            Interlocked.Add(ref wasted, iterations);
            Interlocked.Add(ref wastedOnOthers, isFileList ? 0 : iterations);
            throw;
        }
    }

    /// <summary>
    /// Rounds count as usual once the passphrase opens a volume that asks for them. In version 0
    /// only the end of the stream shows that, but version 0 asks for few.
    /// </summary>
    private void Raise(int iterations)
    {
        // Other threads may raise the value at the same time. It must not become lower again.
        int before = Volatile.Read(ref usual);
        while (
            iterations > before
            && Interlocked.CompareExchange(ref usual, iterations, before) is int seen
            && seen != before
        )
        {
            before = seen;
        }
    }
}
