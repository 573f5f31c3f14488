using Amazon.Runtime;

namespace Restore.S3;

/// <summary>
/// Buckets on Google Cloud Storage, with Duplicati's URLs and options: <c>gcs://bucket/prefix</c>.
/// They are reached by the S3 interface of the service, with a service account or an HMAC key. Add
/// it to <see cref="BackupOptions.Stores"/> with <see cref="StoreRegistry.With"/>.
/// </summary>
public sealed class GcsStoreProvider : IStoreProvider
{
    /// <inheritdoc/>
    public string Name => "Google Cloud Storage";

    /// <inheritdoc/>
    public string Summary => "a bucket, or a prefix in one, on Google Cloud Storage, by its S3 interface";

    /// <inheritdoc/>
    public IReadOnlyList<string> Schemes => ["gcs"];

    /// <inheritdoc/>
    public IReadOnlyList<string> Locations => ["gcs://bucket/prefix"];

    /// <inheritdoc/>
    public IReadOnlyList<StoreOption> Options => GcsOptions.All;

    /// <inheritdoc/>
    public IReadOnlyList<string> IgnoredOptions => ["gcs-location", "gcs-project", "gcs-retention-policy-mode"];

    /// <inheritdoc/>
    public IVolumeStore Open(StoreContext context) => new S3Store(Connection(context));

    /// <inheritdoc/>
    public IVolumeSink OpenSink(StoreContext context) =>
        new S3Sink(Connection(context), context.Options.Text(GcsOptions.StorageClass));

    private static S3Connection Connection(StoreContext context)
    {
        ArgumentNullException.ThrowIfNull(context);
        GoogleToken? token = GoogleToken.Find(context);
        StoreUrl url = context.Url;
        AWSCredentials credentials = (token, url.Username, url.Password) switch
        {
            // The access token replaces the signature, so the SDK must not sign.
            ({ }, _, _) => new AnonymousAWSCredentials(),
            (null, { } id, { } secret) => new BasicAWSCredentials(id, secret),
            _ when url.Options.IsGiven(GcsOptions.AuthId) => throw new RestoreException(
                RestoreErrorCode.CredentialsMissing,
                "An AuthID can only be used with the sign-in service of Duplicati, which is not asked; give the key of a service account, or an HMAC key as "
                    + "user and password",
                url.DisplayName
            ),
            _ => throw new RestoreException(
                RestoreErrorCode.CredentialsMissing,
                "Google Cloud Storage needs the key of a service account, or an HMAC key as user and password",
                url.DisplayName
            ),
        };
        var access = new S3Access(
            url.Options.Text(GcsOptions.Server) ?? "storage.googleapis.com",

            // The service takes this in place of a region in a signature.
            Region: "auto",
            UseTls: url.Options.Flag(B2Options.UseTls, defaultValue: true),
            ForcePathStyle: true,
            credentials
        );
        return new S3Connection(context, (_, _) => Task.FromResult(access), token ?? new S3Answers(context));
    }
}
