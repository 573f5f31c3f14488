using Restore.Cli;
using Restore.Tests.Storage.Servers;

namespace Restore.Tests.Cli;

/// <summary>
/// The user and the password of a store are asked for on a terminal, if they are needed and were
/// not given.
/// </summary>
[Trait("Suite", "server")]
public sealed class CredentialsPromptTests(RcloneWebDavServer server) : IClassFixture<RcloneWebDavServer>
{
    private const string Fixture = "plain-1mb";

    [Fact]
    public async Task They_are_asked_for_until_the_store_takes_them()
    {
        await PutAsync();
        Queue<string> answers = new(["someone", "backup"]),
            secrets = new(["wrong", server.Secret]);

        var run = await CliRun.OfAsync(
            environment => environment with { Ask = _ => answers.Dequeue(), AskSecret = _ => secrets.Dequeue() },
            "versions",
            server.UrlOf(Fixture, server.Port),
            Hash
        );

        Assert.True(run.ExitCode == ExitCodes.Complete, run.Error);
        Assert.Equal(
            2,
            run.Error.Split('\n')
                .Count(line => line.StartsWith("The store refused the user name or password", StringComparison.Ordinal))
        );
        Assert.Empty(secrets);
    }

    [Theory]
    [InlineData("--auth-username=backup", "--auth-password=wrong")]
    [InlineData("--auth-username=backup", "--verbose")]
    public async Task What_was_given_is_not_asked_for(string user, string password)
    {
        await PutAsync();
        var asked = "";

        var run = await CliRun.OfAsync(
            environment => environment with { Ask = prompt => asked += prompt, AskSecret = prompt => Answer(prompt) },
            "versions",
            server.UrlOf(Fixture, server.Port),
            Hash,
            user,
            password
        );

        Assert.Equal(password == "--verbose" ? ExitCodes.Complete : ExitCodes.Failed, run.ExitCode);
        Assert.Equal(password == "--verbose" ? CredentialsPrompt.Password : "", asked);

        string Answer(string prompt)
        {
            asked += prompt;
            return server.Secret;
        }
    }

    private string Hash => $"--accept-specified-ssl-hash={server.CertificateHash}";

    private async Task PutAsync()
    {
        await server.MakeFolderAsync(Fixture);
        foreach (var file in Directory.GetFiles(Fixtures.Backup(Fixture)))
        {
            await server.PutAsync(
                Fixture,
                Path.GetFileName(file),
                await File.ReadAllBytesAsync(file, TestContext.Current.CancellationToken)
            );
        }
    }
}
