using Restore.Catalog.Locating;
using Restore.Volumes;

namespace Restore.Catalog.Database;

/// <summary>A local database as the first location source: it knows blocks without blocklists, and their locations.</summary>
internal sealed class DatabaseSource(DatabaseFile file, IReadOnlyDictionary<long, VolumeId> volumes, SearchState search, BlockNeeds needs) : ILocationSource
{
    private bool wasRead;

    public async Task<bool> TryStepAsync(Action<int, int> progress, CancellationToken cancellationToken)
    {
        if (wasRead)
        {
            return false;
        }

        wasRead = true;
        BlockReader reader = new(file, volumes, search, needs);
        await reader.ReadAsync(cancellationToken).ConfigureAwait(false);
        search.Update(_ => needs.EndDatabase());
        if (reader.UnusableRows > 0)
        {
            search.Report(
                file.DisplayPath,
                $"Rows about blocks contradict the files they belong to ({reader.UnusableRows:N0} of them)",
                IssueCode.DatabaseContradictory);
        }

        return true;
    }
}
