using System.Formats.Tar;
using Restore.Tests.Ends;
using Restore.Tests.Support.Machine;
using Restore.Tests.Trust;

namespace Restore.Tests.Restoring;

/// <summary>
/// Folders above a selection are made with the mode and time that the backup has for them.
/// </summary>
public sealed class FoldersAboveTests : IDisposable
{
    private const int OwnerAlone = 0x1C0;
    private const int PermissionBits = 0x1FF;

    private static readonly DateTime Recorded = new(2001, 9, 9, 1, 46, 40, DateTimeKind.Utc);

    private readonly MadeBackup backup = new();
    private readonly byte[] closed = MadeBackup.Metadata(
        ("unix:uid-gid-perm", $"{OwnId()}-{OwnId()}-{OwnerAlone}"),
        ("CoreLastWritetime", $"{Recorded.Ticks}")
    );

    private readonly byte[] open = MadeBackup.Metadata(
        ("unix:uid-gid-perm", $"{OwnId()}-{OwnId()}-{0x1E8}"),
        ("CoreLastWritetime", $"{Recorded.Ticks}")
    );

    public FoldersAboveTests()
    {
        backup.Folder("/s/");
        backup.Folder("/s/private/", closed);
        backup.Folder("/s/private/deep/");
        backup.Folder("/s/other/");
        backup.File("/s/private/deep/key.txt", [1]);
        backup.File("/s/private/deep/x.bin", [2]);
        backup.File("/s/o.txt", [3]);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    [NeedsLinux]
    public async Task A_folder_that_is_not_selected_itself_is_no_wider_than_recorded(bool withPermissions)
    {
        RestoreReport report = await RestoreAsync(new RestoreOptions { RestorePermissions = withPermissions });
        Assert.Empty(report.Issues);
        Assert.Equal((2, 0), (report.FilesRestored, report.FoldersRestored));
        Assert.Equal(OwnerAlone, Native.Mode(backup.At("private")));
        Assert.Equal(Recorded, Directory.GetLastWriteTimeUtc(backup.At("private")));
        Assert.False(Directory.Exists(backup.At("other")));
    }

    [Fact]
    [NeedsLinux]
    public async Task A_saved_plan_has_them_too()
    {
        await using Backup opened = await Backup.OpenAsync(backup.Write().Source);
        RestorePlan plan = await opened.PlanAsync(
            opened.Versions[0],
            new RestoreOptions { Target = backup.Target, Filter = Texts }
        );
        using MemoryStream saved = new();
        plan.Save(saved);
        saved.Position = 0;
        RestoreReport report = await opened.ExecuteAsync(RestorePlan.Load(saved));
        Assert.Equal(0, report.FoldersRestored);
        Assert.Equal(OwnerAlone, Native.Mode(backup.At("private")));
    }

    [Fact]
    [NeedsLinux]
    public async Task A_folder_that_is_there_already_stays_as_it_is()
    {
        DateTime mine = new(2020, 1, 1, 0, 0, 0, DateTimeKind.Utc);
        Directory.CreateDirectory(backup.At("private/deep"));
        Native.SetMode(backup.At("private"), 0x1ED);
        Directory.SetLastWriteTimeUtc(backup.At("private"), mine);
        Assert.Empty((await RestoreAsync(new RestoreOptions { RestorePermissions = true })).Issues);
        Assert.Equal(0x1ED, Native.Mode(backup.At("private")));
        Assert.Equal(mine, Directory.GetLastWriteTimeUtc(backup.At("private")));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    [NeedsLinux]
    public async Task A_folder_whose_metadata_is_lost_is_open_to_its_owner_alone(bool isSelected)
    {
        backup.Forget(closed);
        RestoreReport report = await RestoreAsync(new RestoreOptions(), isSelected ? EntryFilter.All : Texts);
        Assert.Equal("/s/private/", Assert.Single(report.Issues, issue => issue.MetadataLost).Path);
        Assert.Equal(OwnerAlone, Native.Mode(backup.At("private")) & PermissionBits);
    }

    [Theory]
    [InlineData(false, false)]
    [InlineData(false, true)]
    [InlineData(true, false)]
    [InlineData(true, true)]
    [NeedsLinux]
    public async Task The_same_restore_gives_it_its_mode_and_time_when_the_metadata_is_back(
        bool isSelected,
        bool withPermissions
    )
    {
        EntryFilter filter = isSelected ? EntryFilter.All : Texts;
        RestoreOptions options = new() { RestorePermissions = withPermissions };
        backup.Folder("/s/open/", open);
        backup.File("/s/open/o.txt", [4]);
        string[] metadata = ["/s/open/", "/s/private/"];
        backup.Forget(closed);
        backup.Forget(open);
        for (int run = 0; run < 2; run++)
        {
            RestoreReport report = await RestoreAsync(options, filter);
            Assert.Equal(
                metadata,
                report.Issues.Where(issue => issue.MetadataLost).Select(issue => issue.Path).Order()
            );
            Assert.Equal(OwnerAlone, Native.Mode(backup.At("open")) & PermissionBits);
            Assert.Equal(OwnerAlone, Native.Mode(backup.At("private")) & PermissionBits);
        }

        _ = backup.Block(closed);
        _ = backup.Block(open);
        Assert.Empty((await RestoreAsync(options, filter)).Issues);
        Assert.Equal(0x1E8, Native.Mode(backup.At("open")));
        Assert.Equal(OwnerAlone, Native.Mode(backup.At("private")));
        Assert.Equal(Recorded, Directory.GetLastWriteTimeUtc(backup.At("private")));
    }

    [Fact]
    public async Task An_archive_of_a_selection_has_the_folders_above_it()
    {
        await using Backup opened = await Backup.OpenAsync(backup.Write().Source);
        using MemoryStream archive = new();
        ExportReport report = await opened.ExportArchiveAsync(
            opened.Versions[0],
            archive,
            ArchiveFormat.Tar,
            new ExportOptions { Filter = Texts }
        );
        Assert.Equal((2, 0), (report.Files, report.Folders));
        archive.Position = 0;
        Dictionary<string, UnixFileMode> modes = [];
        using TarReader reader = new(archive);
        while (reader.GetNextEntry() is { } entry)
        {
            modes.Add(entry.Name, entry.Mode);
        }

        Assert.Equal(
            ["s/", "s/o.txt", "s/private/", "s/private/deep/", "s/private/deep/key.txt"],
            modes.Keys.Order(StringComparer.Ordinal)
        );
        Assert.Equal((UnixFileMode)OwnerAlone, modes["s/private/"]);
    }

    [Theory]
    [InlineData("/s", "o.txt private/ private/deep/ private/deep/key.txt")]
    [InlineData("/s/private/", "deep/ deep/key.txt s/o.txt")]
    [InlineData("/s/pri", "s/o.txt s/private/ s/private/deep/ s/private/deep/key.txt")]
    [InlineData("/", "s/ s/o.txt s/private/ s/private/deep/ s/private/deep/key.txt")]
    public async Task An_archive_that_begins_in_a_folder_has_neither_it_nor_the_folders_above(string root, string names)
    {
        await using Backup opened = await Backup.OpenAsync(backup.Write().Source);
        using MemoryStream archive = new();
        await opened.ExportArchiveAsync(
            opened.Versions[0],
            archive,
            ArchiveFormat.Tar,
            new ExportOptions { Filter = Texts, ArchiveRoot = root }
        );
        archive.Position = 0;
        List<string> found = [];
        using TarReader reader = new(archive);
        while (reader.GetNextEntry() is { } entry)
        {
            found.Add(entry.Name);
        }

        Assert.Equal(names, string.Join(' ', found.Order(StringComparer.Ordinal)));
    }

    public void Dispose() => backup.Dispose();

    private static EntryFilter Texts => EntryFilter.Parse(["*.txt"], []);

    private static uint OwnId() => OperatingSystem.IsWindows() ? 0 : Native.Owner("/proc/self/environ").User;

    private Task<RestoreReport> RestoreAsync(RestoreOptions options, EntryFilter? filter = null) =>
        backup.Write().RestoreAsync(options with { Filter = filter ?? Texts });
}
