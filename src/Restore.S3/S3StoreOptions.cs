namespace Restore.S3;

/// <summary>
/// Options of <see cref="S3StoreProvider"/> as properties, for
/// <see cref="BackupOptions.StoreOptions"/>.
/// </summary>
public sealed class S3StoreOptions : HttpStoreOptionSet
{
    /// <summary>The server, with its port if it needs one; Amazon's, by region, if not set.</summary>
    public string? ServerName
    {
        get;
        init => Set(S3Options.Server, field = value);
    }

    /// <summary>
    /// The region; from the name of the server if not set, else <c>us-east-1</c>.
    /// </summary>
    public string? Region
    {
        get;
        init => Set(S3Options.Region, field = value);
    }

    /// <summary>Whether to use TLS; on for Amazon and off for others by default.</summary>
    public bool? UseTls
    {
        get;
        init => Set(S3Options.UseTls, field = value);
    }

    /// <summary>
    /// Whether the bucket is in the path of a request, and not in the name of the host; off for
    /// Amazon and on for others by default.
    /// </summary>
    public bool? ForcePathStyle
    {
        get;
        init => Set(S3Options.ForcePathStyle, field = value);
    }

    /// <summary>
    /// The ID of the access key. Without a key, the credentials come from the environment, as in
    /// every program with Amazon's SDK.
    /// </summary>
    public string? AccessKeyId
    {
        get;
        init => Set(S3Options.KeyId, field = value);
    }

    /// <summary>The secret of the access key.</summary>
    public string? SecretAccessKey
    {
        get;
        init => Set(S3Options.Secret, field = value);
    }

    /// <summary>A profile of the AWS configuration files.</summary>
    public string? Profile
    {
        get;
        init => Set(S3Options.Profile, field = value);
    }

    /// <summary>Whether to send no credentials, for a public bucket.</summary>
    public bool? Anonymous
    {
        get;
        init => Set(S3Options.Anonymous, field = value);
    }

    /// <summary>The storage class of what is written, such as <c>STANDARD_IA</c>.</summary>
    public string? StorageClass
    {
        get;
        init => Set(S3Options.StorageClass, field = value);
    }
}
