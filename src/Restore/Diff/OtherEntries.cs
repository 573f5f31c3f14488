namespace Restore.Diff;

/// <summary>
/// What is below a folder and is not in a set of paths. Links are not entered. What cannot be
/// listed or read is in the result, too: it is not known what is there.
/// </summary>
internal sealed class OtherEntries(string root, HashSet<string> seen)
{
    private static readonly EntryState UnreadFolder = new(BackupEntryKind.Folder, 1, 0, LastModified: null, "");

    public IEnumerable<EntryDifference> Find()
    {
        Stack<string> folders = new([""]);
        while (folders.TryPop(out string? folder))
        {
            string? before = null;
            (List<FileSystemInfo> items, bool isWhole) = ItemsIn(folder);
            if (!isWhole)
            {
                yield return new EntryDifference(
                    folder.Length == 0 ? "." : folder,
                    EntryChange.Unknown,
                    null,
                    UnreadFolder
                );
            }

            foreach (FileSystemInfo item in items.OrderBy(item => item.Name, StringComparer.Ordinal))
            {
                string path = folder.Length == 0 ? item.Name : $"{folder}/{item.Name}";

                // In a name that is not text a sign stands for what is wrong: nothing, or something
                // else, has the name with that sign.
                bool isNotText =
                    item.Name == before
                    || (item.Name.Contains('\uFFFD', StringComparison.Ordinal) && !Path.Exists(item.FullName));
                before = item.Name;
                (EntryState? state, bool isKnown) = isNotText ? (Unreadable(item), true) : StateOf(item);
                if (state is { Kind: BackupEntryKind.Folder } && !isNotText)
                {
                    folders.Push(path);
                }

                if (state is not null && (isNotText || !seen.Contains(path)))
                {
                    yield return new EntryDifference(
                        path,
                        isKnown ? EntryChange.Added : EntryChange.Unknown,
                        null,
                        state
                    );
                }
            }
        }
    }

    /// <summary>
    /// What is in a folder, as far as it can be listed; nothing if the folder has vanished since
    /// its own folder was listed.
    /// </summary>
    private (List<FileSystemInfo> Items, bool IsWhole) ItemsIn(string folder)
    {
        EnumerationOptions all = new()
        {
            AttributesToSkip = 0,
            IgnoreInaccessible = false,
            ReturnSpecialDirectories = false,
        };
        List<FileSystemInfo> items = [];
        try
        {
            foreach (
                FileSystemInfo item in new DirectoryInfo(Path.Combine(root, folder)).EnumerateFileSystemInfos("*", all)
            )
            {
                items.Add(item);
            }

            return (items, true);
        }
        catch (DirectoryNotFoundException failure)
        {
            return folder.Length > 0
                ? (items, true)
                : throw new RestoreException(
                    RestoreErrorCode.SourceNotFound,
                    "The folder to compare with does not exist any more",
                    root,
                    failure
                );
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            return (items, false);
        }
    }

    /// <summary>What is known of an item; null if it is gone.</summary>
    private static (EntryState? State, bool IsKnown) StateOf(FileSystemInfo item)
    {
        try
        {
            BackupEntryKind kind =
                item.LinkTarget is not null ? BackupEntryKind.Symlink
                : item is DirectoryInfo ? BackupEntryKind.Folder
                : BackupEntryKind.File;
            return (
                new EntryState(
                    kind,
                    1,
                    kind == BackupEntryKind.File && item is FileInfo file ? file.Length : 0,
                    new DateTimeOffset(item.LastWriteTimeUtc),
                    ""
                ),
                true
            );
        }
        catch (Exception failure) when (failure is FileNotFoundException or DirectoryNotFoundException)
        {
            return (null, true);
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            return (Unreadable(item), false);
        }
    }

    private static EntryState Unreadable(FileSystemInfo item) =>
        new(item is DirectoryInfo ? BackupEntryKind.Folder : BackupEntryKind.File, 1, 0, LastModified: null, "");
}
