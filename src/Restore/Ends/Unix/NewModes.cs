namespace Restore.Ends.Unix;

/// <summary>
/// The modes of the files and folders that a restore creates. Until they are finished, only their
/// owner may use them, and the sticky bit marks them. Other programs do not create such files and
/// folders, so the next restore recognizes what an interrupted restore left. A file system without
/// modes shows other modes, and its files need no finishing.
/// </summary>
internal static class NewModes
{
    public const int UnfinishedFile = 0x380;
    public const int UnfinishedFolder = 0x3C0;

    private const int AllButGroupId = 0xBFF;
    private const int PermissionBits = 0x1FF;
    private const int ReadAndWrite = 0x1B6;
    private const int WriteBits = 0x92;

    public static bool IsUnfinished(int mode, bool isFolder) =>
        (mode & AllButGroupId) == (isFolder ? UnfinishedFolder : UnfinishedFile);

    /// <summary>
    /// What the system gives a new file or folder, at most the recorded mode. A folder that
    /// inherited its group keeps the mark of that.
    /// </summary>
    /// <param name="mode">The mode of the unfinished file or folder.</param>
    public static int Finished(int mode, bool isFolder, int mask, EntryMetadata metadata)
    {
        int usual =
            (isFolder ? PermissionBits : ReadAndWrite) & ~mask & (AccessList.ModeWithout(metadata) ?? PermissionBits);

        // For a folder the attribute has a meaning on Windows only, and does not make it read-only.
        bool isReadOnly =
            !isFolder && metadata.Attributes is { } attributes && attributes.HasFlag(FileAttributes.ReadOnly);
        return (isReadOnly ? usual & ~WriteBits : usual) | (mode & ~AllButGroupId & 0xFFF);
    }

    /// <summary>
    /// The mode of a file that replaces another file: the mode of the other file, without the right
    /// to write if the new file must not have it.
    /// </summary>
    public static int Replacing(int replaced, int own) =>
        replaced & PermissionBits & ((own & WriteBits) == 0 ? ~WriteBits : ~0);
}
