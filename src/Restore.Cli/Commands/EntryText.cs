namespace Restore.Cli.Commands;

internal static class EntryText
{
    public static string Line(BackupEntry entry, TimeProvider clock, string details = "")
    {
        var time = entry.LastModified is { } modified ? Units.Time(modified, clock) : "";
        return string.Create(
            CultureInfo.InvariantCulture,
            $"{Letter(entry.Kind)}{details} {Size(entry), 16} {time, -26}  {SafeText.Escape(entry.Path)}"
        );
    }

    /// <summary>
    /// The versions that have an entry, newest first: a line for each distinct content, size and
    /// time.
    /// </summary>
    public static IEnumerable<string> Versions(
        IReadOnlyList<(BackupVersion Version, BackupEntry Entry)> versions,
        TimeProvider clock
    ) =>
        versions
            .GroupBy(version => version.Entry, version => version.Version)
            .Select(same => Same(same.Key, [.. same], clock));

    /// <param name="mark">What stands at the end of the line.</param>
    public static string State(
        BackupVersion version,
        EntryState? state,
        string change,
        string mark,
        CliEnvironment environment
    )
    {
        var clock = environment.Clock;
        var start = string.Create(
            CultureInfo.InvariantCulture,
            $"{change, -8} version {version.Index, 3} of {Units.Time(version.Time, clock)}"
        );
        if (state is null)
        {
            return start + mark;
        }

        var size =
            (state.Kind == BackupEntryKind.Folder ? Units.Count(state.Files, "file") + ", " : "")
            + Units.Count(state.SizeBytes, "byte");
        var modified = state.LastModified is { } time ? $", modified {Units.Time(time, clock)}" : "";
        return TableLine.Fit(environment, $"{start}  {size}", mark, $"{modified}  {state.Hash}", modified);
    }

    private static string Same(BackupEntry entry, BackupVersion[] versions, TimeProvider clock)
    {
        var name =
            versions.Length == 1
                ? $"version {versions[0].Index} of {Units.Time(versions[0].Time, clock)}"
                : $"versions {Ranges(versions)} of {Units.Time(versions[0].Time, clock)} to {Units.Time(versions[^1].Time, clock)}";
        var size = entry.Kind == BackupEntryKind.File ? ", " + Units.Count(entry.SizeBytes, "byte") : "";
        return name + size + (entry.LastModified is { } modified ? ", modified " + Units.Time(modified, clock) : "");
    }

    /// <summary>"0", "0 to 3", "0 to 3, 7".</summary>
    private static string Ranges(BackupVersion[] versions)
    {
        List<string> ranges = [];
        for (var first = 0; first < versions.Length; )
        {
            var last = first;
            while (last + 1 < versions.Length && versions[last + 1].Index == versions[last].Index + 1)
            {
                last++;
            }

            ranges.Add(
                first == last ? $"{versions[first].Index}" : $"{versions[first].Index} to {versions[last].Index}"
            );
            first = last + 1;
        }

        return string.Join(", ", ranges);
    }

    private static string Size(BackupEntry entry) =>
        entry.Kind == BackupEntryKind.File ? Units.Number(entry.SizeBytes) : "";

    private static char Letter(BackupEntryKind kind) =>
        kind switch
        {
            BackupEntryKind.Folder => 'd',
            BackupEntryKind.Symlink => 'l',
            _ => '-',
        };
}
