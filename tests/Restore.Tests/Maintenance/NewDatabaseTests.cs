using Restore.Maintenance.Database;

namespace Restore.Tests.Maintenance;

/// <summary>A database that is being made, without a backup.</summary>
public sealed class NewDatabaseTests
{
    [Fact]
    public async Task An_interruption_after_the_last_row_meets_no_closed_database()
    {
        using TempFolder folder = new();
        using CancellationTokenSource interruption = new();
        using NewDatabase database = NewDatabase.Create(Path.Join(folder.Path, "made.sqlite"), interruption.Token);
        await database.CompleteAsync(_ => Task.CompletedTask);
        await interruption.CancelAsync();
        Assert.True(File.Exists(Path.Join(folder.Path, "made.sqlite")));
    }

    /// <summary>
    /// Rows are inserted on another thread: who adds them learns it at the latest when the database
    /// is complete, and does not wait forever.
    /// </summary>
    [Theory]
    [InlineData(2)]
    [InlineData(100_000)]
    public async Task A_row_that_cannot_be_inserted_ends_the_database(int rows)
    {
        using TempFolder folder = new();
        await Task.Run(async () =>
            {
                using NewDatabase database = NewDatabase.Create(
                    Path.Join(folder.Path, "made.sqlite"),
                    CancellationToken.None
                );
                RestoreException failure = await Assert.ThrowsAsync<RestoreException>(async () =>
                {
                    Insertion insertion = database.Insert("Version", "ID", "Version");
                    for (int row = 0; row < rows; row++)
                    {
                        insertion.Add(7).Add(row).Run();
                    }

                    await database.CompleteAsync(_ => Task.CompletedTask);
                });
                Assert.Equal(RestoreErrorCode.OutputNotWritable, failure.Code);
            })
            .WaitAsync(TimeSpan.FromSeconds(30));
        Assert.Empty(Directory.EnumerateFileSystemEntries(folder.Path));
    }
}
