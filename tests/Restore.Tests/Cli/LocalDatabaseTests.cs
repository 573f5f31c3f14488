using Microsoft.Data.Sqlite;
using Restore.Cli;
using Restore.Tests.Maintenance;
using Restore.Tests.Writing;

namespace Restore.Tests.Cli;

/// <summary>Duplicati's database, kept true by the commands that change a backup.</summary>
public sealed class LocalDatabaseTests : IDisposable
{
    private const string OwnSettings = """
        INSERT INTO Configuration VALUES ('dblock-size', '52428800'), ('repair-in-progress', 'true');
        INSERT INTO LogData VALUES (7, 1, 1767225600, 'Result', 'what a job says', NULL);
        INSERT INTO RemoteOperation VALUES (9, 1, 1767225600, 'put', 'a name', 'data');
        UPDATE Remotevolume SET VerificationCount = 3, LockExpirationTime = 1800000000
        """;

    private readonly RoundTrip trip = new();

    private string Database => Path.Join(trip.Folder, "job.sqlite");

    public void Dispose() => trip.Dispose();

    [Fact]
    public async Task After_a_backup_a_deletion_a_compact_and_a_repair_it_is_what_a_new_one_is()
    {
        await BackUpAsync("first");
        await AssertTrueAsync();
        await BackUpAsync("second");
        await AssertTrueAsync();
        await RunAsync("delete", trip.Destination, "--keep-versions=1", "--yes");
        await AssertTrueAsync();
        await RunAsync("compact", trip.Destination, "--threshold=1", "--yes");
        await AssertTrueAsync();
        File.Delete(Directory.GetFiles(trip.Destination, "*.dindex*")[0]);
        await RunAsync("repair", trip.Destination);
        await AssertTrueAsync();

        CliRun same = await RunAsync("repair", trip.Destination);
        Assert.Contains("The database is up to date: ", same.Output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task One_that_cannot_be_written_is_refused_before_anything_is_done()
    {
        await BackUpAsync("first");
        string[] before = Directory.GetFiles(trip.Destination);
        string device = OperatingSystem.IsLinux() ? "/proc/job.sqlite" : trip.Folder;
        await File.WriteAllTextAsync(Path.Join(trip.Source, "new"), "new", TestContext.Current.CancellationToken);
        foreach (string database in new[] { Path.Join(trip.Folder, "no such folder", "job.sqlite"), device })
        {
            foreach (
                string[] command in (string[][])
                    [
                        ["backup", trip.Source, trip.Destination, "--no-encryption"],
                        ["delete", trip.Destination, "--version=0", "--allow-full-removal", "--yes"],
                    ]
            )
            {
                CliRun run = await CliRun.OfAsync([.. command, $"--dbpath={database}"]);
                Assert.Contains(run.ExitCode, new[] { ExitCodes.Usage, ExitCodes.TargetNotWritable });
                Assert.Equal(before, Directory.GetFiles(trip.Destination));
            }
        }
    }

    [Fact]
    public async Task What_only_the_old_one_knows_stays_and_so_does_the_file()
    {
        await BackUpAsync("first");
        Execute(OwnSettings);
        string link = Path.Join(trip.Folder, "link.sqlite");
        File.CreateSymbolicLink(link, Database);
        UnixFileMode mode = UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.GroupRead;
        if (!OperatingSystem.IsWindows())
        {
            File.SetUnixFileMode(Database, mode);
        }

        await BackUpAsync("second");
        Assert.Equal(["52428800"], Rows("SELECT Value FROM Configuration WHERE Key = 'dblock-size'"));
        Assert.Empty(Rows("SELECT Value FROM Configuration WHERE Key = 'repair-in-progress'"));
        Assert.Equal(
            ["Recreate|what a job says"],
            Rows("SELECT o.Description || '|' || l.Message FROM LogData l JOIN Operation o ON o.ID = l.OperationID")
        );
        Assert.Equal(["data"], Rows("SELECT Data FROM RemoteOperation"));
        Assert.Equal(["2"], Rows("SELECT COUNT(*) FROM Operation"));
        Assert.Equal(
            ["3"],
            Rows("SELECT COUNT(*) FROM Remotevolume WHERE VerificationCount = 3 AND LockExpirationTime = 1800000000")
        );
        Assert.Equal(["3"], Rows("SELECT COUNT(*) FROM Remotevolume WHERE VerificationCount = 0"));
        Assert.Equal(mode, OperatingSystem.IsWindows() ? mode : File.GetUnixFileMode(Database));
        Assert.NotNull(File.ResolveLinkTarget(link, returnFinalTarget: true));
        Assert.Equal(["backup", "job.sqlite", "link.sqlite", "source"], Names(trip.Folder));
        Execute("UPDATE Remotevolume SET LockExpirationTime = 0");
        await AssertTrueAsync();
    }

    [Theory]
    [InlineData("UPDATE Version SET Version = 18", "The database is of version 18, and a new one is of version 19")]
    [InlineData(
        "UPDATE Configuration SET Value = 'other' WHERE Key = 'prefix'",
        "The database belongs to the backup with the prefix other"
    )]
    [InlineData(
        "UPDATE Remotevolume SET Name = 'x' || ID",
        "The database belongs to another backup: none of the 3 volumes"
    )]
    [InlineData("DROP TABLE Configuration", "has no table Configuration as Duplicati makes it")]
    public async Task Another_database_is_refused_before_anything_is_changed(string change, string sentence)
    {
        await BackUpAsync("first");
        Execute(change);
        await AssertRefusedAsync(sentence);
    }

    [Fact]
    public async Task A_version_whose_list_is_damaged_is_not_forgotten()
    {
        await BackUpAsync("first");
        await BackUpAsync("second");
        string list = trip.VolumesOf("dlist").First();
        File.WriteAllBytes(list, new byte[100]);
        byte[] before = File.ReadAllBytes(Database);
        CliRun run = await BackUpAnotherAsync();
        Assert.NotEqual(ExitCodes.Complete, run.ExitCode);
        Assert.Contains(
            $"{Path.GetFileName(list)} cannot be used, and the database may be all that knows its version",
            run.Error,
            StringComparison.Ordinal
        );
        Assert.Equal(3, trip.VolumesOf("dlist").Count());
        Assert.Equal(before, File.ReadAllBytes(Database));
        Assert.Equal(["backup", "job.sqlite", "source"], Names(trip.Folder));
    }

    [Fact]
    public async Task A_database_in_use_is_refused_and_so_is_one_without_its_backup()
    {
        await BackUpAsync("first");
        File.WriteAllText(Database + "-wal", "x");
        await AssertRefusedAsync(
            "The database is in use, or the program that used it did not end well: there is job.sqlite-wal beside it"
        );
        File.Delete(Database + "-wal");
        Directory.Delete(trip.Destination, recursive: true);
        await AssertRefusedAsync("The database belongs to another backup: there is none at the destination yet");
    }

    [Theory]
    [InlineData(false, 0)]
    [InlineData(false, 8192)]
    [InlineData(true, 0)]
    public async Task What_a_killed_program_left_is_rolled_back(bool hasWritten, int headlessBytes)
    {
        await BackUpAsync("first");
        if (hasWritten)
        {
            LeaveUnfinished();
        }
        else
        {
            File.WriteAllBytes(
                Database + "-journal",
                [.. new byte[headlessBytes / 2], .. Enumerable.Repeat((byte)1, headlessBytes / 2)]
            );
        }

        await BackUpAsync("second");
        Assert.Equal(["backup", "job.sqlite", "source"], Names(trip.Folder));
        await AssertTrueAsync();
    }

    [Fact]
    public async Task A_database_that_another_program_changes_is_refused()
    {
        await BackUpAsync("first");
        using SqliteConnection other = new($"Data Source={Database};Pooling=False");
        other.Open();
        using SqliteCommand change = new(
            "PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE; UPDATE Configuration SET Value = Value || 'x'",
            other
        );
        change.ExecuteNonQuery();
        await AssertRefusedAsync(
            "The database is in use, or the program that used it did not end well: there is job.sqlite-journal beside it"
        );
    }

    [Fact]
    public async Task A_backup_that_fails_and_a_dry_run_leave_it_as_it_was()
    {
        await BackUpAsync("first");
        File.WriteAllText(
            Path.Join(trip.Destination, $"restore-lock.duplicati.20260101T000000Z.{Guid.NewGuid():N}.other"),
            ""
        );
        byte[] before = File.ReadAllBytes(Database);
        File.WriteAllText(Path.Join(trip.Source, "new"), "new");
        CliRun failed = await CliRun.OfAsync("backup", trip.Source, trip.Destination, $"--dbpath={Database}");
        Assert.Equal(ExitCodes.TargetNotWritable, failed.ExitCode);
        CliRun dry = await CliRun.OfAsync("backup", trip.Source, trip.Destination, $"--dbpath={Database}", "--dry-run");
        Assert.Equal(ExitCodes.Complete, dry.ExitCode);
        Assert.Equal(before, File.ReadAllBytes(Database));
    }

    /// <summary>
    /// Makes of the database what it is when its program is killed within a transaction of which a
    /// part is written.
    /// </summary>
    private void LeaveUnfinished()
    {
        using (SqliteConnection connection = new($"Data Source={Database};Pooling=False"))
        {
            connection.Open();
            using SqliteCommand change = new(
                "PRAGMA journal_mode = DELETE; PRAGMA cache_size = 1; BEGIN; UPDATE Configuration SET Value = hex(randomblob(100000))",
                connection
            );
            change.ExecuteNonQuery();
            File.Copy(Database, Database + ".copy");
            File.Copy(Database + "-journal", Database + ".log");
        }

        File.Move(Database + ".copy", Database, overwrite: true);
        File.Move(Database + ".log", Database + "-journal");
        Assert.NotEqual(0, new FileInfo(Database + "-journal").Length);
    }

    private async Task AssertRefusedAsync(string sentence)
    {
        string[] volumes = Directory.Exists(trip.Destination) ? Names(trip.Destination) : [];
        byte[] before = File.ReadAllBytes(Database);
        CliRun run = await BackUpAnotherAsync();
        Assert.NotEqual(ExitCodes.Complete, run.ExitCode);
        Assert.Contains(sentence, run.Error, StringComparison.Ordinal);
        Assert.Equal(volumes, Directory.Exists(trip.Destination) ? Names(trip.Destination) : []);
        Assert.Equal(before, File.ReadAllBytes(Database));
    }

    private Task<CliRun> BackUpAnotherAsync()
    {
        File.WriteAllText(Path.Join(trip.Source, "another"), "another");
        return CliRun.OfAsync("backup", trip.Source, trip.Destination, "--no-encryption", $"--dbpath={Database}");
    }

    private async Task BackUpAsync(string content)
    {
        File.WriteAllText(Path.Join(trip.Source, "file"), content);
        CliRun run = await RunAsync("backup", trip.Source, trip.Destination, "--no-encryption");
        Assert.Contains("Made the database of ", run.Output, StringComparison.Ordinal);
    }

    private async Task<CliRun> RunAsync(params string[] arguments)
    {
        CliRun run = await CliRun.OfAsync([.. arguments, $"--dbpath={Database}"]);
        Assert.True(run.ExitCode == ExitCodes.Complete, run.Output + run.Error);
        return run;
    }

    /// <summary>
    /// Fails unless all tables are those of a database that is made from nothing.
    /// </summary>
    private async Task AssertTrueAsync()
    {
        string made = Path.Join(trip.Folder, "made.sqlite");
        Assert.Equal(
            ExitCodes.Complete,
            (await CliRun.OfAsync("database", trip.Destination, $"--output={made}")).ExitCode
        );
        foreach ((string table, string query) in DatabaseRows.Queries)
        {
            Assert.Equal(
                $"{table}: {string.Join('\n', DatabaseRows.Of(made, query))}",
                $"{table}: {string.Join('\n', DatabaseRows.Of(Database, query))}"
            );
        }

        File.Delete(made);
    }

    private void Execute(string sql)
    {
        using SqliteConnection connection = new($"Data Source={Database};Pooling=False");
        connection.Open();
        using SqliteCommand command = connection.CreateCommand();
#pragma warning disable CA2100 // Constants of this class.
        command.CommandText = sql;
#pragma warning restore CA2100
        command.ExecuteNonQuery();
    }

    private string[] Rows(string query) => DatabaseRows.Of(Database, query);

    private static string[] Names(string folder) =>
        [.. Directory.EnumerateFileSystemEntries(folder).Select(entry => Path.GetFileName(entry)!).Order()];
}
