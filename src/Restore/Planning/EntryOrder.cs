namespace Restore.Planning;

/// <summary>Neighboring entries of a list.</summary>
internal readonly record struct EntrySpan(int First, int Count);

/// <summary>
/// The order in which a plan brings entries: some first, as filters say, then all others, each in
/// the order of the list.
/// </summary>
internal sealed class EntryOrder
{
    private readonly BitSet isFirst;

    /// <exception cref="InvalidDataException">A span is not within the list, or two have an entry
    /// in common.</exception>
    public EntryOrder(IReadOnlyList<EntrySpan> first, int entries)
    {
        First = first;
        isFirst = new BitSet(entries);
        foreach (EntrySpan span in first)
        {
            // Spans come from a saved plan, so their numbers can be anything: the subtraction
            // cannot overflow.
            if (span.First < 0 || span.Count < 0 || span.First > entries - span.Count)
            {
                throw new InvalidDataException("It brings entries first that it does not have");
            }

            for (int entry = span.First; entry < span.First + span.Count; entry++)
            {
                if (isFirst[entry])
                {
                    throw new InvalidDataException("It brings an entry first twice");
                }

                isFirst[entry] = true;
            }
        }
    }

    /// <summary>The entries that come first, in order.</summary>
    public IReadOnlyList<EntrySpan> First { get; }

    /// <summary>
    /// Sorts the entries by the first of the filters that takes them; null if none takes one.
    /// </summary>
    public static EntryOrder? Of(VersionContent content, IReadOnlyList<EntryFilter> filters)
    {
        List<EntrySpan>[] spans = [.. filters.Select(_ => new List<EntrySpan>())];
        byte[] path = [];
        char[] text = [];
        for (int entry = 0; filters.Count > 0 && entry < content.Entries.Count; entry++)
        {
            ReadOnlySpan<byte> name = content.PathOf(new EntryId(entry), ref path);
            for (int filter = 0; filter < spans.Length; filter++)
            {
                if (filters[filter].Matches(name, ref text))
                {
                    Add(spans[filter], entry);
                    break;
                }
            }
        }

        EntrySpan[] all = [.. spans.SelectMany(ofFilter => ofFilter)];
        return all.Length == 0 ? null : new EntryOrder(all, content.Entries.Count);
    }

    /// <summary>All entries, in order.</summary>
    public IEnumerable<EntryId> All()
    {
        foreach (EntrySpan span in First)
        {
            for (int entry = span.First; entry < span.First + span.Count; entry++)
            {
                yield return new EntryId(entry);
            }
        }

        for (int entry = 0; entry < isFirst.Length; entry++)
        {
            if (!isFirst[entry])
            {
                yield return new EntryId(entry);
            }
        }
    }

    private static void Add(List<EntrySpan> spans, int entry)
    {
        if (spans is [.., var last] && last.First + last.Count == entry)
        {
            spans[^1] = last with { Count = last.Count + 1 };
        }
        else
        {
            spans.Add(new EntrySpan(entry, 1));
        }
    }
}
