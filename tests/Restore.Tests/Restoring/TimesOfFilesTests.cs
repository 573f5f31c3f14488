using System.Globalization;
using Restore.Ends;
using Restore.Tests.Trust;

namespace Restore.Tests.Restoring;

/// <summary>
/// Which times restored files get, and what is said of a time that a file system cannot store.
/// </summary>
public sealed class TimesOfFilesTests : IDisposable
{
    // The time that a made backup lists for its files.
    private static readonly DateTime Listed = new(2025, 1, 1, 0, 0, 0, DateTimeKind.Utc);

    private readonly MadeBackup backup = new();

    [Fact]
    public async Task A_file_without_a_time_in_its_metadata_gets_the_time_of_the_file_list()
    {
        byte[] lost = MadeBackup.Metadata(("CoreLastWritetime", "630000000000000000"));
        List(backup.File("/s/none", [1]));
        List(backup.File("/s/empty", [2], """{"CoreAttributes":"Archive"}"""u8.ToArray()));
        List(backup.File("/s/lost", [3], lost));
        backup.Forget(lost);
        await backup.Write().RestoreAsync();
        Assert.All(new[] { "none", "empty" }, name => Assert.Equal(Listed, File.GetLastWriteTimeUtc(backup.At(name))));
        Assert.Equal(Listed, File.GetLastWriteTimeUtc(backup.At("lost")), TimeSpan.FromMicroseconds(1));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_file_of_which_the_metadata_could_not_be_read_gets_it_from_the_next_restore_that_can(
        bool overwrite
    )
    {
        byte[] metadata = MadeBackup.Metadata(("unix-ext:user.note", Convert.ToBase64String("kept"u8)));
        List(backup.File("/s/file", [1, 2], metadata));
        List(backup.File("/s/empty", [], metadata));
        RestoreOptions options = new() { Overwrite = overwrite };
        backup.Forget(metadata);
        RestoreReport first = await backup.Write().RestoreAsync(options);
        Assert.Contains(first.Issues, issue => issue.MetadataLost);

        backup.Block(metadata);
        RestoreReport second = await backup.Write().RestoreAsync(options);
        Assert.Empty(second.Issues);
        Assert.All(
            new[] { "file", "empty" },
            name => Assert.Equal(638_396_640_000_000_000, File.GetLastWriteTimeUtc(backup.At(name)).Ticks)
        );
    }

    [Theory]
    [InlineData(1601)]
    [InlineData(1899)]
    [InlineData(2200)]
    [InlineData(9999)]
    public async Task A_file_has_its_time_or_is_named_with_the_time_that_it_got(int year)
    {
        DateTime time = new(year, 1, 1, 0, 0, 0, DateTimeKind.Utc);
        backup.File(
            "/s/file",
            [1],
            MadeBackup.Metadata(("CoreLastWritetime", time.Ticks.ToString(CultureInfo.InvariantCulture)))
        );
        RestoreReport report = await backup.Write().RestoreAsync();
        DateTime stored = File.GetLastWriteTimeUtc(backup.At("file"));
        string[] reasons = [.. report.Issues.Select(issue => issue.Reason)];
        string named =
            $"The last-modified time {time:yyyy-MM-dd HH:mm:ss}Z cannot be stored at the target: it has {stored:yyyy-MM-dd HH:mm:ss}Z instead";
        Assert.Equal(stored == time ? [] : [named], reasons);
    }

    [Theory]
    [InlineData(0, false)]
    [InlineData(2, false)]
    [InlineData(3, true)]
    [InlineData(-3, true)]
    public void A_time_counts_as_stored_within_the_two_seconds_of_fat(int seconds, bool isNamed)
    {
        UnappliedMetadata shortfalls = default;
        StoredTime.Check("time", Listed.Ticks, Listed.AddSeconds(seconds).Ticks, ref shortfalls);
        Assert.Equal(isNamed, shortfalls.ToList().Count > 0);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_file_of_the_user_that_is_equal_keeps_its_time_unless_files_are_overwritten(bool overwrite)
    {
        DateTime recorded = new(2020, 5, 6, 7, 8, 9, DateTimeKind.Utc);
        DateTime mine = new(2024, 1, 2, 3, 4, 5, DateTimeKind.Utc);
        backup.File(
            "/s/file",
            [1, 2],
            MadeBackup.Metadata(("CoreLastWritetime", recorded.Ticks.ToString(CultureInfo.InvariantCulture)))
        );
        backup.File("/s/other", [3]);
        Directory.CreateDirectory(backup.Target);
        File.WriteAllBytes(backup.At("file"), [1, 2]);
        File.SetLastWriteTimeUtc(backup.At("file"), mine);
        UnixFileMode mode = UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.GroupRead;
        if (!OperatingSystem.IsWindows())
        {
            File.SetUnixFileMode(backup.At("file"), mode);
        }

        RestoreReport report = await backup
            .Write()
            .RestoreAsync(new RestoreOptions { Overwrite = overwrite, RestorePermissions = true });
        Assert.Empty(report.Issues);
        Assert.Equal(overwrite ? recorded : mine, File.GetLastWriteTimeUtc(backup.At("file")));
        Assert.Equal(mode, OperatingSystem.IsWindows() ? mode : File.GetUnixFileMode(backup.At("file")));
    }

    public void Dispose() => backup.Dispose();

    private static void List(System.Text.Json.Nodes.JsonObject entry) => entry["time"] = "20250101T000000Z";
}
