using Microsoft.Win32.SafeHandles;

namespace Restore.Writing.Source;

/// <summary>A file of a source, open for reading.</summary>
internal sealed class SourceFile : IDisposable
{
    private readonly SourceEntry entry;
    private readonly int folder;
    private FileStream? stream;

    private SourceFile(in SourceEntry entry, int folder, SafeFileHandle handle) =>
        (this.entry, this.folder, Handle) = (entry, folder, handle);

    public SafeFileHandle Handle { get; }

    public string Path => entry.Path;

    /// <summary>Its status when it was opened.</summary>
    public SourceStatus Status { get; private init; }

    /// <param name="folder">The handle of its folder, on Linux.</param>
    /// <exception cref="IOException">It cannot be opened, or is no file any more.</exception>
    /// <exception cref="UnauthorizedAccessException">Access to it is denied.</exception>
    public static SourceFile Open(in SourceEntry entry, int folder)
    {
        SafeFileHandle handle =
            OperatingSystem.IsLinux() ? LinuxSource.OpenFile(folder, entry.Path, entry.IsFollowed)
            : OperatingSystem.IsWindows() ? Windows.OpenForBackup(entry.Path)
            : File.OpenHandle(
                entry.Path,
                FileMode.Open,
                FileAccess.Read,
                FileShare.ReadWrite | FileShare.Delete,
                FileOptions.SequentialScan
            );
        try
        {
            return new SourceFile(entry, folder, handle) { Status = StatusNow(entry, handle) };
        }
        catch
        {
            handle.Dispose();
            throw;
        }
    }

    /// <summary>
    /// Whether the file is as it was when it was opened, and still the one that has its name.
    /// </summary>
    public bool IsUnchanged()
    {
        // A program that saves a file by a rename leaves the open one as it was, and puts another
        // one under its name. The new content would be in no version.
        SourceStatus now = StatusNow(entry, Handle);
        return now.HasSameContent(Status) && (!OperatingSystem.IsLinux() || IsUnderItsName(now));
    }

    /// <summary>
    /// Reads until the destination is full or the file ends. Each read begins where the one before
    /// ended: some files can only be read from their beginning to their end.
    /// </summary>
    /// <exception cref="IOException">The file cannot be read.</exception>
    public int ReadFully(long offset, Span<byte> destination)
    {
        if (stream is null)
        {
            try
            {
                return Handle.ReadFully(offset, destination);
            }
            catch (NotSeekableException) when (offset == 0)
            {
                stream = new FileStream(Handle, FileAccess.Read, bufferSize: 0);
            }
        }

        return stream.ReadAtLeast(destination, destination.Length, throwOnEndOfStream: false);
    }

    public void Dispose()
    {
        stream?.Dispose();
        Handle.Dispose();
    }

    private bool IsUnderItsName(in SourceStatus now)
    {
        try
        {
            return LinuxSource.Look(folder, entry.Path, entry.IsFollowed).Identity == now.Identity;
        }
        catch (FileNotFoundException)
        {
            return false;
        }
    }

    private static SourceStatus StatusNow(in SourceEntry entry, SafeFileHandle handle) =>
        OperatingSystem.IsLinux()
            ? LinuxSource.LookAt(handle, entry.Path)
            : entry.Status with
            {
                SizeBytes = RandomAccess.GetLength(handle),
                LastWriteTicks = File.GetLastWriteTimeUtc(handle).Ticks,
            };
}
