using System.Collections.Frozen;
using System.Text.Json;
using System.Text.Json.Serialization;
using System.Text.Json.Serialization.Metadata;

namespace Restore.Cli.Rendering;

/// <summary>
/// Results as JSON, one document for each line. Times are UTC; sizes are bytes. Most documents are
/// records of the library, which the generated <see cref="CommandRecords"/> writes with the fields
/// and the names of a table.
/// </summary>
internal static class Json
{
    /// <summary>
    /// The fields of each record in their order, by their names in camel case; after = another
    /// name; ? leaves out a field without a value.
    /// </summary>
    private static readonly FrozenDictionary<Type, string> Fields = new Dictionary<Type, string>
    {
        [typeof(BackupEntry)] = "path kind sizeBytes=bytes lastModified=modified hash",
        [typeof(EntryState)] = "kind files sizeBytes=bytes lastModified=modified hash",
        [typeof(DifferenceTotals)] = "added removed changed metadata unknown bytesNew bytesOld",
        [typeof(PlanView)] =
            "version target verifyOnly drill? sources? files folders symlinks=links leavesOutLinks bytes filesUnchanged bytesToWrite filesToRemove? "
            + "foldersToRemove? bytesToRemove? pathsToRemove? store bytesFetched bytesToFetch bytesOfVolumes requests bytesPerSecond "
            + "timeToFetch=secondsToFetch cost? volumes unreadVolumes issues",
        [typeof(PlannedVolume)] = "name sizeBytes=bytes bytesToFetch requests archiveTier",
        [typeof(CheckReport)] =
            "versions indexVolumes blockVolumes blocks lostBlocks unusedBlocks unusedBytes repeatedBlocks indexVolumesMade "
            + "blockVolumesMade withoutIndex bytesFetched elapsed=seconds issues",
        [typeof(AffectedReport)] = "versions volumes lostVersions bytesFetched elapsed=seconds issues",
        [typeof(AffectedVolume)] = "name isInStore=inStore hasParity=parity entries bytes",
        [typeof(AffectedVersion)] = "version files bytes filesOnlyThere bytesOnlyThere",
        [typeof(VersionFate)] = "version isFull=full isDeleted=goes reason",
        [typeof(CompactPlan)] =
            "dataBytes wastedBytes dead rewritten indexVolumes volumesLeft bytesToFetch bytesToWrite bytesToDelete",
        [typeof(CompactReport)] =
            "volumesDeleted volumesWritten blocksMoved bytesFetched bytesWritten bytesDeleted elapsed=seconds",
        [typeof(PurgedVersion)] =
            "version entries removed withoutMetadata removedPaths pathsWithoutMetadata staysBecause",
        [typeof(DatabaseReport)] =
            "path versions entries blocks unusedBlocks lostBlocks volumes bytes bytesFetched elapsed=seconds issues",
        [typeof(BackupWriterReport)] =
            "nothingChanged hasNoFile isPartial time fileListName=fileList prefix files unchangedFiles folders "
            + "symlinks=links unstoredModeBits leftOut bytes bytesRead newBlocks newBlockBytes blockVolumes bytesWritten elapsed=seconds stages issues",
        [typeof(UnstoredModeBits)] = "files folders first=paths",
        [typeof(StageSpeed)] = "stage copies bytes working=secondsWorking waiting=secondsWaiting",
    }.ToFrozenDictionary();

    private static readonly JsonSerializerOptions Options = new(
        ReportJson.OptionsOf(Advice.For, Fields, CommandRecords.Default)
    )
    {
        Converters =
        {
            new Writer<BackupEntryKind>((json, kind) => json.WriteStringValue(Kind(kind))),
            new Writer<CompactVolume>((json, volume) => json.WriteStringValue(volume.Name)),
            new JsonStringEnumConverter<EntryChange>(JsonNamingPolicy.CamelCase),
            new JsonStringEnumConverter<BackupStage>(JsonNamingPolicy.CamelCase),
        },
    };

    public static void Write(TextWriter output, JsonObject json) => output.WriteWhole(json.ToJsonString());

    /// <summary>Writes a record directly, not through nodes: lists can be long.</summary>
    public static void Write<T>(TextWriter output, T record)
        where T : class => output.WriteWhole(JsonSerializer.Serialize(record, InfoOf<T>()));

    /// <summary>A record as an object. The fields of a version within it are its own.</summary>
    public static JsonObject Of<T>(T record)
        where T : class => (JsonObject)JsonSerializer.SerializeToNode(record, InfoOf<T>())!;

    public static JsonArray Array<T>(IEnumerable<T> records, Func<T, JsonNode?> convert) =>
        new([.. records.Select(convert)]);

    public static JsonArray Strings(IEnumerable<string> values) => Array(values, value => JsonValue.Create(value));

    /// <summary>The object with the fields of the version in it before its own.</summary>
    public static JsonObject WithVersion(this JsonObject json)
    {
        var version = (JsonObject)json["version"]!;
        json.Remove("version");
        return version.With(json);
    }

    public static JsonObject Outcome(int exitCode) =>
        new() { ["complete"] = exitCode == ExitCodes.Complete, ["exitCode"] = exitCode };

    public static JsonObject Of(Failure failure) =>
        new()
        {
            ["complete"] = false,
            ["failed"] = true,
            ["exitCode"] = failure.ExitCode,
            ["error"] = failure.Message,
            ["advice"] = failure.Advice,
        };

    public static JsonObject Of(RestoreReport report) =>
        Outcome(ExitCodes.Of(report)).With(ReportJson.Of(report, Options));

    public static JsonObject SummaryOf(RestoreReport report) =>
        new JsonObject { ["messageType"] = "summary" }.With(Of(report));

    public static JsonArray Issues(IReadOnlyList<RestoreIssue> issues) =>
        Array(issues, issue => ReportJson.Of(issue, Advice.For));

    private static string Kind(BackupEntryKind kind) =>
        kind switch
        {
            BackupEntryKind.Folder => "folder",
            BackupEntryKind.Symlink => "link",
            _ => "file",
        };

    private static JsonTypeInfo<T> InfoOf<T>() => (JsonTypeInfo<T>)Options.GetTypeInfo(typeof(T));
}
