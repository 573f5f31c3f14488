using Restore.Resume;
using Restore.Tests.Ends;
using Restore.Tests.Support.Machine;
using Restore.Tests.Trust;

namespace Restore.Tests.Restoring;

/// <summary>
/// Folders and files that their owner may not read or change, as a restore with their modes makes
/// them, do not stop the next restore.
/// </summary>
public sealed class ClosedFoldersTests : IDisposable
{
    private readonly MadeBackup backup = new();

    [Theory]
    [InlineData(0)]
    [InlineData(0x140)]
    [InlineData(0x16D)]
    [NeedsLinux]
    public async Task The_same_restore_runs_again_and_completes_what_is_missing(int mode)
    {
        Assert.SkipWhen(Environment.IsPrivilegedProcess, "The root user needs no permission.");
        uint own = Native.Owner(backup.Source).User;
        backup.Folder("/s/d/", MadeBackup.Metadata(("unix:uid-gid-perm", $"{own}-{own}-{mode}")));
        backup.File("/s/d/in", [1], MadeBackup.Metadata(("unix:uid-gid-perm", $"{own}-{own}-0")));
        backup.File("/s/d/gone", [2]);
        backup.File("/s/o", [3]);
        RestoreOptions options = new() { RestorePermissions = true };
        Assert.Empty((await backup.Write().RestoreAsync(options)).Issues);
        Native.SetMode(backup.At("d"), 0x1C0);
        File.Delete(backup.At("d/gone"));
        Native.SetMode(backup.At("d"), mode);
        RestoreReport again = await backup.RestoreAsync(options);
        Assert.Empty(again.Issues);
        Assert.Equal(mode, Native.Mode(backup.At("d")));
        Native.SetMode(backup.At("d"), 0x1C0);
        Assert.Equal([2], File.ReadAllBytes(backup.At("d/gone")));
        Assert.Equal(0, Native.Mode(backup.At("d/in")));
    }

    [Fact]
    public void A_record_names_the_modes_of_folders_that_its_run_has_opened()
    {
        byte[] content = [.. RecordFormat.Head, .. "p3 d/file\0m320 d\0m493 .\0m9999 wrong\0m1 ../out\0"u8];
        EarlierRun run = RecordFormat.Read(content, ".restore-00000000000000ab.unfinished")!;
        Assert.Equal(new Dictionary<string, int> { ["d"] = 320, [""] = 493 }, run.Modes);
        Assert.Equal("d/.restore-00000000000000ab.3", Assert.Single(run.Partials).Value);
        Assert.True(run.IsDamaged);
    }

    public void Dispose() => backup.Dispose();
}
