using Restore.Storage.Rclone;

namespace Restore.Storage.Sftp;

/// <summary>Folders on SSH servers, reached by rclone.</summary>
internal sealed class SftpStoreProvider : IStoreProvider
{
    public string Name => "SFTP";

    public string Summary => "a folder on an SSH server, by rclone";

    public IReadOnlyList<string> Schemes => ["ssh"];

    public IReadOnlyList<string> Locations => ["ssh://host/folder"];

    public IReadOnlyList<StoreOption> Options => SftpOptions.All;

    public IReadOnlyList<string> IgnoredOptions => ["ssh-operation-timeout", "ssh-keepalive", "ssh-disable-agent"];

    public IVolumeStore Open(StoreContext context) => new RcloneStore(context, SftpConnection.Of(context));

    public IVolumeSink OpenSink(StoreContext context) => new RcloneSink(context, SftpConnection.Of(context));
}
