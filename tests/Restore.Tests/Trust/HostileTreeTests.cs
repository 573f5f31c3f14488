namespace Restore.Tests.Trust;

/// <summary>Small backups that were made to fill the memory of a program that shows their trees.</summary>
[Collection(nameof(Alone))]
public sealed class HostileTreeTests
{
    [Fact]
    public async Task Metadata_of_many_entries_of_a_tree_is_in_memory_a_window_at_a_time()
    {
        byte[] metadata = MadeBackup.Metadata(("unix-ext:user.large", Convert.ToBase64String(new byte[600_000])));
        using MadeBackup made = new(blockSizeBytes: 1 << 20);
        for (int i = 0; i < 2000; i++)
        {
            made.Folder($"/data/{i}/", metadata);
        }

        await using Backup backup = await Backup.OpenAsync(made.Write().Source);
        await using BackupTree tree = await backup.OpenTreeAsync(backup.Versions[0], new BlockMemory(32 << 20));

        // What the tree holds, not what the collector has yet to free: its budget depends on the
        // tests that ran before in this process.
        long startBytes = GC.GetTotalMemory(forceFullCollection: true);
        long heldBytes = 0;
        long bytes = 0;
        int read = 0;
        await foreach (
            ExportedEntry? entry in tree.ReadMetadataAsync([
                .. Enumerable.Range(0, tree.Count).Select(number => new TreeId(number)),
            ])
        )
        {
            bytes += entry!.ExtendedAttributes.Sum(attribute => (long)attribute.Value.Length);
            if (read++ % 100 == 0)
            {
                heldBytes = Math.Max(heldBytes, GC.GetTotalMemory(forceFullCollection: true) - startBytes);
            }
        }

        Assert.Equal(2000L * 600_000, bytes);
        Assert.InRange(heldBytes, long.MinValue, 100 << 20);
    }
}
