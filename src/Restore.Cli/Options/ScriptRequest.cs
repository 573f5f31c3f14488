namespace Restore.Cli.Options;

/// <summary>Programs of the user's around an operation.</summary>
/// <param name="Required">The program without which nothing is done, and its arguments; empty for
/// none.</param>
/// <param name="Before">The program before the operation.</param>
/// <param name="After">The program after it.</param>
/// <param name="Limit">How long each may run.</param>
internal sealed record ScriptRequest(
    IReadOnlyList<string> Required,
    IReadOnlyList<string> Before,
    IReadOnlyList<string> After,
    TimeSpan Limit
)
{
    public IEnumerable<IReadOnlyList<string>> All => new[] { Required, Before, After }.Where(one => one.Count > 0);
}
