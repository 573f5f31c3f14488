using System.Text.Json.Serialization;

namespace Restore.Shards;

[JsonSerializable(typeof(ShardRecord))]
[JsonSourceGenerationOptions(
    UseStringEnumConverter = true,
    DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingDefault
)]
internal sealed partial class ShardRecordContext : JsonSerializerContext;
