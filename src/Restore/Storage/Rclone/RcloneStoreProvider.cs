namespace Restore.Storage.Rclone;

/// <summary>
/// Remotes that the user configured in rclone, and with them all services that rclone knows.
/// </summary>
internal sealed class RcloneStoreProvider : IStoreProvider
{
    public const string Scheme = "rclone";

    public string Name => "rclone";

    public string Summary => "a remote that `rclone config` made, of any service that rclone knows";

    public IReadOnlyList<string> Schemes => [Scheme];

    public IReadOnlyList<string> Locations => ["rclone://remote/folder"];

    public IReadOnlyList<StoreOption> Options => RcloneOptions.All;

    public IReadOnlyList<string> IgnoredOptions => ["rclone-local-repository", "rclone-option"];

    public IVolumeStore Open(StoreContext context) =>
        new RcloneStore(context, new RcloneRemote($"{context.Url.Host}:{context.Url.Path}"));

    public IVolumeSink OpenSink(StoreContext context) =>
        new RcloneSink(context, new RcloneRemote($"{context.Url.Host}:{context.Url.Path}"));
}
