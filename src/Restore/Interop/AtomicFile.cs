using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

namespace Restore.Interop;

[Flags]
internal enum AtomicFileOptions
{
    None = 0,

    /// <summary>Replaces a file of the name. Without this there must be none.</summary>
    Replaces = 1,

    /// <summary>Only the owner may read it. Without this the mask of the process decides.</summary>
    Private = 2,

    /// <summary>Nothing is flushed: what a power failure leaves is recognized by its content.</summary>
    Unflushed = 4,
}

/// <summary>A file that is written under a temporary name and gets its own when it is whole and the device has it. Disposing it without <see cref="Commit"/>
/// removes what was written.</summary>
internal sealed class AtomicFile : IDisposable
{
    private const UnixFileMode OwnerOnly = UnixFileMode.UserRead | UnixFileMode.UserWrite;

    private readonly string path;
    private readonly AtomicFileOptions options;
    private bool isThere;
    private long? flushedBytes;

    /// <summary>Creates the temporary file.</summary>
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

    public static void Write(string path, ReadOnlySpan<byte> content, AtomicFileOptions options = AtomicFileOptions.None)
    {
        using AtomicFile file = new(path, options);
        file.Stream.Write(content);
        file.Commit();
    }

    /// <summary>Flushes the content, gives the file its name, and returns its length. If that fails, an old file is as it was.</summary>
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

    /// <summary>Flushes and closes the file, which keeps its temporary name; returns its length.</summary>
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

/// <summary>Makes files, and the names in a folder, safe from a power failure, as far as the system can do it.</summary>
internal static class DeviceFlush
{
    private const int Interrupted = 4;
    private const int AccessDenied = 13;

    // EINVAL, and EROFS and ENOTSUP of files that need no flush.
    private const int Unsupported = 22;
    private const int ReadOnly = 30;
    private const int NotSupported = 95;

    /// <summary>Waits until the device has a file. .NET's own call ignores a device that fails or is full.</summary>
    public static void Flush(SafeFileHandle file, string path)
    {
        if (!OperatingSystem.IsLinux())
        {
            RandomAccess.FlushToDisk(file);
        }
        else if (Repeated(() => Libc.FSync(file)) < 0 && Marshal.GetLastPInvokeError() is not (Unsupported or ReadOnly or NotSupported))
        {
            throw new IOException($"{path} cannot be flushed: {Marshal.GetLastPInvokeErrorMessage()}");
        }
    }

    public static void Flush(string folder)
    {
        if (OperatingSystem.IsWindows())
        {
            // NTFS logs its names.
            return;
        }

        int handle = Libc.Open(folder, 0, 0);
        if (handle < 0 && Marshal.GetLastPInvokeError() == AccessDenied)
        {
            // One may write to some folders, but not read them.
            return;
        }

        try
        {
            // Some network file systems flush no folder, and say so by EINVAL.
            if (handle < 0 || (Repeated(() => Libc.FSync(handle)) < 0 && Marshal.GetLastPInvokeError() != Unsupported))
            {
                throw new IOException($"{folder} cannot be flushed: {Marshal.GetLastPInvokeErrorMessage()}");
            }
        }
        finally
        {
            if (handle >= 0)
            {
                _ = Libc.Close(handle);
            }
        }
    }

    private static int Repeated(Func<int> call)
    {
        int result;
        do
        {
            result = call();
        }
        while (result < 0 && Marshal.GetLastPInvokeError() == Interrupted);
        return result;
    }
}
