namespace Restore.Cli.Options;

/// <summary>When entries may be removed from a target: never without knowing that they are not in the backup.</summary>
internal static class DeletionRules
{
    /// <exception cref="UsageException">The request is one in which a deletion could take more than what the backup does not have.</exception>
    public static void Check(HostRequest request)
    {
        if (!request.Delete)
        {
            return;
        }

        if (request.Restore.Target is not { } target)
        {
            throw new UsageException("--delete needs --restore-path: among the original places everything else is not in the backup");
        }

        if (!request.Restore.Overwrite)
        {
            throw new UsageException("--delete needs --overwrite: without it a file that differs stays beside the restored one, and would be removed");
        }

        if (request.Restore.SkipMetadata)
        {
            throw new UsageException("--delete and --skip-metadata exclude each other: links would count as not in the backup");
        }

        if (request.Rules.Count > 0 || request.Operands.Count > 1 || request.Operands.Any(filter => !IsFolder(filter)))
        {
            throw new UsageException("--delete takes the whole backup or one folder of it ('/home/ann/'): what a filter leaves out would be removed");
        }

        string?[] own = [request.LogFile, request.Backup.CacheDirectory, request.Backup.DatabasePath, request.Storage.Contains("://") ? null : request.Storage];
        if (own.FirstOrDefault(path => path is not null && FolderPath.IsInside(path, target)) is { } mine)
        {
            throw new UsageException($"--delete: {mine} is in {target}, and would be removed");
        }
    }

    private static bool IsFolder(string filter) =>
        filter is [.., '/' or '\\'] && (filter.StartsWith('@') || (!filter.StartsWith('[') && filter.AsSpan().IndexOfAny('*', '?') < 0));
}
