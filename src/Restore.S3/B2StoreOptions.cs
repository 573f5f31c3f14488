namespace Restore.S3;

/// <summary>
/// Options of <see cref="B2StoreProvider"/> as properties, for
/// <see cref="BackupOptions.StoreOptions"/>.
/// </summary>
public sealed class B2StoreOptions : HttpStoreOptionSet
{
    /// <summary>The ID of an application key.</summary>
    public string? ApplicationKeyId
    {
        get;
        init => Set(B2Options.KeyId, field = value);
    }

    /// <summary>The application key.</summary>
    public string? ApplicationKey
    {
        get;
        init => Set(B2Options.Key, field = value);
    }

    /// <summary>The server, with its port if it needs one; what B2 names for the account if not set.</summary>
    public string? ServerName
    {
        get;
        init => Set(B2Options.Server, field = value);
    }

    /// <summary>Whether to use TLS; on by default.</summary>
    public bool? UseTls
    {
        get;
        init => Set(B2Options.UseTls, field = value);
    }
}
