namespace Restore.Writing;

/// <summary>What is required of sources and destination before anything is written.</summary>
internal static class SourceChecks
{
    /// <returns>Warnings about sources that do not exist, if the options allow that.</returns>
    /// <exception cref="RestoreException">A source does not exist or is empty, and the options do
    /// not allow that.</exception>
    public static IEnumerable<RestoreIssue> Require(BackupWriterOptions options)
    {
        string[] missing = [.. options.Sources.Where(source => !Path.Exists(source))];

        // Without any source the version would be empty, so the option does not help if all are
        // missing.
        if (missing.Length > 0 && (!options.AllowMissingSources || missing.Length == options.Sources.Count))
        {
            throw new RestoreException(RestoreErrorCode.SourceNotFound, "There is nothing to back up", missing[0]);
        }

        if (options.RefuseEmptySources && options.Sources.FirstOrDefault(IsEmpty) is { } empty)
        {
            throw new RestoreException(
                RestoreErrorCode.SourceEmpty,
                "The source is an empty folder, so no version was made",
                empty
            );
        }

        return missing.Select(source => new RestoreIssue(
            IssueKind.Warning,
            source,
            "The source is not there, and nothing of it is in the version"
        ));
    }

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
