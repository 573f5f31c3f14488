using Microsoft.Win32.SafeHandles;

#if RESTORE_CLI
namespace Restore.Cli.Interop;
#else
namespace Restore.Interop;
#endif

[Flags]
internal enum AtomicFileOptions
{
    None = 0,

    /// <summary>A file of the name is replaced. Without this there must be none.</summary>
    Replaces = 1,

    /// <summary>Only the owner may read it. Without this the mask of the process decides.</summary>
    Private = 2,

    /// <summary>Nothing is flushed: what a power failure leaves is recognized by its content.</summary>
    Unflushed = 4,
}

/// <summary>
/// A file that is written under a temporary name and gets its own when it is whole and the device has it: other programs see nothing, the old file, or all of
/// the new one. Disposing it without <see cref="Commit"/> removes what was written.
/// </summary>
internal sealed class AtomicFile : IDisposable
{
    private const UnixFileMode OwnerOnly = UnixFileMode.UserRead | UnixFileMode.UserWrite;

    private readonly string path;
    private readonly AtomicFileOptions options;
    private bool isThere;
    private long? flushedBytes;

    /// <summary>Creates the temporary file.</summary>
    /// <param name="path">The name that the file gets.</param>
    /// <param name="options">What happens to an old file, and who may read the new one.</param>
    /// <param name="temporaryName">
    /// Its name until then, in the same folder: one that the next run recognizes and replaces. Null for one that no other program uses.
    /// </param>
    /// <exception cref="IOException">It cannot be created.</exception>
    /// <exception cref="UnauthorizedAccessException">The same, for want of rights.</exception>
    public AtomicFile(string path, AtomicFileOptions options = AtomicFileOptions.None, string? temporaryName = null)
    {
        this.path = Path.GetFullPath(path);
        this.options = options;
        TemporaryPath = Path.Join(Path.GetDirectoryName(this.path), temporaryName ?? $".restore-{Guid.NewGuid():N}.tmp");
        if (temporaryName is not null)
        {
            File.Delete(TemporaryPath);
        }

        // Created new: what somebody else has put there, a link for example, is not written to.
        FileStreamOptions creation = new() { Mode = FileMode.CreateNew, Access = FileAccess.ReadWrite, Share = FileShare.Read, BufferSize = 0 };
        if (options.HasFlag(AtomicFileOptions.Private) && !OperatingSystem.IsWindows())
        {
            creation.UnixCreateMode = OwnerOnly;
        }

        Stream = new FileStream(TemporaryPath, creation);
        isThere = true;
    }

    /// <summary>Where the content is until <see cref="Commit"/>.</summary>
    public string TemporaryPath { get; }

    /// <summary>Takes the content, unbuffered. It may be closed before <see cref="Commit"/>, so that other code can open the file by its path.</summary>
    public FileStream Stream { get; }

    /// <summary>Writes a file as a whole.</summary>
    public static void Write(string path, ReadOnlySpan<byte> content, AtomicFileOptions options = AtomicFileOptions.None)
    {
        using AtomicFile file = new(path, options);
        file.Stream.Write(content);
        file.Commit();
    }

    /// <summary>Flushes the content and gives the file its name.</summary>
    /// <returns>Its length in bytes.</returns>
    /// <exception cref="IOException">That cannot be done; an old file is as it was.</exception>
    /// <exception cref="UnauthorizedAccessException">The same, for want of rights.</exception>
    public long Commit()
    {
        long length = Flush();
        Rename();
        isThere = false;
        if (!options.HasFlag(AtomicFileOptions.Unflushed))
        {
            DeviceFlush.Flush(Path.GetDirectoryName(path)!);
        }

        return length;
    }

    /// <summary>Flushes and closes the file, which keeps its temporary name.</summary>
    /// <returns>Its length in bytes.</returns>
    public long Flush()
    {
        if (flushedBytes is { } length)
        {
            return length;
        }

        using SafeFileHandle file = Stream.CanWrite
            ? Stream.SafeFileHandle
            : File.OpenHandle(TemporaryPath, FileMode.Open, FileAccess.ReadWrite, FileShare.Read);
        if (!options.HasFlag(AtomicFileOptions.Unflushed))
        {
            DeviceFlush.Flush(file, path);
        }

        flushedBytes = RandomAccess.GetLength(file);
        return flushedBytes.Value;
    }

    public void Dispose()
    {
        Stream.Dispose();
        if (isThere)
        {
            try
            {
                File.Delete(TemporaryPath);
            }
            catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
            {
                // The failure that led here is the one to report, and the name says what the file is.
            }
        }
    }

    private void Rename()
    {
        try
        {
            File.Move(TemporaryPath, path, options.HasFlag(AtomicFileOptions.Replaces));
        }
        catch (IOException) when (!File.Exists(TemporaryPath) && File.Exists(path))
        {
            // It was done: a server of a network file system may answer a repeated request for a rename with an error although the first one succeeded.
        }
    }
}
