namespace Restore.S3;

internal static class GcsOptions
{
    public static readonly StoreOption KeyFile = new(
        "gcs-service-account-file",
        "the JSON file with the key of a service account"
    );

    public static readonly StoreOption Key = new("gcs-service-account-json", "the content of that file")
    {
        IsSecret = true,
    };

    public static readonly StoreOption AuthId = new(
        "authid",
        "no use here: an AuthID of Duplicati's sign-in service, which is not asked"
    )
    {
        IsSecret = true,
    };

    public static readonly StoreOption StorageClass = new(
        "gcs-storage-class",
        "storage class of what is written, such as `NEARLINE`"
    );

    public static readonly StoreOption Server = S3Options.Server with { Default = "`storage.googleapis.com`" };

    public static readonly IReadOnlyList<StoreOption> All =
    [
        KeyFile,
        Key,
        AuthId,
        StorageClass,
        Server,
        B2Options.UseTls,
        .. StoreHttp.Options,
    ];
}
