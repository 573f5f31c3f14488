using Restore.Mount;

namespace Restore.Tests.Mount;

/// <summary>
/// A file of sound blocks that does not have its hash: a program that reads all of it gets an
/// error, in whatever order the kernel asks.
/// </summary>
public sealed class ContradictedFileTests
{
    private const string Name = "tmp/fx/src/damaged-base-plain/data/letters/v1.txt";

    [Fact]
    public async Task The_end_of_it_cannot_be_read_not_even_page_by_page_or_when_it_is_opened_again()
    {
        await using MountWalk walk = await OpenAsync();
        NodeFacts file = await FileAsync(walk);
        await FailsAsync(walk, file, 0, file.SizeBytes);
        await FailsAsync(walk, file, file.SizeBytes - 1, 4096);
        ulong handle = await walk.Files.OpenAsync(file.Node, default);
        Assert.Equal(5, await walk.Files.ReadAsync(handle, 0, new byte[5], default));
        await walk.Files.CloseAsync(handle);
    }

    [Fact]
    public async Task It_is_noticed_when_the_last_part_is_read_first()
    {
        await using MountWalk walk = await OpenAsync();
        NodeFacts file = await FileAsync(walk);
        int half = (int)file.SizeBytes / 2;
        ulong handle = await walk.Files.OpenAsync(file.Node, default);
        Assert.Equal(file.SizeBytes - half, await walk.Files.ReadAsync(handle, half, new byte[4096], default));
        Assert.Equal(half - 3, await walk.Files.ReadAsync(handle, 3, new byte[half - 3], default));
        await Assert.ThrowsAsync<IOException>(async () => await walk.Files.ReadAsync(handle, 0, new byte[3], default));
        await walk.Files.CloseAsync(handle);
        await FailsAsync(walk, file, half, 4096);
    }

    private static Task<MountWalk> OpenAsync() =>
        MountWalk.OpenAsync(cancellation =>
            Backup.OpenAsync(Fixtures.Backup("damaged/file-hash-wrong-plain"), null, cancellation)
        );

    private static async Task<NodeFacts> FileAsync(MountWalk walk)
    {
        string version = (await walk.ListAsync((await walk.FindAsync("versions"))!.Value.Node)).Max(entry =>
            entry.Name
        )!;
        return (await walk.FindAsync($"versions/{version}/{Name}"))!.Value;
    }

    private static async Task FailsAsync(MountWalk walk, NodeFacts file, long offset, long count)
    {
        ulong handle = await walk.Files.OpenAsync(file.Node, default);
        await Assert.ThrowsAsync<IOException>(async () =>
            await walk.Files.ReadAsync(handle, offset, new byte[count], default)
        );
        await walk.Files.CloseAsync(handle);
    }
}
