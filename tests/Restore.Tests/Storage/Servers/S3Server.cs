using Amazon.S3;
using Amazon.S3.Model;
using Restore.Tests.Support.Machine;

namespace Restore.Tests.Storage.Servers;

/// <summary>s3rver, an S3 server from npm.</summary>
[NeedsPrograms(".ci/install-servers", "node", Program)]
public class S3Server : StoreServer
{
    protected const string Bucket = "backups";
    private const string Program = "tests/servers/node_modules/s3rver/bin/s3rver.js";

    private readonly AmazonS3Client client;

    public S3Server()
    {
        client = new AmazonS3Client(
            "S3RVER",
            "S3RVER",
            new AmazonS3Config
            {
                ServiceURL = $"http://127.0.0.1:{Port}",
                ForcePathStyle = true,
                AuthenticationRegion = "us-east-1",
                RequestChecksumCalculation = Amazon.Runtime.RequestChecksumCalculation.WHEN_REQUIRED,
            }
        );
    }

    public override IReadOnlyDictionary<string, string> Options { get; } =
        new Dictionary<string, string> { ["auth-username"] = "S3RVER", ["auth-password"] = "S3RVER" };

    public override bool AbsentFolderIsEmpty => true;

    // For an empty object it announces one byte, and sends none; S3 itself refuses the range.
    public override bool BreaksEmptyFiles => true;

    // It looks up the access key, and takes any signature by it.
    public override (string Name, string Value) WrongCredential => ("auth-username", "quite-wrong");

    public override string UrlOf(string folder, int port) =>
        $"s3://{Bucket}/{folder}?s3-server-name=127.0.0.1:{port}&use-ssl=false";

    public override Task MakeFolderAsync(string folder) => Task.CompletedTask;

    public override Task MakeWritableFolderAsync(string folder) => Task.CompletedTask;

    public override Task PutAsync(string folder, string name, byte[] content) =>
        client.PutObjectAsync(
            new PutObjectRequest
            {
                BucketName = Bucket,
                Key = $"{folder}/{name}",
                InputStream = new MemoryStream(content),
                UseChunkEncoding = false,
            }
        );

    public override ValueTask DisposeAsync()
    {
        client.Dispose();
        GC.SuppressFinalize(this);
        return base.DisposeAsync();
    }

    // It makes its continuation tokens with a cipher that OpenSSL keeps among the legacy ones.
    protected override Task StartAsync() =>
        RunAsync(
            "node",
            [
                "--openssl-legacy-provider",
                Path.Combine(Fixtures.RepositoryRoot(), Program),
                "-d",
                Root,
                "-a",
                "127.0.0.1",
                "-p",
                $"{Port}",
                "--silent",
                "--no-vhost-buckets",
                "--configure-bucket",
                Bucket,
            ]
        );
}

/// <summary>The same server, reached as B2 is.</summary>
public sealed class B2Server : S3Server
{
    public override string UrlOf(string folder, int port) =>
        $"b2://{Bucket}/{folder}?s3-server-name=127.0.0.1:{port}&use-ssl=false";
}

/// <summary>The same server, reached as Google Cloud Storage is.</summary>
public sealed class GcsServer : S3Server
{
    public override string UrlOf(string folder, int port) =>
        $"gcs://{Bucket}/{folder}?s3-server-name=127.0.0.1:{port}&use-ssl=false";
}
