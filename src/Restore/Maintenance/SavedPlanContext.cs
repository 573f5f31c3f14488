using System.Text.Json.Serialization;

namespace Restore.Maintenance;

[JsonSerializable(typeof(CompactPlan))]
[JsonSerializable(typeof(PurgePlan))]
[JsonSerializable(typeof(DeletionPlan))]
[JsonSourceGenerationOptions(
    UseStringEnumConverter = true,
    IgnoreReadOnlyProperties = true,
    RespectNullableAnnotations = true,
    RespectRequiredConstructorParameters = true,
    DefaultIgnoreCondition = JsonIgnoreCondition.Never
)]
internal sealed partial class SavedPlanContext : JsonSerializerContext;
