namespace Restore.Reporting;

/// <summary>
/// Every event that the library logs, all in the category <see cref="RestoreTelemetry.Name"/>. The
/// meaning of an id never changes.
/// </summary>
internal static partial class Log
{
    [LoggerMessage(100, LogLevel.Debug, "Opened {Location}: {Volumes} volumes, {Versions} versions")]
    public static partial void Opened(ILogger logger, string location, int volumes, int versions);

    [LoggerMessage(101, LogLevel.Debug, "Decoding: {Libraries}")]
    public static partial void Decoding(ILogger logger, string libraries);

    [LoggerMessage(
        200,
        LogLevel.Warning,
        "Waiting for {Location}, attempt {Attempt} of {Attempts} in {Seconds:0.#} s: {Reason}"
    )]
    public static partial void Retrying(
        ILogger logger,
        string location,
        int attempt,
        int attempts,
        double seconds,
        string reason
    );

    [LoggerMessage(
        201,
        LogLevel.Warning,
        "{Path}: the store's answer is not what was asked for, so the whole volume is read: {Reason}"
    )]
    public static partial void PartRefused(ILogger logger, string path, string reason);

    [LoggerMessage(300, LogLevel.Debug, "Reading {Count} index volumes")]
    public static partial void ReadingIndexes(ILogger logger, int count);

    [LoggerMessage(301, LogLevel.Information, "Fetching {Count} blocklists that no index volume has")]
    public static partial void FetchingBlocklists(ILogger logger, int count);

    [LoggerMessage(
        302,
        LogLevel.Information,
        "{Blocks} blocks have no known place; reading the directories of {Volumes} block volumes"
    )]
    public static partial void Surveying(ILogger logger, long blocks, int volumes);

    [LoggerMessage(
        400,
        LogLevel.Information,
        "Planned version {Version}: {Files} files, {Bytes} bytes; to fetch {BytesToFetch} bytes of {Volumes} volumes"
    )]
    public static partial void Planned(
        ILogger logger,
        int version,
        long files,
        long bytes,
        long bytesToFetch,
        int volumes
    );

    [LoggerMessage(401, LogLevel.Information, "{Sum}")]
    public static partial void Costs(ILogger logger, string sum);

    [LoggerMessage(500, LogLevel.Information, "Pass {Pass} begins: {Volumes} volumes")]
    public static partial void PassBegins(ILogger logger, int pass, int volumes);

    [LoggerMessage(501, LogLevel.Information, "Pass {Pass} ended: {Files} files restored, {Missing} blocks missing")]
    public static partial void PassEnded(ILogger logger, int pass, long files, int missing);

    [LoggerMessage(
        502,
        LogLevel.Information,
        "{Found} of {Missing} missing blocks have a second copy, which the next pass takes"
    )]
    public static partial void SecondCopies(ILogger logger, int found, int missing);

    [LoggerMessage(
        503,
        LogLevel.Information,
        "Restored version {Version}: {Files} files, {Bytes} bytes, {Issues} issues"
    )]
    public static partial void Restored(ILogger logger, int version, long files, long bytes, int issues);

#pragma warning disable SYSLIB1015 // Kind and code are for who filters or counts events; the text has the reason
    [LoggerMessage(600, LogLevel.Warning, "{Path}: {Reason}")]
    public static partial void Issue(ILogger logger, IssueKind kind, string path, string reason, IssueCode code);
#pragma warning restore SYSLIB1015

    /// <summary>Logs issues, each as an event with its kind and code.</summary>
    public static void Issues(
        ILogger logger,
        IEnumerable<RestoreIssue> issues,
        IEnumerable<RestoreIssue>? except = null
    )
    {
        if (!logger.IsEnabled(LogLevel.Warning))
        {
            return;
        }

        // The issues of planning were logged with the plan. They are the same objects.
        HashSet<RestoreIssue> logged = new(except ?? [], ReferenceEqualityComparer.Instance);
        foreach (RestoreIssue issue in issues.Where(issue => !logged.Contains(issue)))
        {
            Issue(logger, issue.Kind, issue.Path, issue.Reason, issue.Code);
        }
    }
}
