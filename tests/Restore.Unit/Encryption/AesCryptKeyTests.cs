using System.Security.Cryptography;
using System.Text;
using Restore.Encryption;

namespace Restore.Tests.Encryption;

/// <summary>
/// Deriving the keys of AES Crypt version 3, whose header says how long it takes.
/// </summary>
public sealed class AesCryptKeyTests
{
    [Theory]
    [InlineData("", 1)]
    [InlineData("correct horse", 2)]
    [InlineData("€uro", 5000)]
    public void A_key_that_can_be_interrupted_is_that_of_the_system(string passphrase, int rounds)
    {
        byte[] password = Encoding.UTF8.GetBytes(passphrase);
        byte[] salt = [.. Enumerable.Range(0, 16).Select(value => (byte)value)];
        byte[] key = new byte[32];

        AesCryptKey.DeriveInterruptibly(password, salt, rounds, key, CancellationToken.None);

        Assert.Equal(Rfc2898DeriveBytes.Pbkdf2(password, salt, rounds, HashAlgorithmName.SHA512, 32), key);
    }

    [Fact]
    public async Task A_derivation_of_hours_ends_when_it_is_cancelled()
    {
        using var cancel = new CancellationTokenSource();
        var header = new AesCryptHeader(
            Version: 3,
            LastBlockBytes: 0,
            KeyIterations: int.MaxValue,
            IvOffset: 0,
            BodyOffset: 0
        );
        Task deriving = Task.Run(
            () => AesCryptKey.DeriveAsync(header, "correct horse", new byte[16], new byte[32], cancel.Token).AsTask(),
            TestContext.Current.CancellationToken
        );

        await cancel.CancelAsync();

        await Assert.ThrowsAnyAsync<OperationCanceledException>(() =>
            deriving.WaitAsync(TimeSpan.FromMinutes(1), TestContext.Current.CancellationToken)
        );
    }
}
