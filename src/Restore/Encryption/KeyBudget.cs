namespace Restore.Encryption;

/// <summary>
/// How many rounds of key derivation the volumes of a backup may cost. A header can ask for seconds of work and need not be opened by the passphrase: rounds
/// for such headers are counted together, for the whole run. Safe for concurrent use.
/// </summary>
/// <param name="maxIterations">The most that one header may ask for. Twice as many are spent for headers that the passphrase does not open.</param>
internal sealed class KeyBudget(int maxIterations)
{
    // Fewer rounds than these take less than a second. More are derived one at a time, so that each failure counts before the next one begins.
    private const int FewIterations = 1_000_000;

    private readonly Lock many = new();
    private long wasted;

    public int MaxIterations => maxIterations;

    /// <summary>Opens a header.</summary>
    /// <exception cref="InvalidDataException">Too much was spent for headers that the passphrase does not open.</exception>
    public AesCryptSession Open(int iterations, Func<AesCryptSession> open)
    {
        if (iterations <= FewIterations)
        {
            return OpenCounted(iterations, open);
        }

        lock (many)
        {
            return OpenCounted(iterations, open);
        }
    }

    private AesCryptSession OpenCounted(int iterations, Func<AesCryptSession> open)
    {
        if (Interlocked.Read(ref wasted) + iterations > 2L * maxIterations && iterations > AesCryptHeader.FixedKeyIterations)
        {
            throw new InvalidDataException(
                $"The volume's header asks for {iterations} rounds of key derivation, after {Interlocked.Read(ref wasted)} rounds for volumes that the "
                + "passphrase does not open").With(IssueCode.KeyIterationsExceeded);
        }

        try
        {
            return open();
        }
        catch (PassphraseException)
        {
            Interlocked.Add(ref wasted, iterations);
            throw;
        }
    }
}
