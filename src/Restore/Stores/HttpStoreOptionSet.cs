using Restore.Storage.Http;

namespace Restore.Stores;

/// <summary>Options of a store that uses <see cref="StoreHttp"/>: which certificates it trusts.</summary>
public abstract class HttpStoreOptionSet : StoreOptionSet
{
    /// <summary>
    /// SHA-1 or SHA-256 hashes, separated by commas, of server certificates to trust in addition to
    /// the certificates that the system trusts.
    /// </summary>
    public string? AcceptedCertificateHashes
    {
        get;
        init => Set(CertificateCheck.AcceptHash, field = value);
    }

    /// <summary>Whether every server certificate is trusted.</summary>
    public bool? AcceptAnyCertificate
    {
        get;
        init => Set(CertificateCheck.AcceptAny, field = value);
    }
}
