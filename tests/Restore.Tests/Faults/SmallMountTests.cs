using Restore.Cli;
using Restore.Tests.Ends;
using Restore.Tests.FixtureTests;

namespace Restore.Tests.Faults;

/// <summary>Real file systems that are too small, or cannot be written at first.</summary>
public sealed class SmallMountTests
{
    [Theory]
    [InlineData(Flow.Network, "size=2m", false)]
    [InlineData(Flow.Legacy, "size=2m", false)]
    [InlineData(Flow.Network, "size=100m", true)]
    [InlineData(Flow.Legacy, "size=100m", true)]
    public async Task A_full_or_read_only_target_is_completed_by_a_second_run(
        Flow flow,
        string options,
        bool isReadOnly
    )
    {
        using TempFolder folder = new();
        using FaultTree tree = new();
        Directory.CreateDirectory(folder.Root);
        if (!Environment.IsPrivilegedProcess || !Native.Mount(folder.Root, options))
        {
            Assert.Skip("A small file system can only be mounted by the root user.");
        }

        try
        {
            tree.Prepare(folder.Root);
            Native.Remount(folder.Root, options, isReadOnly);
            FaultRun run = await tree.RestoreAsync(folder.Root, flow);
            Assert.NotEqual(ExitCodes.Complete, run.ExitCode);
            Assert.Empty(tree.Wrong(folder.Root, run, mostLost: tree.Files));

            Native.Remount(folder.Root, "size=100m");
            FaultRun second = await tree.RestoreAsync(folder.Root, flow);
            Assert.Equal(ExitCodes.Complete, second.ExitCode);
            Assert.Empty(tree.Wrong(folder.Root, second, mostLost: 0));
        }
        finally
        {
            Native.Unmount(folder.Root);
        }
    }
}
