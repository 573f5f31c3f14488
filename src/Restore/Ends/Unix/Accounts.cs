namespace Restore.Ends.Unix;

/// <summary>Finds the ids of users and groups by name on this system. Safe for concurrent use.</summary>
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

    /// <summary>The common start of struct passwd and struct group on Linux and macOS; the buffer is larger than either needs.</summary>
    [StructLayout(LayoutKind.Explicit, Size = 256)]
    private struct Record
    {
        [FieldOffset(16)]
        public uint Id;
    }
}

/// <summary>The owner of an entry: names that this system knows before ids. For what is not recorded, the kernel's "do not change".</summary>
internal readonly record struct OwnerIds(uint User, uint Group)
{
    public const uint Unchanged = uint.MaxValue;

    public bool IsNothing => User == Unchanged && Group == Unchanged;

    public static OwnerIds Of(EntryMetadata metadata, Accounts accounts) => new(
        (metadata.OwnerName is { } owner ? accounts.FindUser(owner) : null) ?? metadata.UserId ?? Unchanged,
        (metadata.GroupName is { } group ? accounts.FindGroup(group) : null) ?? metadata.GroupId ?? Unchanged);

    /// <summary>Sets user and group at once. If that fails, sets each alone, since an ordinary user may choose among their own groups.</summary>
    /// <param name="change">Changes user and group; returns null or the reason of a failure.</param>
    public void Apply(Func<uint, uint, string?> change, ref UnappliedMetadata shortfalls)
    {
        if (IsNothing || change(User, Group) is null)
        {
            return;
        }

        if (User != Unchanged && change(User, Unchanged) is { } userReason)
        {
            shortfalls.Add($"The owner could not be set to {User}", userReason);
        }

        if (Group != Unchanged && change(Unchanged, Group) is { } groupReason)
        {
            shortfalls.Add($"The group could not be set to {Group}", groupReason);
        }
    }
}
