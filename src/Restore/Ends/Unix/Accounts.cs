namespace Restore.Ends.Unix;

/// <summary>
/// Finds the ids of users and groups by name on this system. Safe for concurrent use.
/// </summary>
internal sealed unsafe class Accounts
{
    // Names come from the backup: a hostile one may have a new name in every entry.
    private const int MaxRemembered = 4096;
    private const int MaxRecordBytes = 1 << 20;
    private const int RecordTooLong = 34;

    private readonly ConcurrentDictionary<string, uint?> users = new(StringComparer.Ordinal);
    private readonly ConcurrentDictionary<string, uint?> groups = new(StringComparer.Ordinal);

    private delegate int Query(string name, void* record, byte* buffer, nint length, void** found);

    public uint? FindUser(string name) => Find(users, name, Libc.GetPwNam);

    public uint? FindGroup(string name) => Find(groups, name, Libc.GetGrNam);

    private static uint? Find(ConcurrentDictionary<string, uint?> known, string name, Query query)
    {
        if (known.TryGetValue(name, out uint? id))
        {
            return id;
        }

        id = name.Length == 0 || name.Contains('\0') ? null : Ask(name, query);
        if (known.Count < MaxRemembered)
        {
            known.TryAdd(name, id);
        }

        return id;
    }

    private static uint? Ask(string name, Query query)
    {
        for (int length = 1024; length <= MaxRecordBytes; length *= 4)
        {
            Record record;
            void* found;
            fixed (byte* buffer = new byte[length])
            {
                int error = query(name, &record, buffer, length, &found);
                if (error != RecordTooLong)
                {
                    return error == 0 && found is not null ? record.Id : null;
                }
            }
        }

        return null;
    }

    /// <summary>
    /// The common start of struct passwd and struct group on Linux and macOS; the buffer is larger
    /// than either needs.
    /// </summary>
    [StructLayout(LayoutKind.Explicit, Size = 256)]
    private struct Record
    {
        [FieldOffset(16)]
        public uint Id;
    }
}
