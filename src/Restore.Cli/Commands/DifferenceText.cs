namespace Restore.Cli.Commands;

internal static class DifferenceText
{
    public static void Write(TextWriter output, EntryDifference difference)
    {
        var line = Line(difference);
        output.WriteWhole(
            difference.Change switch
            {
                EntryChange.Added => output.Green(line),
                EntryChange.Removed => output.Red(line),
                EntryChange.Unknown => output.Yellow(line),
                _ => line,
            }
        );
    }

    public static string Line(EntryDifference difference)
    {
        var sizes = (difference.Older, difference.Newer, difference.Change) switch
        {
            (_, { } newer, EntryChange.Added) => Size(newer),
            ({ } older, _, EntryChange.Removed) => Size(older),
            ({ } older, { } newer, EntryChange.Changed) => $"{Size(older)} -> {Size(newer)}",
            ({ } older, _, _) => Size(older),
            (_, { } newer, _) => Size(newer),
            _ => "",
        };
        return string.Create(
            CultureInfo.InvariantCulture,
            $"{Letter(difference.Change)} {sizes, -28} {SafeText.Escape(difference.Path)}"
        );
    }

    public static string Line(DifferenceTotals totals)
    {
        var unknown = totals.Unknown > 0 ? $", {Units.Number(totals.Unknown)} not known" : "";
        return $"{Units.Number(totals.Added)} added, {Units.Number(totals.Removed)} removed, {Units.Number(totals.Changed)} changed, "
            + $"{Units.Number(totals.Metadata)} with other metadata{unknown}; {Units.Bytes(totals.BytesNew)} new, {Units.Bytes(totals.BytesOld)} gone";
    }

    private static char Letter(EntryChange change) =>
        change switch
        {
            EntryChange.Added => '+',
            EntryChange.Removed => '-',
            EntryChange.Changed => '*',
            EntryChange.Unknown => '?',
            _ => 'm',
        };

    private static string Size(EntryState state) =>
        state.Kind switch
        {
            BackupEntryKind.Folder => "folder",
            BackupEntryKind.Symlink => "link",
            _ => Units.Count(state.SizeBytes, "byte"),
        };
}
