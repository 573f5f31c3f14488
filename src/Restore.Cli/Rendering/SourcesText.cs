namespace Restore.Cli.Rendering;

/// <summary>Which files of a restore come from which version.</summary>
internal static class SourcesText
{
    public static void Write(
        TextWriter output,
        IReadOnlyList<VersionSource>? sources,
        TimeProvider clock,
        ReportSize size
    )
    {
        foreach (var source in sources ?? [])
        {
            var version = ReportText.Versions(source.Version, null, clock);
            output.WriteLine(
                $"  Taken     {Units.Count(source.Files, "file")}, {Units.Bytes(source.Bytes)}, from {version}"
            );
            foreach (var path in source.Paths.Take(size.Rows()))
            {
                output.WriteWhole($"            {SafeText.Escape(path)}");
            }

            size.NoteMore(output, source.Paths.Count - size.Rows());
        }
    }
}
