using Restore.Volumes;

namespace Restore.Catalog.Locating;

/// <summary>
/// Volumes whose lists did not fit into memory. Each is read again once more blocks are asked for than when it was read, and not before: so a block that is
/// nowhere does not have them read for ever.
/// </summary>
internal sealed class ForgottenVolumes(SearchState search)
{
    private readonly Dictionary<Volume, int> revisions = [];
    private readonly Lock gate = new();

    /// <summary>Notes that the lists of a volume are forgotten, which were looked at by this <see cref="BlockNeeds.Revision"/>.</summary>
    public void Add(Volume volume, int revision)
    {
        lock (gate)
        {
            revisions[volume] = revision;
        }
    }

    /// <summary>Takes the volumes that are worth reading again: none while blocklists can be fetched, since those ask for still more.</summary>
    public Volume[] TakeDue()
    {
        int now = search.Ask(needs => needs.UnlocatedBlocks > 0 && needs.ListFetchableBlocklists().Length == 0 ? needs.Revision : 0);
        lock (gate)
        {
            Volume[] due = [.. revisions.Where(volume => volume.Value < now).Select(volume => volume.Key).OrderBy(volume => volume.Id.Value)];
            Array.ForEach(due, volume => revisions.Remove(volume));
            return due;
        }
    }
}
