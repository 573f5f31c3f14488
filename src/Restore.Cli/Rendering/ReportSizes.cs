namespace Restore.Cli.Rendering;

internal static class ReportSizes
{
    private const string All = "--verbose, --json and --report";

    public static int Rows(this ReportSize size) =>
        size switch
        {
            ReportSize.Screen => 5,
            ReportSize.Stream => 20,
            _ => int.MaxValue,
        };

    public static void NoteMore(this ReportSize size, TextWriter output, long count)
    {
        if (count > 0 && size != ReportSize.All)
        {
            output.WriteLine($"            and {Units.Number(count)} more; {All} have them all");
        }
    }

    /// <summary>Says where the rest is of issues that are shown in groups.</summary>
    public static void NoteGroups(this ReportSize size, TextWriter output, long left, bool named)
    {
        size.NoteMore(output, left);
        if (left == 0)
        {
            output.WriteLine($"            {All} {(named ? "have all volumes and byte ranges" : "name each entry")}");
        }
    }
}
