using Microsoft.Win32.SafeHandles;

namespace Restore.Interop;

/// <summary>
/// A file that gets its name when it is whole and the device has it. Until then it has no name at
/// all, where the file system can do that: a program that is killed leaves nothing. Elsewhere it
/// has a temporary one, by which <see cref="AbandonedFiles"/> finds it. Disposing it without
/// <see cref="Commit"/> removes what was written.
/// </summary>
internal sealed class AtomicFile : IDisposable
{
    private const UnixFileMode OwnerOnly = UnixFileMode.UserRead | UnixFileMode.UserWrite;
    private const UnixFileMode Everyone =
        OwnerOnly | UnixFileMode.GroupRead | UnixFileMode.GroupWrite | UnixFileMode.OtherRead | UnixFileMode.OtherWrite;

    private readonly string path;
    private readonly AtomicFileOptions options;

    private readonly HeldFiles held = new();

    // The stream does not own it: it may be closed before the file gets its name.
    private readonly SafeFileHandle handle;
    private string? name;
    private long? flushedBytes;

    /// <summary>Creates the temporary file.</summary>
    /// <param name="options">What happens to an old file, and who may read the new one.</param>
    /// <param name="temporaryName">Its name until then, in the same folder: one that the next run
    /// recognizes and replaces. Null for one of this class.</param>
    /// <exception cref="IOException">It cannot be created.</exception>
    /// <exception cref="UnauthorizedAccessException">It cannot be created, because access is
    /// denied.</exception>
    public AtomicFile(string path, AtomicFileOptions options = AtomicFileOptions.None, string? temporaryName = null)
    {
        this.path = Path.GetFullPath(path);
        this.options = options;
        if (temporaryName is null && !options.HasFlag(AtomicFileOptions.Unflushed))
        {
            AbandonedFiles.Remove(Folder);
        }

        if (
            temporaryName is null
            && !options.HasFlag(AtomicFileOptions.Named)
            && UnnamedFile.TryCreate(Folder, Mode) is { } unnamed
        )
        {
            handle = unnamed;
            TemporaryPath = UnnamedFile.PathOf(unnamed);
        }
        else
        {
            (handle, TemporaryPath) = temporaryName is null ? CreateNamed() : Create(temporaryName);
            name = TemporaryPath;
        }

        Stream = new LengthCheckedStream(handle);
    }

    /// <summary>
    /// Where the content is until <see cref="Commit"/>, for other code that opens it.
    /// </summary>
    public string TemporaryPath { get; }

    /// <summary>
    /// Takes the content, unbuffered. It may be closed before <see cref="Commit"/>.
    /// </summary>
    public Stream Stream { get; }

    private string Folder => Path.GetDirectoryName(path)!;

    private UnixFileMode Mode => options.HasFlag(AtomicFileOptions.Private) ? OwnerOnly : Everyone;

    public static void Write(
        string path,
        ReadOnlySpan<byte> content,
        AtomicFileOptions options = AtomicFileOptions.None
    )
    {
        using AtomicFile file = new(path, options);
        file.Stream.Write(content);
        file.Commit();
    }

    /// <summary>
    /// Flushes the content, gives the file its name, and returns its length. If that fails, an old
    /// file is as it was.
    /// </summary>
    public long Commit()
    {
        long length = Flush();

        // A file without a name gets it by a link. Where that fails, its content is copied to a
        // file with a temporary name.
        if (name is null && !TryLink())
        {
            name = CopyToNamed();
        }

        if (name is not null)
        {
            Rename(name);
            name = null;
        }

        if (!options.HasFlag(AtomicFileOptions.Unflushed))
        {
            // The name is in the folder, and is safe only when the folder is flushed too.
            DeviceFlush.Flush(Folder);
        }

        return length;
    }

    /// <summary>
    /// Flushes and closes the file, which keeps its temporary name; returns its length.
    /// </summary>
    public long Flush()
    {
        if (flushedBytes is { } length)
        {
            return length;
        }

        Stream.Dispose();
        if (!options.HasFlag(AtomicFileOptions.Unflushed))
        {
            DeviceFlush.Flush(handle, path);
        }

        flushedBytes = RandomAccess.GetLength(handle);
        return flushedBytes.Value;
    }

    public void Dispose()
    {
        Stream.Dispose();
        if (name is null)
        {
            handle.Dispose();
            return;
        }

        CloseBeforeRename();
        try
        {
            held.Retry(() => File.Delete(name));
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            // The earlier failure is the one to report, and the name says what the file is.
        }

        handle.Dispose();
    }

    /// <summary>
    /// A file with a name of this class. It is locked, so that another program does not take it for
    /// abandoned.
    /// </summary>
    private (SafeFileHandle Handle, string Path) CreateNamed()
    {
        while (true)
        {
            try
            {
                (SafeFileHandle created, string createdPath) = Create(AbandonedFiles.NewName());
                AbandonedFiles.Hold(created);
                if (File.Exists(createdPath))
                {
                    return (created, createdPath);
                }

                // Another program took the file for abandoned before it was locked, and removed it.
                created.Dispose();
            }
            catch (IOException failure) when (AbandonedFiles.IsLocked(failure))
            {
                // Another program looked for abandoned files before this one was locked, and
                // removes it.
            }
        }
    }

    private (SafeFileHandle Handle, string Path) Create(string temporaryName)
    {
        string temporary = Path.Join(Folder, temporaryName);
        held.Retry(() => File.Delete(temporary));

        // Must create the file: anything that another user put there, such as a link, is not
        // written to. Windows has no modes, and other code that opens the file there has to be
        // allowed to write.
        FileStreamOptions creation = new()
        {
            Mode = FileMode.CreateNew,
            Access = FileAccess.ReadWrite,
            Share = OperatingSystem.IsWindows() ? FileShare.ReadWrite : FileShare.Read,
            BufferSize = 0,
        };
        if (!OperatingSystem.IsWindows())
        {
            creation.UnixCreateMode = Mode;
        }

        FileStream created = new(temporary, creation);
        return (created.SafeFileHandle, temporary);
    }

    /// <summary>
    /// Gives a file without a name its own; false if the file system, or a sandbox, does not let it
    /// have one.
    /// </summary>
    private bool TryLink()
    {
        if (!options.HasFlag(AtomicFileOptions.Replaces) || !Path.Exists(path))
        {
            switch (UnnamedFile.Link(handle, path))
            {
                case 0:
                    return true;
                case -Errno.Exists when !options.HasFlag(AtomicFileOptions.Replaces):
                    throw new IOException($"The file '{path}' already exists");
                case -Errno.Exists:
                    break;
                default:
                    return false;
            }
        }

        // A link replaces nothing, a rename does.
        string temporary = Path.Join(Folder, AbandonedFiles.NewName());
        AbandonedFiles.Hold(handle);
        if (UnnamedFile.Link(handle, temporary) != 0)
        {
            return false;
        }

        name = temporary;
        return true;
    }

    private string CopyToNamed()
    {
        (SafeFileHandle copy, string copyPath) = CreateNamed();
        using (copy)
        {
            name = copyPath;
            byte[] part = new byte[1 << 16];
            long offset = 0;
            while (RandomAccess.Read(handle, part, offset) is > 0 and int read)
            {
                RandomAccess.Write(copy, part.AsSpan(0, read), offset);
                offset += read;
            }

            if (!options.HasFlag(AtomicFileOptions.Unflushed))
            {
                DeviceFlush.Flush(copy, path);
            }
        }

        return copyPath;
    }

    private void Rename(string from)
    {
        CloseBeforeRename();
        try
        {
            held.Retry(() => Move(from));
        }
        catch (IOException) when (!File.Exists(from) && File.Exists(path))
        {
            // It was done: a server of a network file system may answer a repeated request for a
            // rename with an error although the first one succeeded.
        }
    }

    private void Move(string from)
    {
        if (OperatingSystem.IsWindows() && options.HasFlag(AtomicFileOptions.Replaces) && File.Exists(path))
        {
            Windows.Replace(from, path);
        }
        else
        {
            File.Move(from, path, options.HasFlag(AtomicFileOptions.Replaces));
        }
    }

    /// <summary>
    /// Windows renames and removes no file that is open. Elsewhere it stays open, because it is
    /// locked by that.
    /// </summary>
    private void CloseBeforeRename()
    {
        if (OperatingSystem.IsWindows())
        {
            handle.Dispose();
        }
    }
}
