namespace Restore.Catalog;

/// <summary>
/// Entries that a version lists twice under the same path. A database of Duplicati that had an
/// entry twice wrote such lists.
/// </summary>
internal static class RepeatedEntry
{
    public const string Reason =
        "The version lists it twice with the same content; it is restored once, with the attributes of the first";

    /// <summary>
    /// Whether nothing is lost if only the earlier one of two entries with the same path is taken.
    /// </summary>
    public static bool Is(VersionContent content, EntryId entry, EntryId earlier)
    {
        (EntryRow one, EntryRow other) = (content.Entries[entry], content.Entries[earlier]);
        return one.Kind == other.Kind
            && one.Kind switch
            {
                EntryKind.Folder => true,
                EntryKind.Symlink => IsSame(content, one.Metadata, other.Metadata),
                _ => IsSame(content, one.Content, other.Content),
            };
    }

    private static bool IsSame(VersionContent content, ContentId one, ContentId other) =>
        one == other
        || (
            !one.IsNone
            && !other.IsNone
            && content.SizeOf(one) == content.SizeOf(other)
            && content.HasFileHash(one)
            && content.HasFileHash(other)
            && content.FileHashOf(one).SequenceEqual(content.FileHashOf(other))
        );
}
