using System.Collections.Frozen;
using System.Text.Json;
using System.Text.Json.Nodes;
using System.Text.Json.Serialization;
using System.Text.Json.Serialization.Metadata;

namespace Restore.Browse.Reports;

/// <summary>
/// The report of a restore as JSON, for the command line and for restore.html, which saves it.
/// Times are UTC; sizes are bytes.
/// </summary>
internal static class ReportJson
{
    /// <summary>
    /// The fields of each record in their order, by their names in camel case; after = another
    /// name; ? leaves out a field without a value.
    /// </summary>
    private static readonly FrozenDictionary<Type, string> Fields = new Dictionary<Type, string>
    {
        [typeof(BackupVersion)] = "index=version time fileListName=fileList",
        [typeof(RestoreReport)] =
            "version target verifyOnly drill? sources? filesRestored=files filesUnchanged foldersRestored=folders symlinksRestored=links "
            + "bytesRestored=bytes bytesReused bytesWritten bytesFetched volumesFetched volumesReadInPart elapsed=seconds issues lostVolumes wholeElsewhere "
            + "profile choices",
        [typeof(DrillCoverage)] = "versions versionsCovered files filesCovered bytesShare sample=seed?",
        [typeof(VersionSource)] = "index time files bytes paths",
        [typeof(LostVolume)] = "name isInStore=inStore isRefused=refused code entries bytes",
        [typeof(ProcessProfile)] =
            "process copies messages bytes reading=secondsReading working=secondsWorking writing=secondsWriting",
    }.ToFrozenDictionary();

    /// <summary>How records are written.</summary>
    /// <param name="advice">What the user can do about an issue; null for nothing.</param>
    /// <param name="fields">More records with a table, and their fields.</param>
    /// <param name="generated">Has them.</param>
    public static JsonSerializerOptions OptionsOf(
        Func<IssueCode, string?> advice,
        IReadOnlyDictionary<Type, string>? fields = null,
        JsonSerializerContext? generated = null
    ) =>
        new()
        {
            TypeInfoResolver = JsonTypeInfoResolver
                .Combine(ReportRecords.Default, generated)
                .WithAddedModifier(info =>
                    Choose(info, Fields.GetValueOrDefault(info.Type) ?? fields?.GetValueOrDefault(info.Type))
                ),
            PropertyNamingPolicy = JsonNamingPolicy.CamelCase,
            Converters =
            {
                new Writer<TimeSpan>((json, time) => json.WriteNumberValue(Seconds(time))),
                new Writer<DateTimeOffset>((json, time) => json.WriteStringValue(Time(time))),
                new Writer<DrillSample>((json, sample) => json.WriteNumberValue(sample.Seed)),
                new Writer<RestoreIssue>((json, issue) => Of(issue, advice).WriteTo(json)),
                new Writer<IssueCode>(
                    (json, code) => json.WriteStringValue(code == IssueCode.None ? null : code.ToString())
                ),
                new Writer<WholeFile>((json, file) => Of(file).WriteTo(json)),
            },
        };

    public static JsonObject Of(RestoreReport report, JsonSerializerOptions options) =>
        new JsonObject { ["complete"] = !report.Issues.Any(issue => issue.IsLoss) }.With(
            (JsonObject)JsonSerializer.SerializeToNode(report, options.GetTypeInfo(typeof(RestoreReport)))!
        );

    public static JsonObject Of(RestoreIssue issue, Func<IssueCode, string?> advice)
    {
        JsonObject json = new()
        {
            ["kind"] = JsonNamingPolicy.CamelCase.ConvertName(issue.Kind.ToString()),
            ["path"] = issue.Path,
            ["state"] = StateOf(issue),
            ["reason"] = issue.Reason,
            ["code"] = issue.Code == IssueCode.None ? null : issue.Code.ToString(),
            ["advice"] = advice(issue.Code),
            ["targetPath"] = issue.TargetPath,
            ["metadataLost"] = issue.MetadataLost,
            ["unverified"] = issue.Unverified,
            ["lostRanges"] = new JsonArray([.. issue.LostRanges.Select(range => new JsonArray(range.From, range.To))]),
            ["lostRangesLeftOut"] = issue.LostRangesLeftOut,
            ["volumes"] = new JsonArray([.. issue.Volumes.Select(name => JsonValue.Create(name))]),
            ["volumesLeftOut"] = issue.VolumesLeftOut,
        };
        return issue.Versions is not { } versions
            ? json
            : json.With(new() { ["newestVersion"] = versions.Newest, ["oldestVersion"] = versions.Oldest });
    }

    private static JsonObject Of(WholeFile file) =>
        new()
        {
            ["path"] = file.Path,
            ["version"] = file.Version.Index,
            ["time"] = Time(file.Version.Time),
            ["fileList"] = file.Version.FileListName,
        };

    /// <summary>
    /// What became of an entry; null for an issue that is not about an entry's own state.
    /// </summary>
    public static string? StateOf(RestoreIssue issue) =>
        issue.Kind switch
        {
            IssueKind.Damaged => "partial",
            IssueKind.Missing or IssueKind.Refused or IssueKind.LeftOut => "absent",
            IssueKind.Doubtful => "doubtful",
            IssueKind.Metadata => "whole",
            _ => null,
        };

    /// <summary>The start of a report that is kept in a file.</summary>
    public static JsonObject Written(DateTimeOffset time) => new() { ["written"] = Time(time) };

    public static double Seconds(TimeSpan time) => Math.Round(time.TotalSeconds, 3);

    public static string Time(DateTimeOffset time) =>
        time.UtcDateTime.ToString("yyyy-MM-dd'T'HH:mm:ss'Z'", CultureInfo.InvariantCulture);

    public static JsonObject With(this JsonObject json, JsonObject more)
    {
        foreach ((string name, JsonNode? value) in more.ToList())
        {
            more.Remove(name);
            json[name] = value;
        }

        return json;
    }

    private static void Choose(JsonTypeInfo info, string? fields)
    {
        if (fields is null)
        {
            return;
        }

        Dictionary<string, JsonPropertyInfo> all = info.Properties.ToDictionary(
            property => property.Name,
            StringComparer.OrdinalIgnoreCase
        );
        info.Properties.Clear();
        foreach (string field in fields.Split(' '))
        {
            string[] names = field.TrimEnd('?').Split('=');
            JsonPropertyInfo property = all[names[0]];
            property.Name = names[^1];
            if (field.EndsWith('?'))
            {
                property.ShouldSerialize = static (_, value) => value is not null;
            }

            if (info.Type == typeof(BackupEntry) && property.Name == "hash")
            {
                property.Get = static entry => ((BackupEntry)entry).Hash is { Length: > 0 } hash ? hash : null;
            }

            info.Properties.Add(property);
        }
    }
}
