using System.Net.Http.Headers;
using System.Text;
using Amazon.Runtime;

namespace Restore.S3;

/// <summary>
/// Buckets on Backblaze B2, with Duplicati's URLs and options: <c>b2://bucket/prefix</c>. Requests
/// go to the S3 interface of B2, at the address that B2 names for the account. Add it to
/// <see cref="BackupOptions.Stores"/> with <see cref="StoreRegistry.With"/>.
/// </summary>
public sealed class B2StoreProvider : IStoreProvider
{
    private readonly Uri account;

    /// <summary>Creates the provider.</summary>
    public B2StoreProvider()
        : this(new Uri("https://api.backblazeb2.com/b2api/v3/b2_authorize_account")) { }

    internal B2StoreProvider(Uri account) => this.account = account;

    /// <inheritdoc/>
    public string Name => "B2";

    /// <inheritdoc/>
    public string Summary => "a bucket, or a prefix in one, on Backblaze B2, by its S3 interface";

    /// <inheritdoc/>
    public IReadOnlyList<string> Schemes => ["b2"];

    /// <inheritdoc/>
    public IReadOnlyList<string> Locations => ["b2://bucket/prefix"];

    /// <inheritdoc/>
    public IReadOnlyList<StoreOption> Options => B2Options.All;

    /// <inheritdoc/>
    public IReadOnlyList<string> IgnoredOptions =>
        ["b2-page-size", "b2-download-url", "b2-create-bucket-type", "b2-lock-mode"];

    /// <inheritdoc/>
    public IVolumeStore Open(StoreContext context) => new S3Store(Connection(context));

    /// <inheritdoc/>
    public IVolumeSink OpenSink(StoreContext context) => new S3Sink(Connection(context));

    private S3Connection Connection(StoreContext context)
    {
        ArgumentNullException.ThrowIfNull(context);
        StoreUrl url = context.Url;
        string? id = url.Username ?? url.Options.Text(B2Options.KeyId);
        string? key = url.Password ?? url.Options.Text(B2Options.Key);
        if (id is null || key is null)
        {
            throw new RestoreException(
                RestoreErrorCode.CredentialsMissing,
                "B2 needs the ID of an application key, and the key",
                url.DisplayName
            );
        }

        // The first key of an account has the ID of the account; the IDs of other keys are longer.
        if (id.Length == 12 && id.All(char.IsAsciiHexDigit))
        {
            throw new RestoreException(
                RestoreErrorCode.CredentialsRefused,
                "The S3 interface of B2 takes no master application key; make an application key for the bucket, or reach it with rclone",
                url.DisplayName
            );
        }

        var credentials = new BasicAWSCredentials(id, key);
        bool useTls = url.Options.Flag(B2Options.UseTls, defaultValue: true);
        return new S3Connection(
            context,
            async (http, token) =>
            {
                string server =
                    url.Options.Text(B2Options.Server)
                    ?? await ServerOfAsync(http, id, key, token).ConfigureAwait(false);

                // The region is a part of the signature, so it must be the region of the account.
                return new S3Access(server, RegionOf(server), useTls, ForcePathStyle: true, credentials);
            },
            new S3Answers(context)
        );
    }

    /// <summary>Asks B2 for the address of the account's S3 interface.</summary>
    private async Task<string> ServerOfAsync(StoreHttp http, string id, string key, CancellationToken cancellationToken)
    {
        const string What = "the account";
        using var request = new HttpRequestMessage(HttpMethod.Get, account);
        request.Headers.Authorization = new AuthenticationHeaderValue(
            "Basic",
            Convert.ToBase64String(Encoding.UTF8.GetBytes($"{id}:{key}"))
        );
        using HttpResponseMessage answer = await http
            .Client.SendAsync(request, cancellationToken)
            .ConfigureAwait(false);
        if (!answer.IsSuccessStatusCode)
        {
            throw http.FailureOf(answer.StatusCode, What, answer.Headers.RetryAfter?.Delta);
        }

        string text = await answer.Content.ReadAsStringAsync(cancellationToken).ConfigureAwait(false);
        return
            JsonFields.Text(text, "apiInfo", "storageApi", "s3ApiUrl") is { } address
            && Uri.TryCreate(address, UriKind.Absolute, out Uri? server)
            ? server.Authority
            : throw new IOException("B2 names no address of an S3 interface for the account");
    }

    /// <summary>The region in <c>s3.us-west-004.backblazeb2.com</c>.</summary>
    private static string RegionOf(string server) =>
        server.Split('.') is ["s3", { } region, ..] ? region : "us-west-000";
}
