namespace Restore.Ends.Unix;

/// <summary>Which extended attributes a restore sets.</summary>
internal static class AttributeNames
{
    private static readonly string[] Privileged = ["security.", "system.", "trusted."];

    /// <summary>Users' own attributes always; those that give rights (capabilities, labels, access lists) only where permissions are restored.</summary>
    public static bool IsWanted(string name, bool withPermissions) =>
        withPermissions || !Array.Exists(Privileged, prefix => name.StartsWith(prefix, StringComparison.Ordinal));
}
