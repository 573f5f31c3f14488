using System.Security.Cryptography;
using Restore.Tests.FixtureTests;
using Restore.Tests.Support;

namespace Restore.Tests.Streams;

/// <summary>One file of a backup as a stream that fetches what is read.</summary>
public sealed class ContentStreamTests
{
    public static TheoryData<string, int, string> Cases()
    {
        TheoryData<string, int, string> cases = [];
        foreach (
            FixtureBackup backup in FixtureCatalog.Readable.Where(backup =>
                backup.Prefix is "" or "duplicati" && backup.Name != "windows-paths"
            )
        )
        {
            foreach (string database in backup.Databases.Prepend(""))
            {
                cases.Add(backup.Name, 0, database);
            }
        }

        return cases;
    }

    public static TheoryData<string> Damaged() => [.. FixtureCatalog.Damaged];

    [Theory]
    [MemberData(nameof(Cases))]
    public async Task A_stream_has_the_content_of_its_file(string fixture, int version, string database)
    {
        FixtureBackup backup = FixtureCatalog.BackupsOf(fixture).First();
        await using Backup opened = await Backup.OpenAsync(backup.Location, backup.Options(database));
        TreeEntry[] files = [.. FilesOf(backup, version).OrderByDescending(file => file.SizeBytes)];
        foreach (TreeEntry file in files.Take(3).Concat(files.TakeLast(2)))
        {
            await using Stream stream = await opened.OpenEntryAsync(
                opened.GetVersion(version),
                backup.OriginalPath(file.Path)
            );
            Assert.Equal(file.SizeBytes ?? stream.Length, stream.Length);
            Assert.Equal(file.Sha256, Convert.ToHexStringLower(await SHA256.HashDataAsync(stream)));
        }

        Assert.Equal(0, opened.Pool.OutstandingBuffers);
    }

    [Fact]
    public async Task Any_part_read_in_any_order_is_that_part_of_the_file()
    {
        FixtureBackup backup = FixtureCatalog.BackupsOf("blocklists-1kb").Single();
        await using Backup opened = await Backup.OpenAsync(backup.Location, backup.Options());
        await using Stream stream = await opened.OpenEntryAsync(opened.Versions[0], LargestOf(backup));
        byte[] whole = new byte[stream.Length];
        await stream.ReadExactlyAsync(whole);
        Random random = new(7);
        for (int i = 0; i < 300; i++)
        {
            int from = random.Next(whole.Length);
            byte[] part = new byte[random.Next(1, 5000)];
            stream.Seek(from, SeekOrigin.Begin);
            int read =
                i % 2 == 0
                    ? stream.ReadAtLeast(part, part.Length, throwOnEndOfStream: false)
                    : await stream.ReadAsync(part);
            Assert.Equal(whole.AsSpan(from, read), part.AsSpan(0, read));
            Assert.Equal(from + read, stream.Position);
            Assert.True(read > 0);
        }

        stream.Seek(0, SeekOrigin.End);
        Assert.Equal(0, await stream.ReadAsync(new byte[10]));
    }

    [Fact]
    public async Task Only_what_is_read_is_fetched()
    {
        using MadeBackup made = await MadeBackup.WriteAsync(files: 1, bytesEach: 8 << 20);
        await using Backup opened = await Backup.OpenAsync(made.Store);
        await using Stream stream = await opened.OpenEntryAsync(opened.Versions[0], made.PathOf(0));
        Assert.Equal(0, made.Store.ReadsOf(".dblock."));

        stream.Position = 5_000_000;
        byte[] part = new byte[100];
        await stream.ReadExactlyAsync(part);
        Assert.Equal(made.ContentOf(0)[5_000_000..5_000_100], part);
        long bytes = made
            .Store.Reads.Where(read => read.Name.Contains(".dblock.", StringComparison.Ordinal))
            .Sum(read => (long)read.Length);
        Assert.InRange(bytes, 1, 400_000);
    }

    [Fact]
    public async Task Reading_to_the_end_fetches_each_volume_about_once()
    {
        using MadeBackup made = await MadeBackup.WriteAsync(files: 1, bytesEach: 24 << 20);
        await using Backup opened = await Backup.OpenAsync(made.Store);
        await using Stream stream = await opened.OpenEntryAsync(opened.Versions[0], made.PathOf(0));
        Assert.Equal(SHA256.HashData(made.ContentOf(0)), await SHA256.HashDataAsync(stream));
        Assert.InRange(made.Store.BytesRead, 24 << 20, 36 << 20);
    }

    [Fact]
    public async Task A_reader_that_waits_for_the_store_gets_longer_and_longer_windows()
    {
        using MadeBackup made = await MadeBackup.WriteAsync(files: 1, bytesEach: 48 << 20);
        await using Backup opened = await Backup.OpenAsync(made.Store);
        await using Stream stream = await opened.OpenEntryAsync(opened.Versions[0], made.PathOf(0));
        byte[] part = new byte[100 << 10];
        await stream.ReadExactlyAsync(part);
        TimeSpan longerThanReading = TimeSpan.FromMilliseconds(100);
        made.Store.BeforeRead = async (_, token) => await Task.Delay(longerThanReading, token);
        int before = made.Store.ReadsOf(".dblock.");
        while (await stream.ReadAsync(part) > 0) { }

        int volumes = made.Store.Names.Count(name => name.Contains(".dblock.", StringComparison.Ordinal));
        Assert.InRange(made.Store.ReadsOf(".dblock.") - before, volumes, 2 * volumes);
    }

    [Theory]
    [MemberData(nameof(Damaged))]
    public async Task A_stream_of_a_damaged_backup_has_the_bytes_of_a_restore_and_fails_on_lost_ones(string fixture)
    {
        FixtureBackup backup = FixtureCatalog.BackupsOf(fixture).Single();
        if (Loss.Unavoidable(backup, 0) is not Loss[] losses)
        {
            await using Backup unusable = await Backup.OpenAsync(backup.Location, backup.Options());
            await Assert.ThrowsAsync<RestoreException>(() =>
                unusable.OpenEntryAsync(unusable.Versions[0], LargestOf(backup))
            );
            return;
        }

        HashSet<string> lost =
        [
            .. losses.Where(loss => loss.Ranges.Count > 0 || loss.IsUnverified).Select(loss => loss.Path),
        ];
        TreeEntry[] files = [.. FilesOf(backup, 0)];
        await using Backup opened = await Backup.OpenAsync(backup.Location, backup.Options());
        foreach (
            TreeEntry file in files
                .Where(file => lost.Contains(file.Path))
                .Take(3)
                .Concat(files.Where(file => !lost.Contains(file.Path)).Take(3))
        )
        {
            await using Stream stream = await opened.OpenEntryAsync(opened.Versions[0], backup.OriginalPath(file.Path));
            Task<byte[]> hashing = SHA256.HashDataAsync(stream).AsTask();
            if (lost.Contains(file.Path))
            {
                IOException failure = await Assert.ThrowsAsync<IOException>(() => hashing);
                Assert.Contains(file.Path, failure.Message, StringComparison.Ordinal);
            }
            else
            {
                Assert.Equal(file.Sha256, Convert.ToHexStringLower(await hashing));
            }
        }

        Assert.Equal(0, opened.Pool.OutstandingBuffers);
    }

    [Fact]
    public async Task Bytes_beside_a_lost_volume_can_still_be_read()
    {
        using MadeBackup made = await MadeBackup.WriteAsync(files: 1, bytesEach: 4 << 20);
        made.Store.Remove(made.Store.Names.First(name => name.Contains(".dblock.", StringComparison.Ordinal)));
        await using Backup opened = await Backup.OpenAsync(made.Store);
        await using Stream stream = await opened.OpenEntryAsync(opened.Versions[0], made.PathOf(0));
        int sound = 0;
        int failed = 0;
        byte[] part = new byte[100];
        for (int from = 0; from < stream.Length; from += 100 << 10)
        {
            stream.Position = from;
            try
            {
                await stream.ReadExactlyAsync(part);
                Assert.Equal(made.ContentOf(0)[from..(from + 100)], part);
                sound++;
            }
            catch (IOException)
            {
                failed++;
            }
        }

        Assert.InRange(failed, 1, sound);
    }

    [Fact]
    public async Task A_folder_and_a_missing_path_have_different_errors()
    {
        FixtureBackup backup = FixtureCatalog.BackupsOf("plain-1mb").Single();
        await using Backup opened = await Backup.OpenAsync(backup.Location, backup.Options());
        RestoreException folder = await Assert.ThrowsAsync<RestoreException>(() =>
            opened.OpenEntryAsync(opened.Versions[0], backup.SourceRoot)
        );
        RestoreException nothing = await Assert.ThrowsAsync<RestoreException>(() =>
            opened.OpenEntryAsync(opened.Versions[0], "/no/such/file")
        );
        RestoreException expression = await Assert.ThrowsAsync<RestoreException>(() =>
            opened.OpenEntryAsync(opened.Versions[0], "*")
        );
        Assert.Equal(RestoreErrorCode.EntryIsNotFile, folder.Code);
        Assert.Equal(RestoreErrorCode.EntryNotFound, nothing.Code);
        Assert.Equal(RestoreErrorCode.EntryNotFound, expression.Code);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task A_stream_that_is_closed_early_gives_back_all_memory(bool isAsync)
    {
        using MadeBackup made = await MadeBackup.WriteAsync(files: 1, bytesEach: 8 << 20);
        await using Backup opened = await Backup.OpenAsync(made.Store);
        Stream stream = await opened.OpenEntryAsync(opened.Versions[0], made.PathOf(0));
        await stream.ReadExactlyAsync(new byte[300 << 10]);
        if (isAsync)
        {
            await stream.DisposeAsync();
            Assert.Equal(0, opened.Pool.OutstandingBuffers);
        }
        else
        {
            stream.Dispose();
            await AllGivenBackAsync(opened).WaitAsync(TimeSpan.FromSeconds(30));
        }

        await Assert.ThrowsAsync<ObjectDisposedException>(() => stream.ReadAsync(new byte[1]).AsTask());
    }

    [Fact]
    public async Task Reads_can_be_cancelled()
    {
        using MadeBackup made = await MadeBackup.WriteAsync(files: 1, bytesEach: 1 << 20);
        await using Backup opened = await Backup.OpenAsync(made.Store);
        await using Stream stream = await opened.OpenEntryAsync(opened.Versions[0], made.PathOf(0));
        using CancellationTokenSource cancel = new();
        made.Store.BeforeRead = async (_, token) =>
        {
            await cancel.CancelAsync();
            await Task.Delay(Timeout.Infinite, token);
        };
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() =>
            stream.ReadAsync(new byte[10], cancel.Token).AsTask()
        );
        made.Store.BeforeRead = null;
        Assert.Equal(10, await stream.ReadAtLeastAsync(new byte[10], 10));
    }

    private static async Task AllGivenBackAsync(Backup opened)
    {
        while (opened.Pool.OutstandingBuffers > 0)
        {
            await Task.Delay(10);
        }
    }

    private static IEnumerable<TreeEntry> FilesOf(FixtureBackup backup, int version) =>
        ExpectedTree
            .Load(backup.Versions[version].ExpectedFile!)
            .Entries.Where(entry =>
                entry.Type == "file" && entry.Sha256 is not null && !backup.Skipped.Contains(entry.Path)
            );

    private static string LargestOf(FixtureBackup backup) =>
        backup.OriginalPath(FilesOf(backup, 0).MaxBy(file => file.SizeBytes)!.Path);
}
