namespace Restore.Ends.Unix;

/// <summary>
/// Finds the ids of users and groups by name on this system. Safe for concurrent use.
/// </summary>
internal sealed unsafe class Accounts
{
    private const int MaxRecordBytes = 1 << 20;
    private const int RecordTooLong = 34;

    private readonly RememberedAnswers<uint?> users = new(name => Ask(name, Libc.GetPwNam));
    private readonly RememberedAnswers<uint?> groups = new(name => Ask(name, Libc.GetGrNam));

    private delegate int Query(string name, void* record, byte* buffer, nint length, void** found);

    public uint? FindUser(string name) => users.Of(name);

    public uint? FindGroup(string name) => groups.Of(name);

    private static uint? Ask(string name, Query query)
    {
        if (name.Length == 0 || name.Contains('\0'))
        {
            return null;
        }

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
