using Restore.Planning.Paths;

namespace Restore.Planning;

/// <summary>
/// Where the record of a run is: at the target, or, if entries go to their original places, in the
/// folder that contains them all.
/// </summary>
internal static class RecordFolder
{
    public static string Of(EntryPlans entries, RestoreOptions options)
    {
        if (options.Target is not null)
        {
            return "";
        }

        // Target paths have '/' between their names on every system.
        CommonPrefix common = new(PathStyle.Unix);
        byte[] buffer = [];
        byte[] original = [];
        foreach (EntryId entry in EntryId.UpTo(entries.Content.SelectedCount))
        {
            EntryKind kind = entries.Content.Entries[entry].Kind;
            if (
                entries.Paths.Map(entries.Content.PathOf(entry, ref original), kind, ref buffer, out int length) is null
            )
            {
                common.Add(
                    kind == EntryKind.Folder && length > 0
                        ? [.. buffer.AsSpan(0, length), (byte)'/']
                        : buffer.AsSpan(0, length)
                );
            }
        }

        return Encoding.UTF8.GetString(common.Folder.TrimEnd((byte)'/'));
    }
}
