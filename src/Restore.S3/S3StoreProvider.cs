namespace Restore.S3;

/// <summary>
/// Buckets on Amazon S3 and compatible servers: <c>s3://bucket/prefix</c>. Add it to <see cref="BackupOptions.Stores"/> with
/// <see cref="StoreRegistry.With"/>.
/// </summary>
public sealed class S3StoreProvider : IStoreProvider
{
    /// <inheritdoc/>
    public string Name => "S3";

    /// <inheritdoc/>
    public string Summary => "a bucket, or a prefix in one, on Amazon S3 or a server that speaks like it";

    /// <inheritdoc/>
    public IReadOnlyList<string> Schemes => ["s3"];

    /// <inheritdoc/>
    public IReadOnlyList<string> Locations => ["s3://bucket/prefix"];

    /// <inheritdoc/>
    public IReadOnlyList<StoreOption> Options => S3Options.All;

    /// <inheritdoc/>
    public IReadOnlyList<string> IgnoredOptions =>
    [
        "s3-use-rrs", "s3-european-buckets", "s3-client", "s3-disable-chunk-encoding", "s3-disable-payload-signing",
        "s3-list-api-version", "s3-recursive-list", "s3-archive-classes", "use-sse", "s3-ext-*",
    ];

    /// <inheritdoc/>
    public IVolumeStore Open(StoreContext context)
    {
        ArgumentNullException.ThrowIfNull(context);
        return new S3Store(context);
    }

    /// <inheritdoc/>
    public IVolumeSink OpenSink(StoreContext context)
    {
        ArgumentNullException.ThrowIfNull(context);
        return new S3Sink(context);
    }
}
