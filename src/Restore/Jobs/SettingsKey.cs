namespace Restore.Jobs;

/// <summary>
/// Decrypts settings in the server's database: <c>enc-v1:</c>, the SHA-256 of the rest, the SHA-256
/// of the key, and an AES Crypt stream, all in hexadecimal digits.
/// </summary>
internal sealed class SettingsKey(string? key)
{
    private const string Prefix = "enc-v1:";
    private const int HashDigits = 2 * SHA256.HashSizeInBytes;

    private readonly string? hash = string.IsNullOrEmpty(key) ? null : HashOf(key);

    /// <summary>
    /// A setting that is not encrypted is returned unchanged. Null comes with the reason.
    /// </summary>
    public async Task<(string? Text, string? Problem)> OpenAsync(string value, CancellationToken cancellationToken)
    {
        if (!value.StartsWith(Prefix, StringComparison.Ordinal))
        {
            return (value, null);
        }

        string rest = value[Prefix.Length..];
        if (
            rest.Length < 2 * HashDigits
            || !HashOf(rest[(2 * HashDigits)..]).Equals(rest[..HashDigits], StringComparison.OrdinalIgnoreCase)
        )
        {
            return (null, RestoreErrorCode.ServerDatabaseUnusable);
        }

        if (hash is null)
        {
            return (null, RestoreErrorCode.SettingsKeyMissing);
        }

        if (!hash.Equals(rest[HashDigits..(2 * HashDigits)], StringComparison.OrdinalIgnoreCase))
        {
            return (null, RestoreErrorCode.SettingsKeyWrong);
        }

        try
        {
            byte[] plain = await AesText
                .DecryptAsync(Convert.FromHexString(rest[(2 * HashDigits)..]), key!, cancellationToken)
                .ConfigureAwait(false);
            return (Encoding.UTF8.GetString(plain), null);
        }
        catch (Exception failure) when (failure is PassphraseException or InvalidDataException or FormatException)
        {
            return (null, RestoreErrorCode.ServerDatabaseUnusable);
        }
    }

    private static string HashOf(string text) => Convert.ToHexString(SHA256.HashData(Encoding.UTF8.GetBytes(text)));
}
