namespace Restore.Sftp;

/// <summary>
/// Folders on SSH servers: <c>ssh://host/folder</c>. Add it to <see cref="BackupOptions.Stores"/>
/// with <see cref="StoreRegistry.With"/>.
/// </summary>
public sealed class SftpStoreProvider : IStoreProvider
{
    /// <inheritdoc/>
    public string Name => "SFTP";

    /// <inheritdoc/>
    public string Summary => "a folder on an SSH server";

    /// <inheritdoc/>
    public IReadOnlyList<string> Schemes => ["ssh", "sftp"];

    /// <inheritdoc/>
    public IReadOnlyList<string> Locations => ["ssh://host/folder", "sftp://host/folder"];

    /// <inheritdoc/>
    public IReadOnlyList<StoreOption> Options => SftpOptions.All;

    /// <inheritdoc/>
    public IReadOnlyList<string> IgnoredOptions => ["ssh-operation-timeout", "ssh-keepalive"];

    /// <inheritdoc/>
    public IVolumeStore Open(StoreContext context)
    {
        ArgumentNullException.ThrowIfNull(context);
        return new SftpStore(context);
    }

    /// <inheritdoc/>
    public IVolumeSink OpenSink(StoreContext context)
    {
        ArgumentNullException.ThrowIfNull(context);
        return new SftpSink(context);
    }
}
