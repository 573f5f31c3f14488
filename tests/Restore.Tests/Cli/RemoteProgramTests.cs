using Restore.Tests.Storage.Servers;

namespace Restore.Tests.Cli;

/// <summary>
/// The program, restoring from a server: what its libraries look up by name at run time is in it.
/// </summary>
public abstract class RemoteProgramTests(StoreServer server)
{
    private const string Fixture = "aes-100kb";

    [Fact]
    public async Task The_program_restores_from_a_server()
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

        var options = server.Options.Select(option => $"--{option.Key}={option.Value}");
        await ProgramRun.AssertRestoresAsync(Fixture, server.UrlOf(Fixture, server.Port), [.. options]);
    }
}

[Trait("Suite", "server")]
public sealed class S3ProgramTests(S3Server server) : RemoteProgramTests(server), IClassFixture<S3Server>;

[Trait("Suite", "server")]
public sealed class WebDavProgramTests(RcloneWebDavServer server)
    : RemoteProgramTests(server),
        IClassFixture<RcloneWebDavServer>;

[Trait("Suite", "server")]
public sealed class SftpProgramTests(RcloneSftpServer server)
    : RemoteProgramTests(server),
        IClassFixture<RcloneSftpServer>;

[Trait("Suite", "server")]
public sealed class AzureProgramTests(AzureServer server) : RemoteProgramTests(server), IClassFixture<AzureServer>;
