using Restore.Ends.Unix;

namespace Restore.Ends.Linux;

internal static class TargetStatuses
{
    public static TargetKind ToTargetKind(this in FileStatus status) =>
        status.IsFile ? TargetKind.File
        : status.IsFolder ? TargetKind.Folder
        : status.IsSymlink ? TargetKind.Symlink
        : TargetKind.Other;

    public static TargetStatus ToTargetStatus(this in FileStatus status) =>
        new(
            status.ToTargetKind(),
            status.IsFile ? status.SizeBytes : 0,
            status.ModifiedTicks,
            (int)Math.Min(status.LinkCount, int.MaxValue)
        )
        {
            Owner = status.User,
            IsTrusted = UnixCalls.IsTrusted(status.User),
            FileSystem = ((ulong)status.DeviceMajor << 32) | status.DeviceMinor,
            Number = status.Number,
            Identity = unchecked(
                ((long)status.Number * 1_000_003)
                ^ ((status.ChangedSeconds * 1_000_000_000) + status.ChangedNanoseconds)
            ),
        };
}
