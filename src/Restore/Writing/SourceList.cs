using Restore.Writing.Messages;
using Restore.Writing.Processes;

namespace Restore.Writing;

/// <summary>Walks the sources for a list of what a backup would take.</summary>
internal static class SourceList
{
    public static async Task<SourceListing> MakeAsync(WriterSettings settings, CancellationToken cancellationToken)
    {
        List<RestoreIssue> issues = [.. SourceChecks.Require(settings.Options)];
        SourceListing sum = new();
        ProcessNetwork network = new(time: settings.Options.TimeProvider);
        Channel<EntriesFound> found = network.CreateChannel<EntriesFound>("EntriesFound", 1);
        SourceWalker walker = new(settings);
        network.AddSource("SourceWalker", found, walker.RunAsync, onOwnThreads: true);
        network.AddSink("Lister", 1, found, (input, _) => CountAsync(input));
        await network.RunAsync(cancellationToken).ConfigureAwait(false);
        return sum with
        {
            LeftOut = walker.LeftOut,
            Issues = [.. issues.OrderBy(issue => issue.Path, StringComparer.Ordinal)],
        };

        async Task CountAsync(IReadChannelEnd<EntriesFound> input)
        {
            await foreach (EntriesFound batch in input.ReadAllAsync().ConfigureAwait(false))
            {
                issues.AddRange(batch.Issues);
                sum = sum with
                {
                    Files = sum.Files + batch.Entries.Count(entry => entry.Kind == EntryKind.File),
                    Folders = sum.Folders + batch.Entries.Count(entry => entry.Kind == EntryKind.Folder),
                    Symlinks = sum.Symlinks + batch.Entries.Count(entry => entry.Kind == EntryKind.Symlink),
                    Bytes = sum.Bytes + batch.Entries.Sum(entry => entry.Status.SizeBytes),
                };
            }
        }
    }
}
