namespace Restore.Tests.PublicApi;

/// <summary>Options with secrets do not print them, so that logging the object is safe.</summary>
public sealed class SecretTests
{
    [Fact]
    public void Options_do_not_print_their_secrets()
    {
        object[] options =
        [
            new BackupOptions
            {
                Passphrase = "s3cret",
                StoreOptions = new Dictionary<string, string> { ["auth-password"] = "s3cret" },
            },
            new BackupWriterOptions
            {
                Sources = [],
                Destination = "out",
                Passphrase = "s3cret",
            },
        ];
        Assert.All(options, option => Assert.Equal(option.GetType().Name, option.ToString()));
    }
}
