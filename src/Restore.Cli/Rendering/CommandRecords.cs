using System.Text.Json.Serialization;

namespace Restore.Cli.Rendering;

[JsonSourceGenerationOptions(GenerationMode = JsonSourceGenerationMode.Metadata)]
[JsonSerializable(typeof(BackupVersion))]
[JsonSerializable(typeof(BackupEntry))]
[JsonSerializable(typeof(EntryState))]
[JsonSerializable(typeof(EntryDifference))]
[JsonSerializable(typeof(DifferenceTotals))]
[JsonSerializable(typeof(PlanView))]
[JsonSerializable(typeof(CheckReport))]
[JsonSerializable(typeof(AffectedReport))]
[JsonSerializable(typeof(AffectedVersion))]
[JsonSerializable(typeof(VersionFate))]
[JsonSerializable(typeof(CompactPlan))]
[JsonSerializable(typeof(CompactReport))]
[JsonSerializable(typeof(PurgedVersion))]
[JsonSerializable(typeof(DatabaseReport))]
[JsonSerializable(typeof(BackupWriterReport))]
internal sealed partial class CommandRecords : JsonSerializerContext;
