namespace Restore.Catalog.Locating;

/// <summary>
/// Volumes with lists that did not fit into memory. Each is read again only after more blocks
/// became needed, so a block that no volume has does not cause endless reading.
/// </summary>
internal sealed class ForgottenVolumes(SearchState search)
{
    private readonly Dictionary<Volume, int> revisions = [];
    private readonly Lock gate = new();

    /// <summary>
    /// Records that the lists of a volume were dropped, with the <see cref="BlockIndex.Revision"/>
    /// at that time.
    /// </summary>
    public void Add(Volume volume, int revision)
    {
        lock (gate)
        {
            revisions[volume] = revision;
        }
    }

    /// <summary>
    /// Returns the volumes worth reading again: none while blocklists can be fetched, since those
    /// add more needed blocks.
    /// </summary>
    public Volume[] TakeDue()
    {
        int now = search.Ask(index =>
            index.UnlocatedBlocks > 0 && index.ListFetchableBlocklists().Length == 0 ? index.Revision : 0
        );
        lock (gate)
        {
            Volume[] due =
            [
                .. revisions
                    .Where(volume => volume.Value < now)
                    .Select(volume => volume.Key)
                    .OrderBy(volume => volume.Id.Value),
            ];
            Array.ForEach(due, volume => revisions.Remove(volume));
            return due;
        }
    }
}
