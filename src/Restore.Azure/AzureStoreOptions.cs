namespace Restore.Azure;

/// <summary>
/// Options of <see cref="AzureStoreProvider"/> as properties, for
/// <see cref="BackupOptions.StoreOptions"/>.
/// </summary>
public sealed class AzureStoreOptions : HttpStoreOptionSet
{
    /// <summary>The name of the storage account.</summary>
    public string? AccountName
    {
        get;
        init => Set(AzureOptions.Account, field = value);
    }

    /// <summary>A key of the account.</summary>
    public string? AccessKey
    {
        get;
        init => Set(AzureOptions.Key, field = value);
    }

    /// <summary>
    /// A shared access signature (SAS) for the account or the container, in place of a key.
    /// </summary>
    public string? SasToken
    {
        get;
        init => Set(AzureOptions.Token, field = value);
    }

    /// <summary>The access tier of what is written, such as <c>Cool</c>.</summary>
    public string? AccessTier
    {
        get;
        init => Set(AzureOptions.Tier, field = value);
    }

    /// <summary>
    /// The address of the account's blob service, for other clouds and private addresses; in
    /// Azure's public cloud if not set.
    /// </summary>
    public Uri? BlobEndpoint
    {
        get;
        init => Set(AzureOptions.Endpoint, (field = value)?.OriginalString);
    }
}
