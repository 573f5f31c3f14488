using Restore.Cli;

namespace Restore.Tests.Cli;

/// <summary>OpenSSL, which .NET needs on Linux.</summary>
public sealed class OpenSslCheckTests
{
    private const string Missing = "cannot open shared object file: No such file or directory";

    [Theory]
    [InlineData("libssl.so.3")]
    [InlineData("libssl.so.1.1")]
    public void One_usable_version_is_enough(string there) =>
        Assert.Null(OpenSslCheck.Problem(_ => null, name => name == there ? null : Missing));

    [Fact]
    public void A_version_that_the_user_names_for_NET_counts() =>
        Assert.Null(
            OpenSslCheck.Problem(
                name => name == "CLR_OPENSSL_VERSION_OVERRIDE" ? "81" : null,
                name => name == "libssl.so.81" ? null : Missing
            )
        );

    [Fact]
    public void Without_one_the_package_is_named()
    {
        var problem = OpenSslCheck.Problem(_ => null, _ => Missing);
        Assert.Equal(ExitCodes.Failed, problem!.ExitCode);
        Assert.StartsWith("OpenSSL is missing", problem.Message, StringComparison.Ordinal);
        Assert.Contains("apt install libssl3", problem.Advice, StringComparison.Ordinal);
    }

    [Fact]
    public void One_that_is_there_and_does_not_load_is_not_called_missing()
    {
        var problem = OpenSslCheck.Problem(
            _ => null,
            name => name == "libssl.so.3" ? "failed to map segment from shared object" : Missing
        );
        Assert.Equal(
            "OpenSSL is there and cannot be loaded, and hashes and decryption need it: failed to map segment from shared object",
            problem!.Message
        );
        Assert.DoesNotContain("nstall", problem.Advice, StringComparison.Ordinal);
    }

    [Fact]
    public void This_machine_has_one() => OpenSslCheck.Require(Environment.GetEnvironmentVariable);
}
