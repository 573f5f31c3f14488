using System.Security.Cryptography;
using Restore.Storage;
using Restore.Tests.Storage.Servers;

namespace Restore.Tests.Storage;

/// <summary>What becomes of a file when its data connection breaks.</summary>
[Trait("Suite", "server")]
public sealed class FtpFaultTests(FtpServer server) : IClassFixture<FtpServer>
{
    private const int FileBytes = 1_000_000;
    private const int Arrived = 300_000;
    private const string FileName = "volume.zip";

    private readonly string folder = $"f-{Guid.NewGuid():N}";
    private readonly byte[] content = RandomNumberGenerator.GetBytes(FileBytes);

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    [Theory]
    [InlineData("reset")]
    [InlineData("ended")]
    [InlineData("stalled")]
    public async Task A_data_connection_that_breaks_once_costs_time_and_no_bytes(string how)
    {
        await FillAsync();
        await using FtpFaultProxy proxy = new(server.Port, FaultOf(how) with { Times = 1 });
        await using IVolumeStore store = server.Open(folder, proxy.Port, ("read-write-timeout", "2s"));
        byte[] destination = new byte[FileBytes];

        Assert.Equal(FileBytes, await store.ReadAsync(FileName, 0, destination, Token));

        Assert.True(content.AsSpan().SequenceEqual(destination));
        Assert.InRange(proxy.Transfers, 2, 10);
    }

    [Theory]
    [InlineData("reset")]
    [InlineData("ended")]
    [InlineData("stalled")]
    public async Task A_file_whose_data_connections_never_bring_a_byte_is_lost_in_bounded_time(string how)
    {
        await FillAsync();
        Fault nothing = how switch
        {
            "reset" => new Fault { ResetAfter = 0 },
            "ended" => new Fault { EndAfter = 0 },
            _ => new Fault { StallAfter = 0 },
        };
        await using FtpFaultProxy proxy = new(server.Port, nothing);
        await using IVolumeStore store = server.Open(folder, proxy.Port, ("read-write-timeout", "2s"));

        IOException failure = await Assert.ThrowsAsync<IOException>(async () =>
            await store.ReadAsync(FileName, 0, new byte[FileBytes], Token)
        );

        Assert.Contains(
            $"{FileName} could not be read from {store.DisplayName} in 3 tries",
            failure.Message,
            StringComparison.Ordinal
        );
        Assert.DoesNotContain(server.Secret, failure.ToString(), StringComparison.Ordinal);
    }

    private static Fault FaultOf(string how) =>
        how switch
        {
            "reset" => new Fault { ResetAfter = Arrived },
            "ended" => new Fault { EndAfter = Arrived },
            _ => new Fault { StallAfter = Arrived },
        };

    private async Task FillAsync()
    {
        await server.MakeFolderAsync(folder);
        await server.PutAsync(folder, FileName, content);
    }
}
