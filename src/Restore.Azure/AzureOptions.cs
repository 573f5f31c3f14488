namespace Restore.Azure;

internal static class AzureOptions
{
    public static readonly StoreOption Account = new(
        "azure-account-name",
        "the storage account; another name for the user"
    );

    public static readonly StoreOption Key = new(
        "azure-access-key",
        "a key of the account; another name for the password"
    )
    {
        IsSecret = true,
    };

    public static readonly StoreOption Token = new(
        "azure-access-sas-token",
        "a shared access signature (SAS) for the account or the container, instead of the key"
    )
    {
        IsSecret = true,
    };

    public static readonly StoreOption Tier = new(
        "azure-access-tier",
        "access tier of what is written, such as `Cool`"
    );

    public static readonly StoreOption Endpoint = new(
        "azure-blob-endpoint",
        "address of the account's blob service, for other clouds and private addresses"
    )
    {
        Default = "`https://ACCOUNT.blob.core.windows.net`",
    };

    public static readonly IReadOnlyList<StoreOption> All = [Account, Key, Token, Tier, Endpoint, .. StoreHttp.Options];
}
