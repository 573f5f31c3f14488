namespace Restore.Ends.Unix;

/// <summary>Which extended attributes a restore sets.</summary>
internal static class AttributeNames
{
    private const string AccessLists = "system.";
    private static readonly string[] Privileged = ["security.", "trusted."];

    /// <summary>
    /// Attributes of users always, access lists when permissions are restored. Attributes that grant more rights than files have, or belong to the system
    /// (capabilities, labels), never: the backup is not trusted that far.
    /// </summary>
    public static bool IsWanted(string name, bool withPermissions) =>
        !IsPrivileged(name) && (withPermissions || !name.StartsWith(AccessLists, StringComparison.Ordinal));

    /// <summary>Whether a restore never sets it.</summary>
    public static bool IsPrivileged(string name) => Array.Exists(Privileged, prefix => name.StartsWith(prefix, StringComparison.Ordinal));
}
