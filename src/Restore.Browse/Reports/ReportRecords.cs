using System.Text.Json.Serialization;

namespace Restore.Browse.Reports;

[JsonSourceGenerationOptions(GenerationMode = JsonSourceGenerationMode.Metadata)]
[JsonSerializable(typeof(BackupVersion))]
[JsonSerializable(typeof(RestoreReport))]
internal sealed partial class ReportRecords : JsonSerializerContext;
