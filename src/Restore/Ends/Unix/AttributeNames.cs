namespace Restore.Ends.Unix;

/// <summary>Which extended attributes a restore sets.</summary>
internal static class AttributeNames
{
    private const string AccessLists = "system.";
    private static readonly string[] Privileged = ["security.", "trusted."];

    /// <summary>
    /// Users' own attributes always, access lists where permissions are restored. Those that give rights beyond that of files, or are the system's own
    /// (capabilities, labels), never: a backup is not trusted that far.
    /// </summary>
    public static bool IsWanted(string name, bool withPermissions) =>
        !IsPrivileged(name) && (withPermissions || !name.StartsWith(AccessLists, StringComparison.Ordinal));

    /// <summary>Whether no restore sets it.</summary>
    public static bool IsPrivileged(string name) => Array.Exists(Privileged, prefix => name.StartsWith(prefix, StringComparison.Ordinal));
}
