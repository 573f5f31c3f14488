using System.Text;
using Restore.Mount;
using Restore.Tests.Streams;

namespace Restore.Tests.Mount;

/// <summary>What happens to a mount while the backup changes, without the kernel.</summary>
public sealed class MountedBackupTests
{
    private static readonly DateTimeOffset First = new(2026, 1, 1, 12, 0, 0, TimeSpan.Zero);

    [Fact]
    public async Task A_new_version_shows_up_and_the_old_one_stays()
    {
        using TempFolder folder = new();
        string source = Directory.CreateDirectory(folder.In("source")).FullName;
        await WriteAsync(folder, "one", First);
        FakeClock clock = new();
        await using MountWalk walk = await MountWalk.OpenAsync(
            cancellation => Backup.OpenAsync(folder.In("backup"), null, cancellation),
            clock
        );
        Assert.Equal(["versions", "latest", "by-path", "last-good"], (await walk.ListAsync(1)).Select(entry => entry.Name));
        Assert.Equal(["2026-01-01T12-00-00Z"], await VersionsAsync(walk));
        NodeFacts old = (await walk.FindAsync($"versions/2026-01-01T12-00-00Z{source}/notes.txt"))!.Value;

        await WriteAsync(folder, "second", First.AddDays(1));
        Assert.Single(await VersionsAsync(walk));
        clock.Advance(TimeSpan.FromMinutes(1));
        Assert.Equal(["2026-01-01T12-00-00Z", "2026-01-02T12-00-00Z"], await VersionsAsync(walk));
        Assert.Equal(
            "versions/2026-01-02T12-00-00Z",
            Encoding.UTF8.GetString(await walk.Files.LinkTargetAsync(3, default))
        );
        Assert.Equal("one", Encoding.UTF8.GetString(await walk.ReadAsync(old)));
        Assert.Equal("second", await TextAsync(walk, $"versions/2026-01-02T12-00-00Z{source}/notes.txt"));
        Assert.Equal("second", await TextAsync(walk, $"last-good{source}/notes.txt"));
        Assert.Equal("one", await TextAsync(walk, $"by-path{source}/notes.txt/2026-01-01T12-00-00Z.txt"));
        Assert.Equal("second", await TextAsync(walk, $"by-path{source}/notes.txt/2026-01-02T12-00-00Z.txt"));
    }

    [Fact]
    public async Task A_file_by_its_path_has_one_state_for_each_change()
    {
        using TempFolder folder = new();
        string source = Directory.CreateDirectory(folder.In("source")).FullName;
        foreach ((string text, int day) in new[] { ("a", 0), ("a", 1), ("bb", 2), ("a", 3) })
        {
            await WriteAsync(folder, text, First.AddDays(day));
        }

        await using MountWalk walk = await MountWalk.OpenAsync(cancellation =>
            Backup.OpenAsync(folder.In("backup"), null, cancellation)
        );
        NodeFacts file = (await walk.FindAsync($"by-path{source}/notes.txt"))!.Value;
        string[] states = [.. (await walk.ListAsync(file.Node)).Select(entry => entry.Name).Order()];
        Assert.Equal(["2026-01-01T12-00-00Z.txt", "2026-01-03T12-00-00Z.txt", "2026-01-04T12-00-00Z.txt"], states);
        Assert.Equal("bb", await TextAsync(walk, $"by-path{source}/notes.txt/{states[1]}"));
    }

    [Fact]
    public async Task Attributes_that_give_rights_are_not_shown()
    {
        byte[] metadata = Trust.MadeBackup.Metadata(
            ("unix-ext:user.note", "YWJj"),
            ("unix-ext:security.capability", "YWJj"),
            ("unix-ext:trusted.note", "YWJj")
        );
        using Trust.MadeBackup made = new();
        made.Folder("/data/", metadata);
        made.File("/data/a", [1, 2, 3], metadata);
        made.Write();
        await using MountWalk walk = await MountWalk.OpenAsync(cancellation =>
            Backup.OpenAsync(made.Source, null, cancellation)
        );
        ulong file = (await walk.FindAsync($"versions/{(await VersionsAsync(walk)).Single()}/data/a"))!.Value.Node;
        Assert.Equal("user.note\0", Encoding.UTF8.GetString(await walk.Files.AttributeNamesAsync(file, default)));
        Assert.Equal("abc"u8.ToArray(), await walk.Files.AttributeAsync(file, "user.note"u8.ToArray(), default));
        Assert.Null(await walk.Files.AttributeAsync(file, "security.capability"u8.ToArray(), default));
    }

    [Fact]
    public async Task A_store_that_is_away_gives_errors_and_one_sentence_and_is_read_again_when_it_is_back()
    {
        using MadeBackup made = await MadeBackup.WriteAsync(files: 3, bytesEach: 3 << 20);
        FakeClock clock = new();
        bool isAway = false;
        made.Store.BeforeRead = (_, _) => isAway ? throw new IOException("The cable is out") : ValueTask.CompletedTask;
        await using MountWalk walk = await MountWalk.OpenAsync(
            cancellation =>
                isAway ? throw new IOException("The cable is out") : Backup.OpenAsync(made.Store, null, cancellation),
            clock
        );
        string version = (await VersionsAsync(walk)).Single();
        NodeFacts before = (await walk.FindAsync($"versions/{version}{made.PathOf(0)}"))!.Value;
        NodeFacts file = (await walk.FindAsync($"versions/{version}{made.PathOf(1)}"))!.Value;
        Assert.Equal(made.ContentOf(0), await walk.ReadAsync(before));

        isAway = true;
        clock.Advance(TimeSpan.FromMinutes(1));
        for (int attempt = 0; attempt < 2; attempt++)
        {
            Exception failure = await Assert.ThrowsAnyAsync<Exception>(() => walk.ReadAsync(file));
            Assert.True(failure is IOException or RestoreException, failure.ToString());
            clock.Advance(TimeSpan.FromMinutes(1));
        }

        Assert.Single(
            walk.Warnings,
            warning => warning.StartsWith("The backup cannot be reached", StringComparison.Ordinal)
        );
        isAway = false;
        clock.Advance(TimeSpan.FromMinutes(1));
        Assert.Equal(made.ContentOf(1), await walk.ReadAsync(file));
        Assert.Contains("The backup can be reached again", walk.Warnings);
    }

    [Fact]
    public async Task A_volume_that_is_away_for_a_while_is_read_again_although_the_listing_stays()
    {
        using MadeBackup made = await MadeBackup.WriteAsync(files: 2, bytesEach: 3 << 20);
        FakeClock clock = new();
        bool isAway = true;
        int reads = 0;
        made.Store.BeforeRead = (name, _) =>
        {
            reads++;
            return isAway && name.Contains(".dblock.", StringComparison.Ordinal)
                ? throw new IOException("The volume is away")
                : ValueTask.CompletedTask;
        };
        await using MountWalk walk = await MountWalk.OpenAsync(
            cancellation => Backup.OpenAsync(made.Store, new BackupOptions { TimeProvider = clock }, cancellation),
            clock
        );
        string version = (await VersionsAsync(walk)).Single();
        (ulong Node, string Name)[] list =
        [
            .. await walk.ListAsync((await walk.FindAsync($"versions/{version}"))!.Value.Node),
        ];
        Assert.NotEmpty(list);
        NodeFacts file = (await walk.FindAsync($"versions/{version}{made.PathOf(1)}"))!.Value;
        await Assert.ThrowsAnyAsync<IOException>(() => walk.ReadAsync(file));

        isAway = false;
        int before = reads;
        await Assert.ThrowsAnyAsync<IOException>(() => walk.ReadAsync(file));
        Assert.Equal(before, reads);
        clock.Advance(TimeSpan.FromSeconds(31));
        Assert.Equal(made.ContentOf(1), await walk.ReadAsync(file));
    }

    [Fact]
    public async Task Trees_that_nobody_uses_are_dropped_and_their_numbers_stay()
    {
        using TempFolder folder = new();
        string source = Directory.CreateDirectory(folder.In("source")).FullName;
        for (int day = 0; day < 4; day++)
        {
            await WriteAsync(folder, $"day {day}", First.AddDays(day));
        }

        await using MountWalk walk = await MountWalk.OpenAsync(
            cancellation => Backup.OpenAsync(folder.In("backup"), null, cancellation),
            maxTreeBytes: 0
        );
        List<NodeFacts> files = [];
        foreach (string version in await VersionsAsync(walk))
        {
            files.Add((await walk.FindAsync($"versions/{version}{source}/notes.txt"))!.Value);
        }

        Assert.Equal(4, files.DistinctBy(file => file.Node).Count());
        for (int day = 0; day < 4; day++)
        {
            Assert.Equal($"day {day}", Encoding.UTF8.GetString(await walk.ReadAsync(files[day])));
        }
    }

    [Fact]
    public async Task Many_readers_of_one_file_fetch_each_block_about_once()
    {
        using MadeBackup made = await MadeBackup.WriteAsync(files: 1, bytesEach: 8 << 20);
        await using MountWalk walk = await MountWalk.OpenAsync(cancellation =>
            Backup.OpenAsync(made.Store, null, cancellation)
        );
        NodeFacts file = (
            await walk.FindAsync($"versions/{(await VersionsAsync(walk)).Single()}{made.PathOf(0)}")
        )!.Value;
        byte[][] contents = await Task.WhenAll(
            Enumerable.Range(0, 8).Select(_ => Task.Run(() => walk.ReadAsync(file)))
        );
        Assert.All(contents, content => Assert.Equal(made.ContentOf(0), content));
        Assert.InRange(made.Store.BytesRead, 8 << 20, 24 << 20);
    }

    private static async Task<string[]> VersionsAsync(MountWalk walk) =>
        [.. (await walk.ListAsync(2)).Select(entry => entry.Name)];

    private static async Task<string> TextAsync(MountWalk walk, string path) =>
        Encoding.UTF8.GetString(
            await walk.ReadAsync(
                await walk.FindAsync(path) ?? throw new InvalidOperationException($"There is no {path}")
            )
        );

    private static async Task WriteAsync(TempFolder folder, string text, DateTimeOffset time)
    {
        string file = Path.Join(folder.In("source"), "notes.txt");
        await File.WriteAllTextAsync(file, text);
        File.SetLastWriteTimeUtc(file, DateTime.UnixEpoch.AddDays(text.Sum(letter => letter)));
        await new BackupWriter(
            new BackupWriterOptions
            {
                Sources = [folder.In("source")],
                Destination = folder.In("backup"),
                Time = time,
            }
        ).WriteAsync();
    }
}
