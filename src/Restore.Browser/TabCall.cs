using System.Text.Json;
using System.Text.Json.Serialization.Metadata;

namespace Restore.Browser;

/// <summary>A call of the page that runs in the same tab.</summary>
internal sealed class TabCall(string[] values, string body, CancellationToken aborted) : BrowseCall
{
    public override CancellationToken Aborted => aborted;

    /// <summary>The JSON; empty before it is written.</summary>
    public string Answer { get; private set; } = "";

    public override string ValueOf(string name)
    {
        for (int i = 0; i + 1 < values.Length; i += 2)
        {
            if (values[i] == name)
            {
                return values[i + 1];
            }
        }

        return "";
    }

    public override Task<T> ReadAsync<T>(JsonTypeInfo<T> type)
    {
        try
        {
            return Task.FromResult(
                JsonSerializer.Deserialize(body, type)
                    ?? throw new CallException(CallStatus.BadRequest, "The request is empty")
            );
        }
        catch (JsonException)
        {
            throw new CallException(CallStatus.BadRequest, "The request is not JSON of the expected form");
        }
    }

    public override Task WriteAsync<T>(T value, JsonTypeInfo<T> type)
    {
        Answer = JsonSerializer.Serialize(value, type);
        return Task.CompletedTask;
    }
}
