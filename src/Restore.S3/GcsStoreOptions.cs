namespace Restore.S3;

/// <summary>
/// Options of <see cref="GcsStoreProvider"/> as properties, for
/// <see cref="BackupOptions.StoreOptions"/>. An HMAC key is <see cref="StoreOptionSet.Username"/>
/// and <see cref="StoreOptionSet.Password"/>.
/// </summary>
public sealed class GcsStoreOptions : HttpStoreOptionSet
{
    /// <summary>The path of the JSON file with the key of a service account.</summary>
    public string? ServiceAccountFile
    {
        get;
        init => Set(GcsOptions.KeyFile, field = value);
    }

    /// <summary>The content of that file.</summary>
    public string? ServiceAccountJson
    {
        get;
        init => Set(GcsOptions.Key, field = value);
    }

    /// <summary>The storage class of what is written, such as <c>NEARLINE</c>.</summary>
    public string? StorageClass
    {
        get;
        init => Set(GcsOptions.StorageClass, field = value);
    }

    /// <summary>
    /// The server, with its port if it needs one; <c>storage.googleapis.com</c> by default.
    /// </summary>
    public string? ServerName
    {
        get;
        init => Set(GcsOptions.Server, field = value);
    }

    /// <summary>Whether to use TLS; on by default.</summary>
    public bool? UseTls
    {
        get;
        init => Set(B2Options.UseTls, field = value);
    }
}
