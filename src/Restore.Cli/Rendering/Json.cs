using System.Globalization;
using System.Text;
using System.Text.Json;

namespace Restore.Cli.Rendering;

/// <summary>Results as JSON, one document for each line. Times are UTC; sizes are bytes.</summary>
internal static class Json
{
    public static void Write(TextWriter output, Action<Utf8JsonWriter> write)
    {
        using var buffer = new MemoryStream();
        using (var json = new Utf8JsonWriter(buffer))
        {
            json.WriteStartObject();
            write(json);
            json.WriteEndObject();
        }

        output.WriteLine(Encoding.UTF8.GetString(buffer.GetBuffer(), 0, (int)buffer.Length));
    }

    public static void Versions(Utf8JsonWriter json, IReadOnlyList<BackupVersion> versions)
    {
        json.WriteStartArray("versions");
        foreach (var version in versions)
        {
            json.WriteStartObject();
            VersionFields(json, version);
            json.WriteEndObject();
        }

        json.WriteEndArray();
    }

    public static void Entry(Utf8JsonWriter json, BackupEntry entry)
    {
        json.WriteString("path", entry.Path);
        EntryFields(json, entry);
    }

    public static void Found(Utf8JsonWriter json, string path, IReadOnlyList<(BackupVersion Version, BackupEntry Entry)> versions)
    {
        json.WriteString("path", path);
        json.WriteStartArray("versions");
        foreach (var (version, entry) in versions)
        {
            json.WriteStartObject();
            VersionFields(json, version);
            EntryFields(json, entry);
            json.WriteEndObject();
        }

        json.WriteEndArray();
    }

    /// <summary>An entry in one version of its history.</summary>
    public static void State(Utf8JsonWriter json, BackupVersion version, EntryState? state, string change)
    {
        VersionFields(json, version);
        json.WriteString("change", change);
        if (state is not null)
        {
            DifferenceText.Write(json, state);
        }
    }

    public static void Plan(Utf8JsonWriter json, PlanView plan)
    {
        Start(json, plan.Version, plan.Target, plan.VerifyOnly, plan.Drill);
        json.WriteNumber("files", plan.Files);
        json.WriteNumber("folders", plan.Folders);
        json.WriteNumber("links", plan.Symlinks);
        json.WriteNumber("bytes", plan.Bytes);
        json.WriteNumber("filesUnchanged", plan.FilesUnchanged);
        json.WriteNumber("bytesToWrite", plan.BytesToWrite);
        if (plan.Extra is { } extra)
        {
            json.WriteNumber("filesToRemove", extra.Files.Count);
            json.WriteNumber("foldersToRemove", extra.Folders.Count);
            json.WriteNumber("bytesToRemove", extra.Bytes);
        }

        json.WriteString("store", plan.Store);
        json.WriteNumber("bytesToFetch", plan.BytesToFetch);
        json.WriteNumber("bytesOfVolumes", plan.BytesOfVolumes);
        json.WriteNumber("requests", plan.Requests);
        json.WriteNumber("bytesPerSecond", plan.BytesPerSecond);
        Seconds(json, "secondsToFetch", plan.TimeToFetch);
        if (plan.Cost is { } cost)
        {
            json.WriteNumber("cost", Math.Round(cost, 6));
        }

        json.WriteStartArray("volumes");
        foreach (var volume in plan.Volumes)
        {
            json.WriteStartObject();
            json.WriteString("name", volume.Name);
            json.WriteNumber("bytes", volume.SizeBytes);
            json.WriteNumber("bytesToFetch", volume.BytesToFetch);
            json.WriteNumber("requests", volume.Requests);
            json.WriteEndObject();
        }

        json.WriteEndArray();
        Issues(json, plan.Issues);
    }

    /// <summary>A run that failed, for the file of the report.</summary>
    public static void Failure(Utf8JsonWriter json, Failure failure, DateTimeOffset time)
    {
        json.WriteString("written", Time(time));
        json.WriteBoolean("complete", false);
        json.WriteBoolean("failed", true);
        json.WriteNumber("exitCode", failure.ExitCode);
        json.WriteString("error", failure.Message);
        json.WriteString("advice", failure.Advice);
    }

    /// <summary>A report, for its file.</summary>
    public static void Report(Utf8JsonWriter json, RestoreReport report, DateTimeOffset time)
    {
        json.WriteString("written", Time(time));
        Report(json, report);
    }

    public static void Report(Utf8JsonWriter json, RestoreReport report)
    {
        Start(json, report.Version, report.Target, report.VerifyOnly, report.Drill);
        json.WriteBoolean("complete", !report.Issues.Any(ExitCodes.IsLoss));
        json.WriteNumber("exitCode", ExitCodes.Of(report));
        json.WriteNumber("files", report.FilesRestored);
        json.WriteNumber("filesUnchanged", report.FilesUnchanged);
        json.WriteNumber("folders", report.FoldersRestored);
        json.WriteNumber("links", report.SymlinksRestored);
        json.WriteNumber("bytes", report.BytesRestored);
        json.WriteNumber("bytesReused", report.BytesReused);
        json.WriteNumber("bytesWritten", report.BytesWritten);
        json.WriteNumber("bytesFetched", report.BytesFetched);
        json.WriteNumber("volumesFetched", report.VolumesFetched);
        json.WriteNumber("volumesReadInPart", report.VolumesReadInPart);
        Seconds(json, "seconds", report.Elapsed);
        Issues(json, report.Issues);
        LostVolumes(json, report.LostVolumes);
        WholeElsewhere(json, report.WholeElsewhere);
        ProfileText.Write(json, report);
    }

    private static void Start(Utf8JsonWriter json, BackupVersion version, string? target, bool verifyOnly, DrillCoverage? drill)
    {
        json.WriteStartObject("version");
        VersionFields(json, version);
        json.WriteEndObject();
        json.WriteString("target", target);
        json.WriteBoolean("verifyOnly", verifyOnly);
        if (drill is not null)
        {
            json.WriteStartObject("drill");
            Versions(json, drill.Versions);
            json.WriteNumber("versionsCovered", drill.VersionsCovered);
            json.WriteNumber("files", drill.Files);
            json.WriteNumber("filesCovered", drill.FilesCovered);
            json.WriteNumber("bytesShare", drill.BytesShare);
            if (drill.Sample is { } sample)
            {
                json.WriteNumber("seed", sample.Seed);
            }

            json.WriteEndObject();
        }
    }

    public static void VersionFields(Utf8JsonWriter json, BackupVersion version)
    {
        json.WriteNumber("version", version.Index);
        json.WriteString("time", Time(version.Time));
        json.WriteString("fileList", version.FileListName);
    }

    private static void EntryFields(Utf8JsonWriter json, BackupEntry entry)
    {
        json.WriteString("kind", Kind(entry.Kind));
        json.WriteNumber("bytes", entry.SizeBytes);
        json.WriteString("modified", entry.LastModified is { } modified ? Time(modified) : null);
        json.WriteString("hash", entry.Hash.Length > 0 ? entry.Hash : null);
    }

    public static void Issues(Utf8JsonWriter json, IReadOnlyList<RestoreIssue> issues)
    {
        json.WriteStartArray("issues");
        foreach (var issue in issues)
        {
            json.WriteStartObject();
            json.WriteString("kind", issue.Kind.ToString().ToLowerInvariant());
            json.WriteString("path", issue.Path);
            json.WriteString("state", IssueText.State(issue));
            json.WriteString("reason", issue.Reason);
            json.WriteString("code", issue.Code == IssueCode.None ? null : issue.Code.ToString());
            json.WriteString("advice", Advice.For(issue.Code));
            json.WriteString("targetPath", issue.TargetPath);
            json.WriteBoolean("metadataLost", issue.MetadataLost);
            json.WriteBoolean("unverified", issue.Unverified);
            if (issue.Versions is { } versions)
            {
                json.WriteNumber("newestVersion", versions.Newest);
                json.WriteNumber("oldestVersion", versions.Oldest);
            }

            json.WriteStartArray("lostRanges");
            foreach (var range in issue.LostRanges)
            {
                json.WriteStartArray();
                json.WriteNumberValue(range.From);
                json.WriteNumberValue(range.To);
                json.WriteEndArray();
            }

            json.WriteEndArray();
            json.WriteNumber("lostRangesLeftOut", issue.LostRangesLeftOut);
            Strings(json, "volumes", issue.Volumes);
            json.WriteNumber("volumesLeftOut", issue.VolumesLeftOut);
            json.WriteEndObject();
        }

        json.WriteEndArray();
    }

    /// <summary>Lost files that another version has whole.</summary>
    private static void WholeElsewhere(Utf8JsonWriter json, IReadOnlyList<WholeFile> files)
    {
        json.WriteStartArray("wholeElsewhere");
        foreach (var file in files)
        {
            json.WriteStartObject();
            json.WriteString("path", file.Path);
            VersionFields(json, file.Version);
            json.WriteEndObject();
        }

        json.WriteEndArray();
    }

    /// <summary>Sound copies of these volumes would bring back what is lost.</summary>
    private static void LostVolumes(Utf8JsonWriter json, IReadOnlyList<LostVolume> volumes)
    {
        json.WriteStartArray("lostVolumes");
        foreach (var volume in volumes)
        {
            json.WriteStartObject();
            json.WriteString("name", volume.Name);
            json.WriteBoolean("inStore", volume.IsInStore);
            json.WriteNumber("entries", volume.Entries);
            json.WriteNumber("bytes", volume.Bytes);
            json.WriteEndObject();
        }

        json.WriteEndArray();
    }

    /// <summary>How a command ended.</summary>
    public static void Outcome(Utf8JsonWriter json, int exitCode)
    {
        json.WriteBoolean("complete", exitCode == ExitCodes.Complete);
        json.WriteNumber("exitCode", exitCode);
    }

    public static void Seconds(Utf8JsonWriter json, string name, TimeSpan time) => json.WriteNumber(name, Math.Round(time.TotalSeconds, 3));

    public static void Strings(Utf8JsonWriter json, string name, IEnumerable<string> values)
    {
        json.WriteStartArray(name);
        foreach (var value in values)
        {
            json.WriteStringValue(value);
        }

        json.WriteEndArray();
    }

    public static string Kind(BackupEntryKind kind) => kind switch { BackupEntryKind.Folder => "folder", BackupEntryKind.Symlink => "link", _ => "file" };

    public static string Time(DateTimeOffset time) => time.UtcDateTime.ToString("yyyy-MM-dd'T'HH:mm:ss'Z'", CultureInfo.InvariantCulture);
}
