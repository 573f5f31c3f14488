namespace Restore.Writing.Source;

/// <summary>
/// The folder that the volumes go to, if it is on this machine. It can be in a source, and a backup
/// of itself would grow with every run.
/// </summary>
internal sealed class DestinationFolder(BackupWriterOptions options)
{
    // Empty if the folder does not exist yet.
    private (ulong Device, ulong File) identity;

    /// <summary>Null if it is not on this machine.</summary>
    public string? Path { get; } =
        StoreUrlParser.Parse(options.Destination, options.StoreOptions) is { Scheme: "file" } url
            ? SourceRoot.Full(url.Path)
            : null;

    /// <summary>
    /// Looks where it really is, after all links are followed, so that it is recognized under each
    /// of its names.
    /// </summary>
    public void Look()
    {
        try
        {
            identity =
                Path is not null && Directory.Exists(Path)
                    ? SourceStatus.Read(System.IO.Path.Join(Path, ".")).Identity
                    : default;
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            identity = default;
        }
    }

    public bool Is(string path, in SourceStatus status) =>
        path == Path || (status.Kind == EntryKind.Folder && status.Identity == identity && identity != default);
}
