namespace Restore.Ends.Unix;

/// <summary>Which extended attributes a restore sets.</summary>
internal static class AttributeNames
{
    private const string AccessLists = "system.";
    private static readonly string[] Privileged = ["security.", "trusted."];

    /// <summary>
    /// Attributes of users always, access lists when permissions are restored. Never attributes
    /// that grant more rights than files have, or belong to the system (capabilities, labels): the
    /// backup is not trusted that far. Access lists come last: they may forbid an ordinary user to
    /// set the others.
    /// </summary>
    public static IReadOnlyList<KeyValuePair<string, byte[]>> Wanted(EntryMetadata metadata, bool withPermissions) =>
        metadata.ExtendedAttributes.Count == 0
            ? []
            :
            [
                .. metadata
                    .ExtendedAttributes.Where(attribute =>
                        !IsPrivileged(attribute.Key) && (withPermissions || !IsAccessList(attribute.Key))
                    )
                    .OrderBy(attribute => IsAccessList(attribute.Key)),
            ];

    public static bool IsPrivileged(string name) =>
        Array.Exists(Privileged, prefix => name.StartsWith(prefix, StringComparison.Ordinal));

    public static bool IsAccessList(string name) => name.StartsWith(AccessLists, StringComparison.Ordinal);
}
