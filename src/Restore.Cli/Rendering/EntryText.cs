using System.Globalization;

namespace Restore.Cli.Rendering;

/// <summary>Entries as lines.</summary>
internal static class EntryText
{
    public static string Line(BackupEntry entry, TimeProvider clock)
    {
        var time = entry.LastModified is { } modified ? Units.Time(modified, clock) : "";
        return string.Create(CultureInfo.InvariantCulture, $"{Letter(entry.Kind)} {Size(entry),16} {time,-26}  {SafeText.Escape(entry.Path)}");
    }

    /// <summary>The versions that have an entry, newest first; consecutive versions with the same size and time are one line.</summary>
    public static IEnumerable<string> Versions(IReadOnlyList<(BackupVersion Version, BackupEntry Entry)> versions, TimeProvider clock)
    {
        for (var first = 0; first < versions.Count;)
        {
            var last = first;
            while (last + 1 < versions.Count && IsNextOfRun(versions[last], versions[last + 1]))
            {
                last++;
            }

            yield return Run(versions[first], versions[last], clock);
            first = last + 1;
        }
    }

    /// <summary>An entry in one version of its history.</summary>
    public static string State(BackupVersion version, EntryState? state, string change, TimeProvider clock)
    {
        var start = string.Create(CultureInfo.InvariantCulture, $"{change,-8} version {version.Index,3} of {Units.Time(version.Time, clock)}");
        if (state is null)
        {
            return start;
        }

        var size = (state.Kind == BackupEntryKind.Folder ? Units.Count(state.Files, "file") + ", " : "") + Units.Count(state.SizeBytes, "byte");
        return $"{start}  {size}{(state.LastModified is { } time ? $", modified {Units.Time(time, clock)}" : "")}  {state.Hash}";
    }

    private static bool IsNextOfRun((BackupVersion Version, BackupEntry Entry) one, (BackupVersion Version, BackupEntry Entry) next) =>
        next.Version.Index == one.Version.Index + 1 && next.Entry == one.Entry;

    private static string Run((BackupVersion Version, BackupEntry Entry) first, (BackupVersion Version, BackupEntry Entry) last, TimeProvider clock)
    {
        var name = first == last
            ? $"version {first.Version.Index} of {Units.Time(first.Version.Time, clock)}"
            : $"versions {first.Version.Index} to {last.Version.Index} of {Units.Time(first.Version.Time, clock)} to {Units.Time(last.Version.Time, clock)}";
        var size = first.Entry.Kind == BackupEntryKind.File ? ", " + Units.Count(first.Entry.SizeBytes, "byte") : "";
        return name + size + (first.Entry.LastModified is { } modified ? ", modified " + Units.Time(modified, clock) : "");
    }

    private static string Size(BackupEntry entry) => entry.Kind == BackupEntryKind.File ? Units.Number(entry.SizeBytes) : "";

    private static char Letter(BackupEntryKind kind) => kind switch
    {
        BackupEntryKind.Folder => 'd',
        BackupEntryKind.Symlink => 'l',
        _ => '-',
    };
}
