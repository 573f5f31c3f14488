namespace Restore.Cli.Options;

/// <summary>
/// Explains filters that take more than they seem to: with an exclude, everything is selected that
/// no filter matches.
/// </summary>
internal static class FilterNote
{
    private static readonly string[] Everything = ["*", "[.*]", "**"];

    /// <summary>
    /// Null if the filters are as plain as they look, or the operands are not filters.
    /// </summary>
    public static string? Of(HostRequest request)
    {
        var takes = request
            .Operands.Concat(request.Rules.Where(rule => rule.Include).Select(rule => rule.Expression))
            .ToList();
        var leavesOut = request.Rules.Where(rule => !rule.Include).Select(rule => rule.Expression).ToList();
        return
            request.Storage.Length == 0
            || takes.Count == 0
            || leavesOut.Count == 0
            || takes.Concat(leavesOut).Any(Everything.Contains)
            ? null
            : $"Taken: everything but '{string.Join("', '", leavesOut.Take(3))}'{(leavesOut.Count > 3 ? " and more" : "")}, because there is an --exclude; "
                + $"--exclude='*' as the last filter takes only '{string.Join("', '", takes.Take(3))}'{(takes.Count > 3 ? " and more" : "")}";
    }
}
