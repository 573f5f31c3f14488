using System.Text.Json.Serialization;

namespace Restore.Planning.Saving;

[JsonSerializable(typeof(PlanHead))]
[JsonSourceGenerationOptions(UseStringEnumConverter = true)]
internal sealed partial class PlanHeadContext : JsonSerializerContext;
