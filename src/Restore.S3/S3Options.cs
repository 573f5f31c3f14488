namespace Restore.S3;

internal static class S3Options
{
    public static readonly StoreOption Server = new("s3-server-name", "server, with its port if need be")
    {
        Default = "Amazon's, by region",
    };

    public static readonly StoreOption Region = new("s3-location-name", "region")
    {
        Default = "from the server's name, else `us-east-1`",
        Aliases = ["s3-location-constraint"],
    };

    public static readonly StoreOption UseTls = new("use-ssl", "TLS")
    {
        Kind = StoreOptionKind.Switch,
        Default = "on for Amazon, off for others, as in Duplicati",
    };

    public static readonly StoreOption ForcePathStyle = new(
        "s3-ext-forcepathstyle",
        "the bucket in the path (`host/bucket`) instead of the host name (`bucket.host`)"
    )
    {
        Kind = StoreOptionKind.Switch,
        Default = "off for Amazon, on for others",
    };

    public static readonly StoreOption KeyId = new("aws-access-key-id", "another name for the user")
    {
        Aliases = ["aws_access_key_id"],
    };

    public static readonly StoreOption Secret = new("aws-secret-access-key", "another name for the password")
    {
        Aliases = ["aws_secret_access_key"],
        IsSecret = true,
    };

    public static readonly StoreOption Profile = new("s3-profile", "a profile of the AWS configuration files");

    public static readonly StoreOption Anonymous = new("s3-anonymous", "for public buckets: sends no credentials")
    {
        Kind = StoreOptionKind.Switch,
        Default = "off",
    };

    public static readonly StoreOption StorageClass = new(
        "s3-storage-class",
        "storage class of what is written, such as `STANDARD_IA`"
    );

    public static readonly IReadOnlyList<StoreOption> All =
    [
        Server,
        Region,
        UseTls,
        ForcePathStyle,
        KeyId,
        Secret,
        Profile,
        Anonymous,
        StorageClass,
        .. StoreHttp.Options,
    ];
}
