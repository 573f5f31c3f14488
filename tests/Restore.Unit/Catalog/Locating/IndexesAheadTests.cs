using Restore.Tests.Streams;

namespace Restore.Tests.Catalog.Locating;

/// <summary>Index volumes of a remote store come while the file list is on its way.</summary>
public sealed class IndexesAheadTests
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(20);

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task An_index_volume_is_asked_for_before_the_file_list_has_come(bool isPlan)
    {
        using MadeBackup made = await MadeBackup.WriteAsync(files: 3, bytesEach: 1 << 20);
        TaskCompletionSource asked = new(TaskCreationOptions.RunContinuationsAsynchronously);
        made.Store.BeforeRead = async (name, token) =>
        {
            if (name.Contains(".dindex.", StringComparison.Ordinal))
            {
                asked.TrySetResult();
            }
            else if (name.Contains(".dlist.", StringComparison.Ordinal))
            {
                await asked.Task.WaitAsync(Patience, token);
            }
        };
        await using Backup backup = await Backup.OpenAsync(made.Store);
        await UseAsync(backup, made, isPlan);
        Assert.Equal(0, backup.Pool.OutstandingBuffers);
        IEnumerable<string> indexes = made
            .Store.Reads.Select(read => read.Name)
            .Where(name => name.Contains(".dindex.", StringComparison.Ordinal));
        Assert.Distinct(indexes);
    }

    [Fact]
    public async Task One_that_cannot_be_read_ahead_is_read_again_when_it_is_needed()
    {
        using MadeBackup made = await MadeBackup.WriteAsync(files: 3, bytesEach: 1 << 20);
        int failures = 0;
        TaskCompletionSource failed = new(TaskCreationOptions.RunContinuationsAsynchronously);
        made.Store.BeforeRead = async (name, token) =>
        {
            if (name.Contains(".dindex.", StringComparison.Ordinal) && !failed.Task.IsCompleted)
            {
                failures++;
                failed.TrySetResult();
                throw new IOException("The line is bad");
            }

            await failed.Task.WaitAsync(Patience, token);
        };
        await using Backup backup = await Backup.OpenAsync(made.Store);
        await UseAsync(backup, made, isPlan: false);
        Assert.Equal(1, failures);
    }

    [Fact]
    public async Task A_list_that_cannot_be_read_ends_the_reads_ahead()
    {
        using MadeBackup made = await MadeBackup.WriteAsync(files: 3, bytesEach: 1 << 20);
        made.Store.BeforeRead = async (name, token) =>
        {
            if (name.Contains(".dindex.", StringComparison.Ordinal))
            {
                await Task.Delay(Timeout.Infinite, token);
            }

            throw new IOException("The list is gone");
        };
        await using Backup backup = await Backup.OpenAsync(made.Store);
        await Assert.ThrowsAsync<RestoreException>(() =>
            backup.OpenEntryAsync(backup.Versions[0], made.PathOf(0)).WaitAsync(Patience)
        );
        Assert.Equal(0, backup.Pool.OutstandingBuffers);
    }

    private static async Task UseAsync(Backup backup, MadeBackup made, bool isPlan)
    {
        if (isPlan)
        {
            await backup.PlanAsync(backup.Versions[0], new RestoreOptions { VerifyOnly = true }).WaitAsync(Patience);
            return;
        }

        await using Stream stream = await backup.OpenEntryAsync(backup.Versions[0], made.PathOf(1)).WaitAsync(Patience);
        byte[] start = new byte[1000];
        await stream.ReadExactlyAsync(start).AsTask().WaitAsync(Patience);
        Assert.Equal(made.ContentOf(1)[..1000], start);
        await stream.DisposeAsync();
        while (backup.Pool.OutstandingBuffers > 0)
        {
            await Task.Delay(10);
        }
    }
}
