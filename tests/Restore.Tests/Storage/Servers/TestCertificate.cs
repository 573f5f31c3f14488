using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;

namespace Restore.Tests.Storage.Servers;

/// <summary>A certificate for localhost, signed by nobody but itself.</summary>
public sealed class TestCertificate : IDisposable
{
    private readonly ECDsa key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
    private readonly X509Certificate2 certificate;

    public TestCertificate()
    {
        var request = new CertificateRequest("CN=localhost", key, HashAlgorithmName.SHA256);
        certificate = request.CreateSelfSigned(
            TimeProvider.System.GetUtcNow().AddDays(-1),
            TimeProvider.System.GetUtcNow().AddDays(1)
        );
    }

    public string Sha1 => certificate.GetCertHashString();

    /// <summary>Writes cert.pem and key.pem.</summary>
    public void Save(string folder)
    {
        File.WriteAllText(Path.Combine(folder, "cert.pem"), certificate.ExportCertificatePem());
        File.WriteAllText(Path.Combine(folder, "key.pem"), key.ExportPkcs8PrivateKeyPem());
    }

    public void Dispose()
    {
        certificate.Dispose();
        key.Dispose();
    }
}
