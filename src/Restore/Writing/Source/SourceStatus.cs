namespace Restore.Writing.Source;

/// <summary>The status of an entry in the file system; links are not followed.</summary>
internal readonly record struct SourceStatus
{
    /// <summary>
    /// The kind; null for entries that a backup leaves out: pipes, sockets, devices.
    /// </summary>
    public required EntryKind? Kind { get; init; }

    public long SizeBytes { get; init; }

    public long LastWriteTicks { get; init; }

    /// <summary>
    /// On Linux the time that .NET returns and Duplicati records: the earlier one of last write and
    /// last change.
    /// </summary>
    public long CreationTicks { get; init; }

    /// <summary>
    /// The time of the last change of any kind, which no program can set; 0 if the system has no
    /// such time.
    /// </summary>
    public long ChangedTicks { get; init; }

    public FileAttributes Attributes { get; init; }

    public uint? UserId { get; init; }

    public uint? GroupId { get; init; }

    public int? Mode { get; init; }

    /// <summary>Whether it has setuid, setgid or sticky, which a backup does not store.</summary>
    public bool HasSpecialBits { get; init; }

    public bool IsLinkToFolder { get; init; }

    /// <summary>How many names the file has; 0 if the system does not say.</summary>
    public uint Names { get; init; }

    public (ulong Device, ulong File) Identity { get; init; }

    /// <param name="path">The path of the entry.</param>
    /// <param name="folder">The handle of its folder, on Linux.</param>
    /// <param name="follows">Whether a link at the end of the path is followed.</param>
    /// <exception cref="IOException">The entry cannot be read, or is gone.</exception>
    /// <exception cref="UnauthorizedAccessException">Access to the entry is denied.</exception>
    public static SourceStatus Read(string path, int folder = Kernel.CurrentFolder, bool follows = false)
    {
        SourceStatus status = OperatingSystem.IsLinux()
            ? LinuxSource.Look(folder, path, follows)
            : Portable(follows ? EndOf(path) : path);
        return status.Kind == EntryKind.Symlink
            ? status with
            {
                IsLinkToFolder = Directory.Exists(LinuxSource.InFolder(folder, path)),
            }
            : status;
    }

    /// <summary>The status of what a link leads to; null if it leads to nothing.</summary>
    /// <exception cref="IOException">What it leads to cannot be looked at, so nothing says that it
    /// is not there.</exception>
    /// <exception cref="UnauthorizedAccessException">Access to it is denied.</exception>
    public static SourceStatus? ReadBehind(string path)
    {
        try
        {
            return OperatingSystem.IsLinux() ? LinuxSource.LookBehind(path) : Portable(EndOf(path));
        }
        catch (Exception failure) when (failure is FileNotFoundException or DirectoryNotFoundException)
        {
            return null;
        }
    }

    /// <summary>Compares what changes when the content of a file changes.</summary>
    public bool HasSameContent(in SourceStatus other) =>
        SizeBytes == other.SizeBytes
        && LastWriteTicks == other.LastWriteTicks
        && ChangedTicks == other.ChangedTicks
        && Identity == other.Identity;

    /// <summary>The path at the end of all links.</summary>
    private static string EndOf(string path) =>
        Directory.ResolveLinkTarget(path, returnFinalTarget: true)?.FullName ?? path;

    private static SourceStatus Portable(string path)
    {
        FileAttributes attributes = File.GetAttributes(path);
        bool isFolder = attributes.HasFlag(FileAttributes.Directory);
        FileSystemInfo info = isFolder ? new DirectoryInfo(path) : new FileInfo(path);
        bool isLink = attributes.HasFlag(FileAttributes.ReparsePoint) && info.LinkTarget is not null;
        return new SourceStatus
        {
            Kind =
                isLink ? EntryKind.Symlink
                : isFolder ? EntryKind.Folder
                : attributes.HasFlag(FileAttributes.Device) ? null
                : EntryKind.File,
            SizeBytes = info is FileInfo file && !isLink ? file.Length : 0,
            LastWriteTicks = info.LastWriteTimeUtc.Ticks,
            CreationTicks = info.CreationTimeUtc.Ticks,
            Mode = OperatingSystem.IsWindows() ? null : (int)info.UnixFileMode & 0x1FF,
            HasSpecialBits = !OperatingSystem.IsWindows() && !isLink && (int)info.UnixFileMode > 0x1FF,
            Attributes = attributes,
        };
    }
}
