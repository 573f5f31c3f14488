using Amazon.Runtime;

namespace Restore.S3;

/// <summary>
/// What the services that speak S3 differ in: where the server is, and who may enter.
/// </summary>
internal sealed record S3Access(
    string Server,
    string Region,
    bool UseTls,
    bool ForcePathStyle,
    AWSCredentials? Credentials
)
{
    /// <summary>A profile of the AWS configuration files; null for the default.</summary>
    public string? Profile { get; init; }
}
