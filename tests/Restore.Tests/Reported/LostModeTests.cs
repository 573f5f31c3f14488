using System.Formats.Tar;
using Restore.Restoring;
using Restore.Tests.Ends;
using Restore.Tests.FixtureTests;
using Restore.Tests.Support.Machine;
using Restore.Tests.Trust;

namespace Restore.Tests.Reported;

/// <summary>
/// Files with lost metadata: the recorded mode may have been for the owner alone, so nobody else
/// may read them until it is known.
/// </summary>
[NeedsLinux]
public sealed class LostModeTests : IDisposable
{
    private const UnixFileMode Others =
        UnixFileMode.GroupRead
        | UnixFileMode.GroupWrite
        | UnixFileMode.GroupExecute
        | UnixFileMode.OtherRead
        | UnixFileMode.OtherWrite
        | UnixFileMode.OtherExecute;

    private static readonly byte[] Secret = MadeBackup.Metadata(("unix:uid-gid-perm", "0-0-384"));
    private static readonly byte[] Content = [.. Enumerable.Range(0, 3000).Select(number => (byte)(number * 7))];

    private readonly MadeBackup made = new();

    public void Dispose() => made.Dispose();

    [Theory]
    [InlineData(Flow.Network, false)]
    [InlineData(Flow.Network, true)]
    [InlineData(Flow.Legacy, false)]
    public async Task A_new_file_is_open_to_its_owner_alone_until_its_metadata_is_back(Flow flow, bool permissions)
    {
        Make();
        made.Forget(Secret);
        made.Write();
        RestoreReport report = await RestoreAsync(flow, permissions);
        Assert.Contains(report.Issues, issue => issue.MetadataLost);
        Assert.Equal(Content, File.ReadAllBytes(made.At("id_rsa")));
        Assert.Equal(UnixFileMode.None, (UnixFileMode)Native.Mode(made.At("id_rsa")) & Others);
        Assert.Equal(UnixFileMode.OtherRead, (UnixFileMode)Native.Mode(made.At("open")) & UnixFileMode.OtherRead);

        made.Block(Secret);
        made.Write();
        RestoreReport again = await RestoreAsync(flow, permissions);
        Assert.DoesNotContain(again.Issues, issue => issue.MetadataLost);
        Assert.Equal(UnixFileMode.UserRead | UnixFileMode.UserWrite, (UnixFileMode)Native.Mode(made.At("id_rsa")));
    }

    [Fact]
    public async Task An_archive_has_it_with_a_mode_for_its_owner_alone()
    {
        Make();
        made.Forget(Secret);
        made.Write();
        await using Backup backup = await Backup.OpenAsync(made.Source);
        using MemoryStream archive = new();
        await backup.ExportArchiveAsync(backup.Versions[0], archive, ArchiveFormat.Tar);
        archive.Position = 0;
        using TarReader tar = new(archive);
        while (tar.GetNextEntry() is { } entry)
        {
            if (entry.Name.EndsWith("id_rsa", StringComparison.Ordinal))
            {
                Assert.Equal(UnixFileMode.UserRead | UnixFileMode.UserWrite, entry.Mode);
                return;
            }
        }

        Assert.Fail("The archive does not have the file");
    }

    private void Make()
    {
        made.Folder("/data/", MadeBackup.Metadata(("unix:uid-gid-perm", "0-0-493")));
        made.File("/data/id_rsa", Content, Secret);
        made.File("/data/open", Content, MadeBackup.Metadata(("unix:uid-gid-perm", "0-0-420")));
    }

    private Task<RestoreReport> RestoreAsync(Flow flow, bool permissions) =>
        made.RestoreAsync(new RestoreOptions { RestorePermissions = permissions }.By(flow));
}
