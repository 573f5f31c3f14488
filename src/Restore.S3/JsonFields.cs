using System.Text.Json;

namespace Restore.S3;

internal static class JsonFields
{
    /// <summary>The text at a path in a JSON object; null if there is no text.</summary>
    public static string? Text(string json, params ReadOnlySpan<string> path)
    {
        try
        {
            using JsonDocument document = JsonDocument.Parse(json);
            JsonElement at = document.RootElement;
            foreach (string name in path)
            {
                if (at.ValueKind != JsonValueKind.Object || !at.TryGetProperty(name, out at))
                {
                    return null;
                }
            }

            return at.ValueKind == JsonValueKind.String ? at.GetString()
                : at.ValueKind == JsonValueKind.Number ? at.GetRawText()
                : null;
        }
        catch (JsonException)
        {
            return null;
        }
    }
}
