using Restore.Targets;
using Restore.Targets.Linux;

namespace Restore.Tests.Targets;

public sealed class LinuxTargetTests : TargetConformance
{
    private protected override IRestoreTarget Open(string root) => new LinuxTarget(root);
}

/// <summary>As on a kernel or in a sandbox that has no openat2, and with hardly a folder kept open.</summary>
public sealed class LinuxTargetWithoutOpenAt2Tests : TargetConformance
{
    private protected override IRestoreTarget Open(string root) => new LinuxTarget(root, useOpenAt2: false, folderHandles: 2);
}
