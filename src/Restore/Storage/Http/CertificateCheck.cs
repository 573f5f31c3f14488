using System.Net.Security;
using System.Security.Cryptography.X509Certificates;

namespace Restore.Storage.Http;

/// <summary>
/// Accepts or refuses server certificates according to Duplicati's options, and keeps the reason of
/// a refusal for the error.
/// </summary>
internal sealed class CertificateCheck
{
    public static readonly StoreOption AcceptAny = new("accept-any-ssl-certificate", "trusts every server certificate")
    {
        Kind = StoreOptionKind.Switch,
        Default = "off",
    };

    public static readonly StoreOption AcceptHash = new(
        "accept-specified-ssl-hash",
        "SHA-1 or SHA-256 hashes of server certificates to trust beside those that the system does"
    );

    public static readonly IReadOnlyList<StoreOption> Options = [AcceptHash, AcceptAny];

    private readonly bool acceptAny;
    private readonly string[] acceptedHashes;
    private volatile string? refusal;

    public CertificateCheck(StoreOptionValues options)
    {
        acceptAny = options.Flag(AcceptAny);
        acceptedHashes = (options.Text(AcceptHash) ?? "")
            .Split([',', ';'], StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries)
            .Select(hash => hash.Replace(":", "", StringComparison.Ordinal))
            .ToArray();
    }

    public bool Accepts(object sender, X509Certificate? certificate, X509Chain? chain, SslPolicyErrors errors)
    {
        if (errors == SslPolicyErrors.None || acceptAny)
        {
            return true;
        }

        if (certificate is null)
        {
            refusal = "The server has no certificate";
            return false;
        }

        string sha1 = certificate.GetCertHashString();
        string sha256 = certificate.GetCertHashString(HashAlgorithmName.SHA256);
        if (
            acceptedHashes.Contains(sha1, StringComparer.OrdinalIgnoreCase)
            || acceptedHashes.Contains(sha256, StringComparer.OrdinalIgnoreCase)
        )
        {
            return true;
        }

        refusal = $"The server's certificate is not trusted ({errors}); its SHA-1 hash is {sha1}";
        return false;
    }

    public RestoreException? Refusal(string where, Exception? cause) =>
        refusal is not { } reason
            ? null
            : new RestoreException(RestoreErrorCode.CertificateUntrusted, reason, where, cause);
}
