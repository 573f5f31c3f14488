using System.Text.Json;
using System.Text.Json.Serialization;

namespace Restore.Browse.Reports;

/// <summary>Writes values of a type, and reads none.</summary>
internal sealed class Writer<T>(Action<Utf8JsonWriter, T> write) : JsonConverter<T>
{
    public override T Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options) =>
        throw new NotSupportedException();

    public override void Write(Utf8JsonWriter writer, T value, JsonSerializerOptions options) => write(writer, value);
}
