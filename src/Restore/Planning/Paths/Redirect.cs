namespace Restore.Planning.Paths;

/// <summary>
/// Another place for a folder and all that is in it: where the links that this machine has above it
/// lead. Both are target paths.
/// </summary>
internal sealed record Redirect(string From, string To);
