using Restore.Reading;
using Restore.Streams;

namespace Restore.Restoring;

/// <summary>
/// The file hashes that a drill could not compute while the blocks passed, because they did not
/// come in order: a drill has no file to read back, so it reads the blocks again, in the order of
/// the file. A volume may have to be read whole, so one fetch brings as much as fits into the
/// memory: of many small files, or of a large one.
/// </summary>
internal static class OpenHashes
{
    private const long LeastCacheBytes = 16 << 20;
    private const long MostCacheBytes = 128 << 20;
    private const int ReadBytes = 256 << 10;

    public static async Task VerifyAsync(
        RunResult run,
        BlockStream stream,
        long memoryBytes,
        CancellationToken cancellationToken
    )
    {
        PassPlan plan = run.LastPlan;
        BlockCache cache = new(stream.Pool, Math.Clamp(memoryBytes, LeastCacheBytes, MostCacheBytes));

        // The passes have searched for all blocks already, so this reader does not search.
        BlockReader reader = new(plan.Content.Blocks, plan.Locations, plan.Volumes, stream);
        BlockSource source = new(plan.Content, reader, cache) { WindowBytes = cache.MaxBytes };
        await using (source.ConfigureAwait(false))
        {
            foreach (PassResult pass in run.Passes)
            {
                IEnumerable<FileOutcome> files = pass.TakeOpenHashes()
                    .OrderBy(open => FirstVolumeOf(BlocksOf(source, open), plan.Locations).Value);
                foreach (List<FileOutcome> group in source.InGroups(files, open => plan.Content.SizeOf(open.Entry)))
                {
                    await source
                        .FetchAsync(group.SelectMany(open => FirstWindowOf(source, open)), cancellationToken)
                        .ConfigureAwait(false);
                    foreach (FileOutcome open in group)
                    {
                        pass.Add(await VerifyAsync(source, open, stream.Pool, cancellationToken).ConfigureAwait(false));
                    }
                }
            }
        }
    }

    private static async Task<FileOutcome> VerifyAsync(
        BlockSource source,
        FileOutcome open,
        BufferPool pool,
        CancellationToken cancellationToken
    )
    {
        FileOutcome verified = open with { IsHashOpen = false };
        ContentBlocks blocks = BlocksOf(source, open);
        ContentStream content = new(source, blocks, source.Version.PathText(open.Entry), ownsSource: false);
        await using (content.ConfigureAwait(false))
        {
            using PooledBuffer buffer = pool.Rent(ReadBytes);
            try
            {
                for (int from = 0, to; from < blocks.Count; from = to)
                {
                    to = blocks.EndAfter(from, source.WindowBytes);
                    await source.FetchAsync(blocks.Range(from, to), cancellationToken).ConfigureAwait(false);
                    long end = blocks.EndOf(to - 1);
                    while (
                        content.Position < end
                        && await content.ReadAsync(buffer.Memory, cancellationToken).ConfigureAwait(false) > 0
                    )
                    {
                        // The stream compares the hash when it has read the last byte.
                    }
                }

                return verified;
            }
            catch (IOException) when (content.IsContradicted)
            {
                return verified with { Kind = OutcomeKind.Unverified };
            }
            catch (IOException failure)
            {
                return verified with { Kind = OutcomeKind.Failed, Reason = IssueReason.Of(failure) };
            }
        }
    }

    private static ContentBlocks BlocksOf(BlockSource source, FileOutcome open) =>
        new(source.Version, source.Version.Entries[open.Entry].Content);

    private static IEnumerable<BlockId> FirstWindowOf(BlockSource source, FileOutcome open)
    {
        ContentBlocks blocks = BlocksOf(source, open);
        return blocks.Range(0, blocks.EndAfter(0, source.WindowBytes));
    }

    /// <summary>The volume where a file begins; blocks of zeros are in no volume.</summary>
    private static VolumeId FirstVolumeOf(ContentBlocks blocks, Locations locations) =>
        blocks
            .Range(0, blocks.Count)
            .Select(block => block.IsNone ? VolumeId.None : locations.VolumeOf(block))
            .FirstOrDefault(volume => !volume.IsNone, VolumeId.None);
}
