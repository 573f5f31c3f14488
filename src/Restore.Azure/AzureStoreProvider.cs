namespace Restore.Azure;

/// <summary>
/// Containers of Azure Blob Storage: <c>azure://container</c>. Add it to <see cref="BackupOptions.Stores"/> with <see cref="StoreRegistry.With"/>.
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
    public IReadOnlyList<string> IgnoredOptions => ["azure-archive-classes", "azure-internal-retries", "azure-blob-immutability-policy-mode"];

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

internal static class AzureOptions
{
    public static readonly StoreOption Account = new("azure-account-name", "the storage account; another name for the user");

    public static readonly StoreOption Key = new("azure-access-key", "a key of the account; another name for the password") { IsSecret = true };

    public static readonly StoreOption Token =
        new("azure-access-sas-token", "a shared access signature (SAS) for the account or the container, instead of the key") { IsSecret = true };

    public static readonly StoreOption Tier = new("azure-access-tier", "access tier of what is written, such as `Cool`");

    public static readonly StoreOption Endpoint =
        new("azure-blob-endpoint", "address of the account's blob service, for other clouds and private addresses")
        {
            Default = "`https://ACCOUNT.blob.core.windows.net`",
        };

    public static readonly IReadOnlyList<StoreOption> All = [Account, Key, Token, Tier, Endpoint, .. StoreHttp.Options];
}
