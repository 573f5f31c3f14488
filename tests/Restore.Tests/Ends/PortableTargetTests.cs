using Restore.Ends.Portable;
using Restore.Tests.Support.Machine;

namespace Restore.Tests.Ends;

public sealed class PortableTargetTests : TargetConformance
{
    private protected override IRestoreTarget Open(string root) => new PortableTarget(root);

    [Fact]
    [NeedsLinks]
    public void More_folders_than_are_remembered_are_looked_at_again()
    {
        var folders = new SafeFolders(new PathRoot(Temp.Root), maxRemembered: 3);
        for (int i = 0; i < 20; i++)
        {
            Assert.Equal(TargetKind.Folder, folders.Create($"{i}/below/it"));
        }

        Directory.Delete(Temp.In("0"), recursive: true);
        Directory.CreateSymbolicLink(Temp.In("0"), Temp.Outside);
        Assert.Equal(TargetKind.Symlink, folders.Look("0/below"));
        Assert.Equal(TargetKind.Symlink, folders.Create("0/below"));
        Assert.Equal(TargetKind.Folder, folders.Look("1/below/it"));
        Temp.AssertOutsideUntouched();
    }
}
