using Restore.Tests.Support;

namespace Restore.Tests.Streams;

/// <summary>
/// Small files of a tree come with their neighbors: a volume is not read again for each of them.
/// </summary>
public sealed class NeighborReadsTests
{
    private const int Files = 1000;
    private const int BytesEach = 2000;

    [Theory]
    [InlineData(1)]
    [InlineData(50)]
    [InlineData(Files)]
    public async Task Files_that_are_read_in_order_cost_little_more_than_their_bytes(int count)
    {
        using MadeBackup made = await MadeBackup.WriteAsync(Files, BytesEach);
        await using Backup backup = await Backup.OpenAsync(made.Store);
        await using BackupTree tree = await backup.OpenTreeAsync(backup.Versions[0], new BlockMemory());
        await ReadAsync(made, tree, Files - 1);
        long before = made.Store.BytesRead;
        for (int file = 0; file < count; file++)
        {
            await ReadAsync(made, tree, file);
        }

        // What is read ahead is at most some windows, and each volume has its directory.
        Assert.InRange(made.Store.BytesRead - before, count * BytesEach, (4L * count * BytesEach) + (1500 << 10));
    }

    [Fact]
    public async Task Some_tiny_files_of_a_folder_do_not_bring_those_of_other_folders()
    {
        const int FilesInFolder = 100;
        const int TinyBytes = 300;
        using MadeBackup made = await MadeBackup.WriteAsync(4000, TinyBytes, FilesInFolder, isOneVolume: true);
        await using Backup backup = await Backup.OpenAsync(made.Store);
        await using BackupTree tree = await backup.OpenTreeAsync(backup.Versions[0], new BlockMemory());

        // The directory of the volume is in memory from here on.
        await ReadAsync(made, tree, FilesInFolder - 1);
        long before = made.Store.BytesRead;
        for (int file = 0; file < FilesInFolder / 2; file++)
        {
            await ReadAsync(made, tree, file);
        }

        // In the volume a file has its metadata, and two headers, with it.
        Assert.InRange(made.Store.BytesRead - before, FilesInFolder * TinyBytes / 2, FilesInFolder * TinyBytes * 4);
    }

    [Fact]
    public async Task Looking_into_a_version_on_a_server_reads_its_list_once()
    {
        using MadeBackup made = await MadeBackup.WriteAsync(Files, BytesEach);
        await using Backup backup = await Backup.OpenAsync(made.Store);
        await foreach (BackupEntry _ in backup.ListAsync(backup.Versions[0])) { }

        await using BackupTree tree = await backup.OpenTreeAsync(backup.Versions[0], new BlockMemory());
        await ReadAsync(made, tree, 0);
        Assert.Equal(1, made.Store.ReadsOf("dlist"));
    }

    [Fact]
    public async Task A_file_that_is_read_alone_does_not_cost_the_directory_of_its_volume_again()
    {
        using MadeBackup made = await MadeBackup.WriteAsync(Files, BytesEach);
        await using Backup backup = await Backup.OpenAsync(made.Store);

        // Nothing stays in memory but the directories.
        await using BackupTree tree = await backup.OpenTreeAsync(backup.Versions[0], new BlockMemory(1 << 20));
        for (int round = 0; round < 2; round++)
        {
            long before = made.Store.BytesRead;
            for (int file = Files - 1; file >= 0; file -= 200)
            {
                await ReadAsync(made, tree, file);
            }

            Assert.InRange(made.Store.BytesRead - before, 0, round == 0 ? long.MaxValue : 5 * (320 << 10));
        }
    }

    [Fact]
    public async Task A_volume_that_can_only_be_read_whole_is_read_once_while_its_files_are_in_use()
    {
        using MadeBackup made = await MadeBackup.WriteAsync(Files, BytesEach);
        made.Store.HasRanges = false;
        await using Backup backup = await Backup.OpenAsync(made.Store);
        await using BackupTree tree = await backup.OpenTreeAsync(backup.Versions[0], new BlockMemory());
        int[] order = [.. Enumerable.Range(0, Files)];
        new Random(1).Shuffle(order);
        foreach (int file in order.Take(300))
        {
            await ReadAsync(made, tree, file);
        }

        Assert.Equal(
            made.Store.Names.Count(name => name.Contains("dblock", StringComparison.Ordinal)),
            made.Store.ReadsOf("dblock")
        );
    }

    /// <summary>
    /// The neighbors arrive with the block that is read, which is in memory at no time.
    /// </summary>
    [Fact]
    public async Task A_block_that_does_not_fit_into_memory_is_not_mistaken_for_a_neighbor_in_its_volume()
    {
        using MadeBackup made = await MadeBackup.WriteAsync(
            files: 3,
            bytesEach: 2 << 20,
            isOneVolume: true,
            blockSizeBytes: 2 << 20
        );
        made.Store.HasRanges = false;
        await using Backup backup = await Backup.OpenAsync(made.Store);
        await using BackupTree tree = await backup.OpenTreeAsync(backup.Versions[0], new BlockMemory(1 << 20));
        for (int file = 0; file < 3; file++)
        {
            await ReadAsync(made, tree, file);
        }
    }

    private static async Task ReadAsync(MadeBackup made, BackupTree tree, int file)
    {
        TreeId node = BackupTree.Root;
        foreach (string name in made.PathOf(file).Split('/', StringSplitOptions.RemoveEmptyEntries))
        {
            node = tree.Find(node, System.Text.Encoding.UTF8.GetBytes(name))!.Value;
        }

        await using Stream content = await tree.OpenFileAsync(node);
        using MemoryStream copy = new();
        await content.CopyToAsync(copy);
        Assert.Equal(made.ContentOf(file), copy.ToArray());
    }
}
