using Restore.Cli;

namespace Restore.Tests.Cli;

/// <summary>OpenSSL, which .NET needs on Linux.</summary>
public sealed class OpenSslCheckTests
{
    [Theory]
    [InlineData("libssl.so.3")]
    [InlineData("libssl.so.1.1")]
    public void One_usable_version_is_enough(string there) =>
        Assert.Null(OpenSslCheck.Problem(_ => null, name => name == there));

    [Fact]
    public void A_version_that_the_user_names_for_NET_counts() =>
        Assert.Null(
            OpenSslCheck.Problem(
                name => name == "CLR_OPENSSL_VERSION_OVERRIDE" ? "81" : null,
                name => name == "libssl.so.81"
            )
        );

    [Fact]
    public void Without_one_the_package_is_named()
    {
        var problem = OpenSslCheck.Problem(_ => null, _ => false);
        Assert.Equal(ExitCodes.Failed, problem!.ExitCode);
        Assert.StartsWith("OpenSSL is missing", problem.Message, StringComparison.Ordinal);
        Assert.Contains("apt install libssl3", problem.Advice, StringComparison.Ordinal);
    }

    [Fact]
    public void This_machine_has_one() => OpenSslCheck.Require(Environment.GetEnvironmentVariable);
}
