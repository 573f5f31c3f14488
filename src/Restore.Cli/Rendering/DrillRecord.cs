namespace Restore.Cli.Rendering;

/// <summary>One drill in a history: what it covered, how long it took, and what it found.</summary>
internal sealed record DrillRecord
{
    public required DateTimeOffset Time { get; init; }
    public required string Backup { get; init; }
    public required int ExitCode { get; init; }

    /// <summary>Why it did not end with a result; null if it did.</summary>
    public string? Failure { get; init; }

    public long Versions { get; init; }
    public double BytesShare { get; init; }
    public long Files { get; init; }
    public long Bytes { get; init; }
    public long BytesFetched { get; init; }
    public double Seconds { get; init; }

    /// <summary>Entries that are damaged, missing or refused.</summary>
    public long Lost { get; init; }

    public static DrillRecord Of(DateTimeOffset time, string backup, int exitCode, RestoreReport report) =>
        new()
        {
            Time = time,
            Backup = backup,
            ExitCode = exitCode,
            Versions = report.Drill?.VersionsCovered ?? 1,
            BytesShare = report.Drill?.BytesShare ?? 1,
            Files = report.FilesRestored,
            Bytes = report.BytesRestored,
            BytesFetched = report.BytesFetched,
            Seconds = report.Elapsed.TotalSeconds,
            Lost = report.Issues.Count(issue => issue.IsLoss),
        };

    public JsonObject ToJson() =>
        new()
        {
            ["time"] = Time.ToString("O", CultureInfo.InvariantCulture),
            ["backup"] = Backup,
            ["exitCode"] = ExitCode,
            ["failure"] = Failure,
            ["versions"] = Versions,
            ["bytesShare"] = BytesShare,
            ["files"] = Files,
            ["bytes"] = Bytes,
            ["bytesFetched"] = BytesFetched,
            ["seconds"] = Seconds,
            ["lost"] = Lost,
        };

    /// <exception cref="FormatException">It is no record.</exception>
    public static DrillRecord Parse(JsonNode? node)
    {
        try
        {
            return new()
            {
                Time = DateTimeOffset.Parse(
                    node!["time"]!.GetValue<string>(),
                    CultureInfo.InvariantCulture,
                    DateTimeStyles.RoundtripKind
                ),
                Backup = node["backup"]!.GetValue<string>(),
                ExitCode = node["exitCode"]!.GetValue<int>(),
                Failure = node["failure"]?.GetValue<string>(),
                Versions = node["versions"]!.GetValue<long>(),
                BytesShare = node["bytesShare"]!.GetValue<double>(),
                Files = node["files"]!.GetValue<long>(),
                Bytes = node["bytes"]!.GetValue<long>(),
                BytesFetched = node["bytesFetched"]!.GetValue<long>(),
                Seconds = node["seconds"]!.GetValue<double>(),
                Lost = node["lost"]!.GetValue<long>(),
            };
        }
        catch (Exception failure) when (failure is NullReferenceException or InvalidOperationException)
        {
            throw new FormatException("A drill of the history cannot be read", failure);
        }
    }
}
