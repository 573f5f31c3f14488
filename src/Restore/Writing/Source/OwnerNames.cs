namespace Restore.Writing.Source;

/// <summary>
/// The names of users and groups by id on this system. Not safe for concurrent use.
/// </summary>
internal sealed unsafe class OwnerNames
{
    private const int MaxRecordBytes = 1 << 20;
    private const int RecordTooLong = 34;

    private readonly Dictionary<uint, string?> users = [];
    private readonly Dictionary<uint, string?> groups = [];

    private delegate int Query(uint id, void* record, byte* buffer, nint length, void** found);

    /// <summary>The user's name, or null if this system does not know it.</summary>
    public string? User(uint id) => Find(users, id, Libc.GetPwUid);

    /// <summary>The group's name, or null if this system does not know it.</summary>
    public string? Group(uint id) => Find(groups, id, Libc.GetGrGid);

    private static string? Find(Dictionary<uint, string?> known, uint id, Query query)
    {
        if (!known.TryGetValue(id, out string? name))
        {
            name = Ask(id, query);
            known.Add(id, name);
        }

        return name;
    }

    private static string? Ask(uint id, Query query)
    {
        // Room for struct passwd and struct group; both begin with a pointer to the name.
        byte** record = stackalloc byte*[32];

        // The record of a group has the names of all its members, so it can take far more than
        // usual.
        for (int length = 1024; length <= MaxRecordBytes; length *= 4)
        {
            byte** found;
            fixed (byte* buffer = new byte[length])
            {
                int error = query(id, record, buffer, length, (void**)&found);
                if (error != RecordTooLong)
                {
                    return error == 0 && found is not null ? Marshal.PtrToStringUTF8((nint)found[0]) : null;
                }
            }
        }

        return null;
    }
}
