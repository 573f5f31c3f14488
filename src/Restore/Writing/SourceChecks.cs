using Restore.Writing.Source;

namespace Restore.Writing;

/// <summary>What is required of sources and destination before anything is written.</summary>
internal static class SourceChecks
{
    /// <returns>Warnings about sources that do not exist, if the options allow that. A source that
    /// cannot be looked at is none of them: the walk reports it as missing.</returns>
    /// <exception cref="RestoreException">A source does not exist or is empty, and the options do
    /// not allow that.</exception>
    public static IEnumerable<RestoreIssue> Require(BackupWriterOptions options)
    {
        (string Source, Exception Failure)[] failed =
        [
            .. options
                .Sources.Select(source => (Source: source, Failure: FailureOf(source)))
                .Where(one => one.Failure is not null)
                .Select(one => (one.Source, one.Failure!)),
        ];

        // Without any source the version would be empty, so the option does not help if all are
        // missing.
        if (failed.Length > 0 && (!options.AllowMissingSources || failed.Length == options.Sources.Count))
        {
            (string source, Exception failure) = failed.FirstOrDefault(one => IsMissing(one.Failure), failed[0]);
            throw IsMissing(failure)
                ? new RestoreException(RestoreErrorCode.SourceNotFound, "There is nothing to back up", source)
                : new RestoreException(
                    RestoreErrorCode.SourceUnreadable,
                    $"The source cannot be looked at, so no version was made: {failure.Reason()}",
                    source,
                    failure
                );
        }

        if (options.RefuseEmptySources && options.Sources.FirstOrDefault(IsEmpty) is { } empty)
        {
            throw new RestoreException(
                RestoreErrorCode.SourceEmpty,
                "The source is an empty folder, so no version was made",
                empty
            );
        }

        return failed
            .Where(one => IsMissing(one.Failure))
            .Select(one => new RestoreIssue(
                IssueKind.Warning,
                one.Source,
                "The source is not there, and nothing of it is in the version"
            ));
    }

    /// <summary>
    /// Whether a source does not exist. One that may not be looked at, or that does not answer, is
    /// not missing: nothing says that it is not there.
    /// </summary>
    public static bool IsMissing(SourceRoot source) => FailureOf(source) is { } failure && IsMissing(failure);

    /// <exception cref="RestoreException">The folder does not exist, and the options forbid
    /// creating it.</exception>
    public static void RequireDestination(BackupWriterOptions options)
    {
        if (
            options.RequireDestination
            && StoreUrlParser.Parse(options.Destination, options.StoreOptions) is { Scheme: "file" } url
            && !Directory.Exists(url.Path)
        )
        {
            throw new RestoreException(
                RestoreErrorCode.LocationNotFound,
                "The folder of the backup does not exist, and it is not to be made",
                url.Path
            );
        }
    }

    private static bool IsMissing(Exception failure) => failure is FileNotFoundException or DirectoryNotFoundException;

    private static Exception? FailureOf(string source) => FailureOf(SourceRoot.Of(source));

    private static Exception? FailureOf(SourceRoot source)
    {
        if (Encoding.UTF8.GetByteCount(source.Path) >= NativeText.PathBytes)
        {
            return new FileNotFoundException($"{source.Path} is longer than any path", source.Path);
        }

        try
        {
            _ = SourceStatus.Read(source.Path, follows: source.IsFolder);
            return null;
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            return failure;
        }
    }

    private static bool IsEmpty(string source)
    {
        try
        {
            return Directory.Exists(source) && !Directory.EnumerateFileSystemEntries(source).Any();
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            throw new RestoreException(
                RestoreErrorCode.SourceEmpty,
                $"Whether the source is empty cannot be seen, so no version was made: {failure.Reason()}",
                source,
                failure
            );
        }
    }
}
