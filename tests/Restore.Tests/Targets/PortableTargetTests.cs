using Restore.Targets;
using Restore.Targets.Portable;

namespace Restore.Tests.Targets;

public sealed class PortableTargetTests : TargetConformance
{
    private protected override IRestoreTarget Open(string root) => new PortableTarget(root);

    [Fact]
    public void More_folders_than_are_remembered_are_looked_at_again()
    {
        using IRestoreTarget target = Open(Temp.Root);
        for (int i = 0; i < 5000; i++)
        {
            target.CreateFolder($"{i}");
        }

        Write(target, "0/file", "x"u8);
        Assert.Equal(5000, Directory.EnumerateDirectories(Temp.Root).Count());
    }
}
