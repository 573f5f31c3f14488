using Restore.Catalog;
using Restore.Memory;
using Restore.Reading;
using Restore.Streams;

namespace Restore.Restoring;

/// <summary>
/// The file hashes that a drill could not compute while the blocks passed, because they did not come in order: a drill has no file to read back, so it reads
/// the blocks again, in the order of the file.
/// </summary>
internal static class OpenHashes
{
    private const long LeastCacheBytes = 16 << 20;
    private const long MostCacheBytes = 256 << 20;
    private const int ReadBytes = 256 << 10;

    /// <summary>Verifies the files of the passes whose hash is open, and adds their outcomes.</summary>
    /// <param name="run">The passes.</param>
    /// <param name="stream">Reads blocks.</param>
    /// <param name="memoryBytes">The memory that the restore may use for blocks.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    public static async Task VerifyAsync(RunResult run, BlockStream stream, long memoryBytes, CancellationToken cancellationToken)
    {
        VersionContent content = run.LastPlan.Content;
        long cacheBytes = Math.Clamp(memoryBytes, LeastCacheBytes, MostCacheBytes);
        BlockCache cache = new(stream.Pool, cacheBytes);
        BlockSource source = new(content, run.LastPlan.Locations, run.LastPlan.Volumes, stream, (known, _, _) => Task.FromResult(known), cache);
        await using (source.ConfigureAwait(false))
        {
            foreach (PassResult pass in run.Passes)
            {
                foreach (FileOutcome open in pass.TakeOpenHashes())
                {
                    pass.Add(await VerifyAsync(source, open, stream.Pool, cancellationToken).ConfigureAwait(false));
                }
            }
        }
    }

    private static async Task<FileOutcome> VerifyAsync(BlockSource source, FileOutcome open, BufferPool pool, CancellationToken cancellationToken)
    {
        FileOutcome verified = open with { IsHashOpen = false };
        ContentBlocks blocks = new(source.Version, source.Version.Entries[open.Entry].Content);
        ContentStream content = new(source, blocks, source.Version.PathText(open.Entry), ownsSource: false);
        await using (content.ConfigureAwait(false))
        {
            using PooledBuffer buffer = pool.Rent(ReadBytes);
            try
            {
                while (await content.ReadAsync(buffer.Memory, cancellationToken).ConfigureAwait(false) > 0)
                {
                    // The stream compares the hash when it has read the last byte.
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
}
