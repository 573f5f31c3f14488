namespace Restore;

/// <summary>One version of a backup: the state of the files at one time.</summary>
/// <param name="Index">0 is the newest.</param>
/// <param name="Time">The time of the version, UTC, to the second.</param>
/// <param name="FileListName">Name of the volume with its file list.</param>
public sealed record BackupVersion(int Index, DateTimeOffset Time, string FileListName)
{
    /// <summary>
    /// The version in messages, with both its number and its time: a page shows the times of
    /// versions, a program their numbers.
    /// </summary>
    internal string Name => $"version {Index} of {Time.UtcDateTime:yyyy-MM-dd HH:mm:ss} UTC";
}
