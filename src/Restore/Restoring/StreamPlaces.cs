using Restore.Format.Selection;
using Restore.Planning.Paths;

namespace Restore.Restoring;

/// <summary>Where a restore puts the streams of a Windows backup.</summary>
internal static class StreamPlaces
{
    /// <summary>
    /// Opens the stream that an entry became, to read it; null if the entry is no stream, or if its
    /// file or folder has no such stream.
    /// </summary>
    public static ITargetFile? TryOpen(IRestoreTarget target, PathMap map, string path) =>
        target.MayHaveStreams
        && StreamPath.TrySplit(path, out string host, out string name)
        && map.Map(host, EntryKind.File, out _) is { Length: > 0 } place
            ? target.TryOpenStream(place, name)
            : null;
}
