namespace Restore.Azure;

/// <summary>
/// Containers of Azure Blob Storage: <c>azure://container</c>. Add it to
/// <see cref="BackupOptions.Stores"/> with <see cref="StoreRegistry.With"/>.
/// </summary>
public sealed class AzureStoreProvider : IStoreProvider
{
    /// <inheritdoc/>
    public string Name => "Azure";

    /// <inheritdoc/>
    public string Summary => "a container of Azure Blob Storage";

    /// <inheritdoc/>
    public IReadOnlyList<string> Schemes => ["azure"];

    /// <inheritdoc/>
    public IReadOnlyList<string> Locations => ["azure://container"];

    /// <inheritdoc/>
    public IReadOnlyList<StoreOption> Options => AzureOptions.All;

    /// <inheritdoc/>
    public IReadOnlyList<string> IgnoredOptions =>
        ["azure-archive-classes", "azure-internal-retries", "azure-blob-immutability-policy-mode"];

    /// <inheritdoc/>
    public IVolumeStore Open(StoreContext context)
    {
        ArgumentNullException.ThrowIfNull(context);
        return new AzureStore(new AzureConnection(context));
    }

    /// <inheritdoc/>
    public IVolumeSink OpenSink(StoreContext context)
    {
        ArgumentNullException.ThrowIfNull(context);
        return new AzureSink(new AzureConnection(context));
    }
}
