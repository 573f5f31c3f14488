using Restore.Memory;

namespace Restore.Maintenance.Searching;

/// <summary>A place of a blocklist that was not read yet: which content, which of its blocklists.</summary>
internal readonly record struct PendingBlocklist(int Content, int Index, long SizeBytes);

/// <summary>Who waits for which blocklist: chains, since contents can share a blocklist.</summary>
internal sealed class PendingBlocklists
{
    private readonly Dictionary<int, int> first = [];
    private readonly SegmentedList<(PendingBlocklist Place, int Next)> places = new();

    public int Count => first.Count;

    /// <summary>The missing blocklists, by block.</summary>
    public IReadOnlyCollection<int> Blocks => first.Keys;

    public void Add(int block, PendingBlocklist place) => first[block] = places.Add((place, first.GetValueOrDefault(block, -1)));

    public bool Contains(int block) => first.ContainsKey(block);

    /// <summary>Removes a blocklist, and returns its places.</summary>
    public IEnumerable<PendingBlocklist> Take(int block)
    {
        for (int at = first.Remove(block, out int head) ? head : -1; at >= 0; at = places[at].Next)
        {
            yield return places[at].Place;
        }
    }

    /// <summary>The contents of which a blocklist is missing.</summary>
    public HashSet<int> Contents()
    {
        HashSet<int> contents = [];
        foreach (int head in first.Values)
        {
            for (int at = head; at >= 0; at = places[at].Next)
            {
                contents.Add(places[at].Place.Content);
            }
        }

        return contents;
    }
}
