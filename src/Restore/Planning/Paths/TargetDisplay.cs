namespace Restore.Planning.Paths;

/// <summary>A path of a target as people of this system write it.</summary>
internal static class TargetDisplay
{
    private const string Shares = "UNC/";

    /// <param name="root">The folder of the target; null for the original places.</param>
    public static string Of(string? root, string path) =>
        OperatingSystem.IsWindows() ? OnWindows(root, path)
        : root is null ? "/" + path
        : Path.Join(root, path);

    /// <summary>
    /// Original places begin with the letter of a drive and a colon, or with UNC, a server and a
    /// share.
    /// </summary>
    internal static string OnWindows(string? root, string path)
    {
        string names = path.Replace('/', '\\');
        return root is not null ? $"{root.TrimEnd('\\')}\\{names}"
            : path.StartsWith(Shares, StringComparison.Ordinal) ? @"\\" + names[Shares.Length..]
            : path is [_, ':'] ? names + '\\'
            : names;
    }
}
