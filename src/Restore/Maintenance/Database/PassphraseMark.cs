namespace Restore.Maintenance.Database;

/// <summary>
/// What a database keeps of the passphrase, so that Duplicati notices another one: a salted hash.
/// </summary>
internal static class PassphraseMark
{
    private const int Rounds = 1200;
    private const int SaltBytes = 32;

    public static string NewSalt() => "v1:" + Convert.ToHexString(RandomNumberGenerator.GetBytes(SaltBytes));

    public static string Of(string passphrase, string salt)
    {
        byte[] prefix = Encoding.UTF8.GetBytes(salt);
        byte[] hash = SHA256.HashData([.. prefix, .. Encoding.UTF8.GetBytes(passphrase)]);
        for (int i = 0; i < Rounds; i++)
        {
            hash = SHA256.HashData([.. prefix, .. hash]);
        }

        return Convert.ToHexString(hash);
    }
}
