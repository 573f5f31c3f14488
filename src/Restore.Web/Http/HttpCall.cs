using System.Text.Json;
using System.Text.Json.Serialization.Metadata;

namespace Restore.Web.Http;

/// <summary>A call of the page over HTTP.</summary>
internal sealed class HttpCall(HttpContext context) : BrowseCall
{
    public override CancellationToken Aborted => context.RequestAborted;

    public override string ValueOf(string name) => context.Request.Query[name].ToString();

    public override async Task<T> ReadAsync<T>(JsonTypeInfo<T> type)
    {
        try
        {
            return await JsonSerializer
                    .DeserializeAsync(context.Request.Body, type, context.RequestAborted)
                    .ConfigureAwait(false)
                ?? throw new CallException(CallStatus.BadRequest, "The request is empty");
        }
        catch (JsonException)
        {
            throw new CallException(CallStatus.BadRequest, "The request is not JSON of the expected form");
        }
    }

    public override async Task WriteAsync<T>(T value, JsonTypeInfo<T> type)
    {
        context.Response.ContentType = "application/json; charset=utf-8";
        await JsonSerializer
            .SerializeAsync(context.Response.Body, value, type, context.RequestAborted)
            .ConfigureAwait(false);
    }
}
