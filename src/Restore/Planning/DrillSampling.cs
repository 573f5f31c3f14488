namespace Restore.Planning;

/// <summary>
/// Chooses entries at random for a drill, up to a share of all bytes. The same seed chooses the
/// same entries of the same versions.
/// </summary>
internal static class DrillSampling
{
    /// <summary>Chooses entries; null for all of them.</summary>
    public static BitSet? Choose(VersionContent content, DrillSample? sample)
    {
        if (sample is null || sample.Share >= 1)
        {
            return null;
        }

        int[] order = new int[content.Entries.Count];
        double left = 0;
        for (int i = 0; i < order.Length; i++)
        {
            order[i] = i;
            left += BytesOf(content, new EntryId(i)) * sample.Share;
        }

        // The order is drawn, and not each entry by itself, so that the chosen bytes reach the
        // share and exceed it by one entry at most.
        new Random(sample.Seed).Shuffle(order);
        BitSet chosen = new(order.Length);

        // At least one entry, however small the share is.
        for (int i = 0; i < order.Length && (left > 0 || i == 0); i++)
        {
            chosen[order[i]] = true;
            left -= BytesOf(content, new EntryId(order[i]));
        }

        return chosen;
    }

    public static DrillCoverage Coverage(
        VersionContent content,
        IReadOnlyList<BackupVersion> versions,
        DrillSample? sample,
        BitSet? chosen
    )
    {
        HashSet<int> covered = [];
        (double bytes, double bytesCovered, long files, long filesCovered) = (0, 0, 0, 0);
        foreach (EntryId entry in EntryId.UpTo(content.Entries.Count))
        {
            (bool isChosen, int file, long size) = (
                chosen is null || chosen[entry],
                content.IsFile(entry) ? 1 : 0,
                BytesOf(content, entry)
            );
            bytes += size;
            files += file;
            bytesCovered += isChosen ? size : 0;
            filesCovered += isChosen ? file : 0;
            VersionRange range = content.VersionsOf(entry) ?? VersionRange.Of(content.Version);
            for (int index = range.Newest; isChosen && index <= range.Oldest; index++)
            {
                covered.Add(index);
            }
        }

        return new DrillCoverage
        {
            Versions = versions,
            VersionsCovered = covered.Count,
            Files = files,
            FilesCovered = filesCovered,
            BytesShare = bytes > 0 ? bytesCovered / bytes : 1,
            Sample = sample,
        };
    }

    /// <summary>Sizes are claims: a sum that is too large stays at the largest number.</summary>
    private static long BytesOf(VersionContent content, EntryId entry) =>
        long.CreateSaturating((Int128)content.SizeOf(entry) + content.SizeOf(content.Entries[entry].Metadata));
}
