namespace Restore.Planning;

/// <summary>Where the record of a run is: at the target, or, if entries go to their original places, in the folder that contains them all.</summary>
internal static class RecordFolder
{
    public static string Of(EntryPlans entries, RestoreOptions options)
    {
        if (options.Target is not null)
        {
            return "";
        }

        byte[]? common = null;
        int length = 0;
        byte[] buffer = [];
        byte[] original = [];
        foreach (EntryId entry in EntryId.UpTo(entries.Count))
        {
            EntryKind kind = entries.Content.Entries[entry].Kind;
            if (entries.Paths.Map(entries.Content.PathOf(entry, ref original), kind, ref buffer, out int pathLength) is null)
            {
                ReadOnlySpan<byte> path = buffer.AsSpan(0, pathLength);
                ReadOnlySpan<byte> folder = kind == EntryKind.Folder ? path : path[..Math.Max(path.LastIndexOf((byte)'/'), 0)];
                length = common is null ? folder.Length : LengthOfCommon(common.AsSpan(0, length), folder);
                common ??= folder.ToArray();
            }
        }

        return Encoding.UTF8.GetString(common ?? [], 0, length);
    }

    private static int LengthOfCommon(ReadOnlySpan<byte> one, ReadOnlySpan<byte> other)
    {
        int same = one.CommonPrefixLength(other);
        bool isWhole = (same == one.Length || one[same] == '/') && (same == other.Length || other[same] == '/');
        return isWhole ? same : Math.Max(one[..same].LastIndexOf((byte)'/'), 0);
    }
}
