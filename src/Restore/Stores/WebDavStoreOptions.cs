using Restore.Storage.WebDav;

namespace Restore.Stores;

/// <summary>Options of a WebDAV folder, for <see cref="BackupOptions.StoreOptions"/>.</summary>
public sealed class WebDavStoreOptions : HttpStoreOptionSet
{
    /// <summary>Whether <c>webdav://</c> uses TLS; off by default.</summary>
    public bool? UseTls
    {
        get;
        init => Set(WebDavOptions.UseTls, field = value);
    }

    /// <summary>Whether the password itself is never sent: Digest authentication only.</summary>
    public bool? ForceDigest
    {
        get;
        init => Set(WebDavOptions.ForceDigest, field = value);
    }
}
