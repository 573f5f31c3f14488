using System.Runtime.Versioning;
using Microsoft.Win32.SafeHandles;

namespace Restore.Ends.Portable;

internal sealed partial class PortableTarget
{
    private const int PieceBytes = 1 << 16;

    public bool MayHaveStreams => OperatingSystem.IsWindows();

    /// <summary>Whether a folder is on a file system with streams.</summary>
    internal Func<string, bool> HasStreams { get; init; } =
        folder => OperatingSystem.IsWindows() && Windows.HasStreams(folder);

    public bool TryMoveIntoStream(string from, string host, string stream, bool overwrite)
    {
        Check(from);
        Check(host);
        return Run(
            from,
            "could not be made a stream",
            () =>
                OperatingSystem.IsWindows()
                && folders.Look(FolderOf(host)) == TargetKind.Folder
                && HasStreams(FullPath(FolderOf(host)))
                && PortableLook.At(FullPath(host)).Kind is TargetKind.File or TargetKind.Folder
                && TryWriteStream(FullPath(from), FullPath(host), $"{FullPath(host)}:{stream}", overwrite)
                && Remove(from, TargetKind.File)
        );
    }

    public ITargetFile? TryOpenStream(string host, string stream)
    {
        Check(host);
        return Run(
            host,
            "has a stream that could not be opened",
            () =>
                OperatingSystem.IsWindows()
                && folders.Look(FolderOf(host)) == TargetKind.Folder
                && PortableLook.At(FullPath(host)).Kind is TargetKind.File or TargetKind.Folder
                    ? OpenStream(host, $"{FullPath(host)}:{stream}")
                    : null
        );
    }

    private PortableFile? OpenStream(string host, string stream)
    {
        try
        {
            SafeFileHandle handle = held.Retry(() =>
                File.OpenHandle(stream, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete)
            );
            return new PortableFile(this, host, handle, isWritable: false, isFlushed: false);
        }
        catch (FileNotFoundException)
        {
            return null;
        }
    }

    [SupportedOSPlatform("windows")]
    private bool TryWriteStream(string from, string host, string stream, bool overwrite)
    {
        if (IsThere(stream, from, out bool isSame) && (isSame || !overwrite))
        {
            return isSame;
        }

        FileInfo before = new(host);
        (DateTime created, DateTime written, FileAttributes attributes) = (
            before.CreationTimeUtc,
            before.LastWriteTimeUtc,
            before.Attributes
        );
        try
        {
            held.Retry(() => Windows.WithoutReadOnly(host, () => Copy(from, stream, flushesFiles)));
        }
        finally
        {
            // A stream belongs to its file: writing it is a change of the file.
            SetBack(host, created, written, attributes);
        }

        return true;
    }

    private static void Copy(string from, string stream, bool flushes)
    {
        using FileStream source = File.OpenRead(from);
        using FileStream destination = new(stream, FileMode.Create, FileAccess.Write, FileShare.Read);
        source.CopyTo(destination);
        destination.Flush(flushes);
    }

    [SupportedOSPlatform("windows")]
    private void SetBack(string host, DateTime created, DateTime written, FileAttributes attributes)
    {
        using (var handle = held.Retry(() => Windows.OpenForTimes(host)))
        {
            File.SetCreationTimeUtc(handle, created);
            File.SetLastWriteTimeUtc(handle, written);
        }

        if (attributes.HasFlag(FileAttributes.ReadOnly))
        {
            File.SetAttributes(host, attributes);
        }
    }

    /// <summary>Opens it, because a look at the stream of a folder shows the folder.</summary>
    private static bool IsThere(string stream, string file, out bool isSame)
    {
        isSame = false;
        try
        {
            using FileStream present = File.OpenRead(stream);
            using FileStream wanted = File.OpenRead(file);
            isSame = AreSame(present, wanted);
            return true;
        }
        catch (FileNotFoundException)
        {
            return false;
        }
    }

    private static bool AreSame(FileStream one, FileStream other)
    {
        if (one.Length != other.Length)
        {
            return false;
        }

        byte[] piece = new byte[PieceBytes];
        byte[] otherPiece = new byte[PieceBytes];
        int count;
        do
        {
            count = one.ReadAtLeast(piece, PieceBytes, throwOnEndOfStream: false);
            if (
                other.ReadAtLeast(otherPiece, PieceBytes, throwOnEndOfStream: false) != count
                || !piece.AsSpan(0, count).SequenceEqual(otherPiece.AsSpan(0, count))
            )
            {
                return false;
            }
        } while (count == PieceBytes);

        return true;
    }
}
