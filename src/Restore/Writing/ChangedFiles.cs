using Restore.Writing.Messages;
using Restore.Writing.Processes;

namespace Restore.Writing;

/// <summary>
/// A backup that looks at some paths only: everything else is as in the newest version.
/// </summary>
/// <param name="changed">What is looked at.</param>
/// <param name="deleted">The deleted paths. A folder stands for everything that was in it.</param>
/// <param name="kept">The entries of the newest version.</param>
internal sealed class ChangedFiles(
    IReadOnlyList<string> changed,
    IReadOnlyList<string> deleted,
    IReadOnlyList<ReadEntry> kept
)
{
    public IReadOnlyList<string> Changed => changed;

    /// <summary>
    /// Adds the entries that were not looked at and do not conflict with what was found.
    /// </summary>
    /// <param name="collector">What was found.</param>
    /// <param name="meter">Counts the files.</param>
    public void AddRest(EntryCollector collector, WriterMeter meter)
    {
        HashSet<string> gone = new(deleted.Select(Full), StringComparer.Ordinal);
        HashSet<string> looked = new(changed.Select(Full), StringComparer.Ordinal);
        Dictionary<string, EntryKind> found = collector.Found ?? [];
        foreach (ReadEntry entry in kept)
        {
            string path = Path.TrimEndingDirectorySeparator(entry.Source.Path);
            if (
                // Left out of the rest: what was looked at, whether it was found or not; what was
                // found by looking at its folder; what is in a deleted folder; and what is below a
                // path that is no folder any more.
                !looked.Contains(path)
                && !found.ContainsKey(path)
                && !IsAnyAbove(
                    path,
                    folder =>
                        gone.Contains(folder)
                        || (found.TryGetValue(folder, out EntryKind kind) && folder != path && kind != EntryKind.Folder)
                )
            )
            {
                collector.Add(entry);
                if (entry.Source.Kind == EntryKind.File)
                {
                    meter.FileDone(entry.Content.SizeBytes, isUnchanged: true);
                }
            }
        }
    }

    private static string Full(string path) => Path.TrimEndingDirectorySeparator(Path.GetFullPath(path));

    /// <summary>Whether a path, or one of the folders above it, is such.</summary>
    private static bool IsAnyAbove(string path, Predicate<string> isSuch)
    {
        for (string? folder = path; folder is not null; folder = Path.GetDirectoryName(folder))
        {
            if (isSuch(folder))
            {
                return true;
            }
        }

        return false;
    }
}
