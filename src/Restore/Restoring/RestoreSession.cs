using Microsoft.Extensions.Logging;
using Restore.Catalog;
using Restore.Ends;
using Restore.Ends.Drill;
using Restore.Memory;
using Restore.Storage;
using Restore.Volumes;

namespace Restore.Restoring;

/// <summary>An opened backup, as plans and runs use it.</summary>
internal sealed record RestoreSession(
    BackupOptions Options, MeteredStore Store, CachingStore? Cache, VolumeLoader Loader, VolumeSet Volumes, ICatalog Catalog)
{
    public BufferPool Pool => Loader.Pool;

    public ILogger Logger => Loader.Logger;

    /// <summary>What original places are relative to; on Windows the names of drives and shares come below it.</summary>
    private static string FileSystemRoot => OperatingSystem.IsWindows() ? @"\\?\" : "/";

    /// <summary>Opens the place that a restore goes to.</summary>
    public static IRestoreTarget OpenTarget(RestoreOptions options) =>
        options.VerifyOnly ? new VerifyOnlyTarget(options.Target) : FileSystemTarget.Open(options.Target ?? FileSystemRoot);

    /// <summary>Opens the original places to take blocks from, when that is asked for and they are not the target themselves.</summary>
    public static IRestoreTarget? OpenOriginalPlaces(RestoreOptions options) =>
        options is { RestoreWithLocalBlocks: true, Target: not null, VerifyOnly: false } ? FileSystemTarget.Open(FileSystemRoot) : null;
}
