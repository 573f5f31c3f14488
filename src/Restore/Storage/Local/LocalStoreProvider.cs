namespace Restore.Storage.Local;

/// <summary>Folders of this machine, and shares mounted on it.</summary>
internal sealed class LocalStoreProvider : IStoreProvider
{
    public string Name => "Local folder";

    public string Summary => "a folder of this machine or a mounted share";

    public IReadOnlyList<string> Schemes => ["file"];

    public IReadOnlyList<string> Locations => ["/mnt/backup", @"C:\backup", @"\\server\share", "file:///mnt/backup"];

    public IReadOnlyList<StoreOption> Options => [];

    public IReadOnlyList<string> IgnoredOptions =>
        ["alternate-target-paths", "alternate-destination-marker", "use-move-for-put", "disable-length-verification"];

    public IVolumeStore Open(StoreContext context) =>
        new LocalFolderStore(context.Url.Path, context.Transfers, context.TimeProvider);

    public IVolumeSink OpenSink(StoreContext context) => new LocalFolderSink(context.Url.Path);
}
