namespace Restore.Writing.Source;

/// <summary>
/// A handle of the last used folder of a source. The path from the source to the folder is opened
/// without following links, so a user who may write in a source cannot have something else read by
/// putting a link in the place of a folder. The path to the source itself is trusted: the user
/// chose it. Not safe for concurrent use.
/// </summary>
internal sealed class LinuxFolder : IDisposable
{
    private const int None = -1;

    private SourceRoot? source;
    private string? folder;
    private int sourceHandle = None;
    private int handle = None;
    private bool hasOpenAt2;

    /// <summary>The handle of the folder in which an entry is.</summary>
    /// <returns>The handle, which stays open until the next call;
    /// <see cref="Kernel.CurrentFolder"/> for a source, and if links are followed.</returns>
    /// <exception cref="IOException">The folder cannot be opened, or there is a link
    /// now.</exception>
    /// <exception cref="UnauthorizedAccessException">Access to the folder is denied.</exception>
    public int Of(in SourceEntry entry) =>
        entry.Source is not { } from || entry.Path.Length == from.Path.Length
            ? Kernel.CurrentFolder
            : Open(from, Path.GetDirectoryName(entry.Path.AsSpan()));

    /// <summary>The handle of a folder, which is a source or below it.</summary>
    /// <inheritdoc cref="Of"/>
    public int Open(SourceRoot from, ReadOnlySpan<char> path)
    {
        if (!ReferenceEquals(from, source))
        {
            OpenSource(from);
        }

        if (!path.SequenceEqual(folder))
        {
            Close(ref handle);
            folder = null;
            ReadOnlySpan<char> rest = path.Length > from.Path.Length ? path[from.Path.Length..].TrimStart('/') : ".";
            handle = OpenBelow(rest);
            folder = handle < 0 ? throw LinuxSource.Failure(path.ToString(), -handle) : path.ToString();
        }

        return handle;
    }

    public void Dispose()
    {
        Close(ref handle);
        Close(ref sourceHandle);
        (source, folder) = (null, null);
    }

    private void OpenSource(SourceRoot from)
    {
        Dispose();
        ReadOnlySpan<byte> path = NativeText.Encode(from.Path, stackalloc byte[NativeText.PathBytes]);
        sourceHandle = from.IsFolder ? Kernel.OpenRoot(path) : Kernel.OpenFolder(Kernel.CurrentFolder, path);
        source = sourceHandle < 0 ? throw LinuxSource.Failure(from.Path, -sourceHandle) : from;
        hasOpenAt2 = Kernel.HasOpenAt2(sourceHandle);
    }

    private int OpenBelow(ReadOnlySpan<char> path)
    {
        int opened = hasOpenAt2
            ? Kernel.OpenFolderBeneath(sourceHandle, NativeText.Encode(path, stackalloc byte[NativeText.PathBytes]))
            : -Errno.TryAgain;

        // The kernel answers "try again" if a rename at the same time makes its check uncertain.
        // The walk opens each name by itself, and needs no such check.
        return opened == -Errno.TryAgain ? Walk(path)
            : opened == -Errno.NotFolder ? -Errno.Loop
            : opened;
    }

    /// <summary>Descends name by name.</summary>
    private int Walk(ReadOnlySpan<char> path)
    {
        Span<byte> buffer = stackalloc byte[NativeText.NameBytes];
        int current = None;
        while (path.Length > 0)
        {
            int end = path.IndexOf('/');
            ReadOnlySpan<char> name = end < 0 ? path : path[..end];
            path = end < 0 ? default : path[(end + 1)..];
            int next = Kernel.OpenFolder(current < 0 ? sourceHandle : current, NativeText.Encode(name, buffer));
            Close(ref current);
            if (next < 0)
            {
                return next == -Errno.NotFolder ? -Errno.Loop : next;
            }

            current = next;
        }

        return current;
    }

    private static void Close(ref int open)
    {
        if (open >= 0)
        {
            _ = Kernel.Close(open);
            open = None;
        }
    }
}
