using Restore.Format;

namespace Restore.Writing.Source;

/// <summary>What the file system says of an entry; links are not followed.</summary>
internal readonly record struct SourceStatus
{
    /// <summary>What it is; null for what a backup leaves out: pipes, sockets, devices.</summary>
    public required EntryKind? Kind { get; init; }

    public long SizeBytes { get; init; }

    public long LastWriteTicks { get; init; }

    /// <summary>On Linux what .NET gives and Duplicati records: the earlier of the times of the last write and the last change.</summary>
    public long CreationTicks { get; init; }

    public FileAttributes Attributes { get; init; }

    public uint? UserId { get; init; }

    public uint? GroupId { get; init; }

    public int? Mode { get; init; }

    public bool IsLinkToFolder { get; init; }

    /// <exception cref="IOException">It cannot be looked at, or is gone.</exception>
    /// <exception cref="UnauthorizedAccessException">It may not be looked at.</exception>
    public static SourceStatus Read(string path)
    {
        FileAttributes attributes = File.GetAttributes(path);
        SourceStatus status = OperatingSystem.IsLinux() ? LinuxSource.Look(path) : Portable(path, attributes);
        return status with
        {
            Attributes = attributes,
            IsLinkToFolder = status.Kind == EntryKind.Symlink && Directory.Exists(path),
        };
    }

    private static SourceStatus Portable(string path, FileAttributes attributes)
    {
        bool isFolder = attributes.HasFlag(FileAttributes.Directory);
        FileSystemInfo info = isFolder ? new DirectoryInfo(path) : new FileInfo(path);
        bool isLink = attributes.HasFlag(FileAttributes.ReparsePoint) && info.LinkTarget is not null;
        return new SourceStatus
        {
            Kind = isLink ? EntryKind.Symlink : isFolder ? EntryKind.Folder : attributes.HasFlag(FileAttributes.Device) ? null : EntryKind.File,
            SizeBytes = info is FileInfo file && !isLink ? file.Length : 0,
            LastWriteTicks = info.LastWriteTimeUtc.Ticks,
            CreationTicks = info.CreationTimeUtc.Ticks,
            Mode = OperatingSystem.IsWindows() ? null : (int)info.UnixFileMode & 0x1FF,
        };
    }
}
