using System.Buffers.Text;
using System.Globalization;
using System.Net.Http.Headers;
using System.Security.Cryptography;
using System.Text;
using System.Text.Json;

namespace Restore.S3;

/// <summary>
/// Gives requests the access token of a service account of Google, and gets a new one in time (RFC
/// 7523).
/// </summary>
internal sealed class GoogleToken : S3Answers
{
    private const string Scope = "https://www.googleapis.com/auth/devstorage.read_write";

    // A token is renewed so long before its end that a request under way still has a valid one.
    private static readonly TimeSpan Margin = TimeSpan.FromMinutes(5);

    private readonly StoreContext context;
    private readonly RSA key;
    private readonly string email;
    private readonly Uri issuer;
    private readonly SemaphoreSlim renewing = new(1, 1);
    private (string Token, DateTimeOffset Until)? current;

    private GoogleToken(StoreContext context, RSA key, string email, Uri issuer)
        : base(context) => (this.context, this.key, this.email, this.issuer) = (context, key, email, issuer);

    /// <summary>The account that the options name; null if they name none.</summary>
    public static GoogleToken? Find(StoreContext context)
    {
        StoreOptionValues options = context.Options;
        StoreOption option = options.Text(GcsOptions.Key) is null ? GcsOptions.KeyFile : GcsOptions.Key;
        if (options.Text(option) is not { } given)
        {
            return null;
        }

        string where = context.Url.DisplayName;
        string json;
        try
        {
            json = option == GcsOptions.Key ? given : File.ReadAllText(given);
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            throw new RestoreException(
                RestoreErrorCode.CredentialsMissing,
                $"The key file of the service account cannot be read: {context.Scrub(failure.Message)}",
                where,
                failure
            );
        }

        RSA key = RSA.Create();
        try
        {
            key.ImportFromPem(JsonFields.Text(json, "private_key"));
            return
                JsonFields.Text(json, "client_email") is { } email
                && Uri.TryCreate(JsonFields.Text(json, "token_uri"), UriKind.Absolute, out Uri? issuer)

                // The address comes from the key file. A signed statement must not go over a
                // network in the clear.
                && (issuer.Scheme == Uri.UriSchemeHttps || issuer.IsLoopback)
                ? new GoogleToken(context, key, email, issuer)
                : throw new ArgumentException("client_email or token_uri is missing");
        }
        catch (Exception failure) when (failure is ArgumentException or CryptographicException)
        {
            key.Dispose();
            throw new RestoreException(
                RestoreErrorCode.CredentialsMissing,
                "The key of the service account is not one that Google makes as JSON (with private_key)",
                where,
                failure
            );
        }
    }

    protected override async Task<HttpResponseMessage> SendAsync(
        HttpRequestMessage request,
        CancellationToken cancellationToken
    )
    {
        ArgumentNullException.ThrowIfNull(request);
        request.Headers.Authorization = new AuthenticationHeaderValue(
            "Bearer",
            await TokenAsync(cancellationToken).ConfigureAwait(false)
        );

        // With a token, the service knows headers by its own names only.
        foreach (
            (string name, IEnumerable<string> values) in request
                .Headers.NonValidated.Where(header =>
                    header.Key.StartsWith("x-amz-", StringComparison.OrdinalIgnoreCase)
                )
                .Select(header => (header.Key, (IEnumerable<string>)header.Value.ToArray()))
                .ToArray()
        )
        {
            request.Headers.Remove(name);
            if (name.Equals("x-amz-storage-class", StringComparison.OrdinalIgnoreCase))
            {
                request.Headers.TryAddWithoutValidation("x-goog-storage-class", values);
            }
        }

        return await base.SendAsync(request, cancellationToken).ConfigureAwait(false);
    }

    protected override void Dispose(bool disposing)
    {
        key.Dispose();
        renewing.Dispose();
        base.Dispose(disposing);
    }

    private async Task<string> TokenAsync(CancellationToken cancellationToken)
    {
        // Concurrent requests wait for one renewal, and do not each ask for a token of their own.
        await renewing.WaitAsync(cancellationToken).ConfigureAwait(false);
        try
        {
            DateTimeOffset now = context.TimeProvider.GetUtcNow();
            if (current is not { } valid || valid.Until - Margin < now)
            {
                current = await RenewAsync(now, cancellationToken).ConfigureAwait(false);
            }

            return current.Value.Token;
        }
        finally
        {
            renewing.Release();
        }
    }

    private async Task<(string Token, DateTimeOffset Until)> RenewAsync(
        DateTimeOffset now,
        CancellationToken cancellationToken
    )
    {
        using var request = new HttpRequestMessage(HttpMethod.Post, issuer)
        {
            Content = new FormUrlEncodedContent([
                new("grant_type", "urn:ietf:params:oauth:grant-type:jwt-bearer"),
                new("assertion", Assertion(now.ToUnixTimeSeconds())),
            ]),
        };
        using HttpResponseMessage answer = await base.SendAsync(request, cancellationToken).ConfigureAwait(false);
        string text = await answer.Content.ReadAsStringAsync(cancellationToken).ConfigureAwait(false);
        if (
            answer.StatusCode
            is System.Net.HttpStatusCode.BadRequest
                or System.Net.HttpStatusCode.Unauthorized
                or System.Net.HttpStatusCode.Forbidden
        )
        {
            string said = context.Scrub(
                JsonFields.Text(text, "error_description")
                    ?? JsonFields.Text(text, "error")
                    ?? $"{(int)answer.StatusCode}"
            );
            throw new RestoreException(
                RestoreErrorCode.CredentialsRefused,
                $"Google refused the service account {email} ({said})",
                context.Url.DisplayName
            );
        }

        return
            answer.IsSuccessStatusCode
            && JsonFields.Text(text, "access_token") is { } token
            && int.TryParse(
                JsonFields.Text(text, "expires_in"),
                NumberStyles.None,
                CultureInfo.InvariantCulture,
                out int seconds
            )
            ? (token, now + TimeSpan.FromSeconds(seconds))
            : throw new TransientStoreException($"Google gave no access token ({(int)answer.StatusCode})");
    }

    /// <summary>A signed statement (JWT) that asks for a token.</summary>
    private string Assertion(long now)
    {
        using var claims = new MemoryStream();
        using (var writer = new Utf8JsonWriter(claims))
        {
            writer.WriteStartObject();
            writer.WriteString("iss", email);
            writer.WriteString("scope", Scope);
            writer.WriteString("aud", issuer.AbsoluteUri);
            writer.WriteNumber("iat", now);
            writer.WriteNumber("exp", now + 3600);
            writer.WriteEndObject();
        }

        string text =
            $"{Base64Url.EncodeToString("""{"alg":"RS256","typ":"JWT"}"""u8)}.{Base64Url.EncodeToString(claims.ToArray())}";
        byte[] signature = key.SignData(
            Encoding.ASCII.GetBytes(text),
            HashAlgorithmName.SHA256,
            RSASignaturePadding.Pkcs1
        );
        return $"{text}.{Base64Url.EncodeToString(signature)}";
    }
}
