namespace Restore.Ends.Linux;

/// <summary>
/// What is mounted at and below a folder, by the list of mounts of the process: for kernels that do
/// not say to which mount a path belongs. A mount of a folder of the same file system has the same
/// device number, so the device number does not identify the mount.
/// </summary>
internal sealed class MountTable
{
    private const string ListPath = "/proc/self/mountinfo";

    private readonly string rootPath;
    private readonly Dictionary<string, ulong> mounts = new(StringComparer.Ordinal);

    /// <param name="list">The lines of mountinfo: number, number of the parent, device, root, mount
    /// point, and more.</param>
    /// <param name="rootPath">The folder, without links in its path.</param>
    public MountTable(IEnumerable<string> list, string rootPath)
    {
        this.rootPath = rootPath.TrimEnd('/');
        foreach (string line in list)
        {
            string[] fields = line.Split(' ', 6);
            if (
                fields.Length == 6
                && ulong.TryParse(fields[0], NumberStyles.None, CultureInfo.InvariantCulture, out ulong number)
            )
            {
                // If several mounts are at one place, the last one covers the others.
                mounts[Unescape(fields[4]).TrimEnd('/')] = number;
            }
        }
    }

    /// <summary>Reads the list.</summary>
    /// <param name="rootHandle">A handle of the folder.</param>
    /// <returns>Null if the system does not show it.</returns>
    public static MountTable? Read(int rootHandle)
    {
        try
        {
            return File.ResolveLinkTarget($"/proc/self/fd/{rootHandle}", returnFinalTarget: false) is { } root
                ? new MountTable(File.ReadLines(ListPath), root.FullName)
                : null;
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            return null;
        }
    }

    /// <summary>The number of the mount that a path below the folder is on.</summary>
    public ulong MountOf(string path)
    {
        for (
            string place = path.Length == 0 ? rootPath : $"{rootPath}/{path}";
            ;
            place = place[..place.LastIndexOf('/')]
        )
        {
            if (mounts.TryGetValue(place, out ulong number))
            {
                return number;
            }

            if (place.Length == 0)
            {
                // The root of a process need not be a mount.
                return ulong.MaxValue;
            }
        }
    }

    /// <summary>
    /// Blanks, tabs, line breaks and backslashes are three octal digits after a backslash.
    /// </summary>
    private static string Unescape(string text)
    {
        int at = text.IndexOf('\\', StringComparison.Ordinal);
        if (at < 0)
        {
            return text;
        }

        StringBuilder plain = new();
        for (at = 0; at < text.Length; at++)
        {
            bool isEscape =
                text[at] == '\\'
                && at + 3 < text.Length
                && text.AsSpan(at + 1, 3).IndexOfAnyExceptInRange('0', '7') < 0;
            plain.Append(isEscape ? (char)Convert.ToInt32(text.Substring(at + 1, 3), 8) : text[at]);
            at += isEscape ? 3 : 0;
        }

        return plain.ToString();
    }
}
