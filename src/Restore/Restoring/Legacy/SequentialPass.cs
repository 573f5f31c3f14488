using Restore.Catalog;
using Restore.Compression;
using Restore.Encryption;
using Restore.Format;
using Restore.Memory;
using Restore.Planning;
using Restore.Planning.Scanning;
using Restore.Threads;
using Restore.Volumes;

namespace Restore.Restoring.Legacy;

/// <summary>
/// One pass of the legacy flow: one volume after the other through a temporary file; each block is written to all its places as it comes; at the end
/// every file is read again to verify it.
/// </summary>
internal sealed class SequentialPass(FileContext context, VolumeLoader loader, OwnThreads threads, ProgressMeter progress)
{
    private readonly PassPlan plan = context.Plan;
    private readonly PassResult result = new(context.Plan.Content, context.Results);
    private readonly HashSet<BlockId> delivered = [];

    /// <summary>Executes the pass. The caller runs on one of the threads; the pass returns to them before it writes files.</summary>
    public async Task<PassResult> RunAsync(CancellationToken stopToken, CancellationToken cancellationToken)
    {
        using FilePatcher files = new(context);
        try
        {
            foreach (WantedVolume demand in plan.Fetch.Volumes)
            {
                stopToken.ThrowIfCancellationRequested();
                cancellationToken.ThrowIfCancellationRequested();
                await RestoreVolumeAsync(demand, files, cancellationToken).ConfigureAwait(false);
                result.VolumesFetched++;
                progress.VolumeDone();
                progress.Tell();
            }

            await threads.ReturnAsync();
            FinishAll(files, cancellationToken);
        }
        catch
        {
            await threads.ReturnAsync();
            files.AbandonAll();
            throw;
        }

        return result;
    }

    private async Task RestoreVolumeAsync(WantedVolume demand, FilePatcher files, CancellationToken cancellationToken)
    {
        delivered.Clear();
        try
        {
            PooledBuffer volume = await FetchThroughFileAsync(demand.Volume, cancellationToken).ConfigureAwait(false);
            DecryptedVolume plain = await loader.DecryptAsync(demand.Volume, volume, cancellationToken).ConfigureAwait(false);
            using PooledBuffer owned = plain.Buffer;
            await threads.ReturnAsync();
            Warn(demand, plain.Defect);
            using Archive archive = loader.OpenArchive(demand.Volume, plain);
            Warn(demand, archive.IsSalvaged ? "The directory of the archive is damaged; its entries were found one by one" : null);
            WriteBlocks(demand, archive, files);
        }
        catch (Exception failure) when (VolumeLoader.IsLoss(failure))
        {
            Warn(demand, failure.Reason(), failure.ToIssueCode());
            result.UnreadableVolumes.Add(demand.Volume.Id);
        }

        foreach (BlockId block in plan.Fetch.BlocksOf(demand))
        {
            if (!delivered.Contains(block))
            {
                result.MissingBlocks.Add(block);
            }
        }
    }

    /// <summary>Passes the volume through a temporary file, as the legacy flow always does.</summary>
    private async Task<PooledBuffer> FetchThroughFileAsync(Volume volume, CancellationToken cancellationToken)
    {
        string path = Path.Combine(Path.GetTempPath(), $"restore-{Guid.NewGuid():N}");
        using FileStream file = new(path, FileMode.CreateNew, FileAccess.ReadWrite, FileShare.None, bufferSize: 0, FileOptions.DeleteOnClose);
        if (!OperatingSystem.IsWindows())
        {
            // An open file needs no name there, and one without a name is not left over by a killed run.
            File.Delete(path);
        }

        using (PooledBuffer fetched = await loader.FetchAsync(volume, cancellationToken).ConfigureAwait(false))
        {
            await threads.ReturnAsync();
            file.Write(fetched.Span);
        }

        PooledBuffer buffer = loader.Pool.Rent((int)file.Length);
        try
        {
            file.Position = 0;
            file.ReadExactly(buffer.Span);
            return buffer;
        }
        catch
        {
            buffer.Dispose();
            throw;
        }
    }

    private void WriteBlocks(WantedVolume demand, Archive archive, FilePatcher files)
    {
        Span<byte> name = stackalloc byte[HashKinds.MaxLengthBytes];
        while (archive.MoveNext(out ArchiveEntry entry))
        {
            if (BlockName.TryDecode(archive.NameOf(entry), name, out int length)
                && plan.Fetch.Find(name[..length], entry.Length, demand) is { IsNone: false } block
                && !delivered.Contains(block))
            {
                WriteBlock(block, entry, archive, files);
            }
        }
    }

    private void WriteBlock(BlockId block, in ArchiveEntry entry, Archive archive, FilePatcher files)
    {
        using PooledBuffer bytes = loader.Pool.Rent((int)entry.Length);
        if (archive.Decode(entry, bytes.Span, checkCrc: false) != DecodeResult.Decoded
            || !plan.Fetch.Table.Hash.Matches(bytes.Span, plan.Fetch.Table.HashOf(block)))
        {
            return;
        }

        delivered.Add(block);
        foreach (Want want in plan.WantsOf(block))
        {
            files.Write(want, bytes.Span);
        }
    }

    /// <summary>The second pass over the files: items that need no volume, lengths, verification, metadata.</summary>
    private void FinishAll(FilePatcher files, CancellationToken cancellationToken)
    {
        using FileHasher hasher = new(plan.Content.Layout.FileHash, loader.Pool);
        foreach (EntryId entry in EntryId.UpTo(plan.Entries.Count))
        {
            if (!plan.Includes(entry))
            {
                continue;
            }

            cancellationToken.ThrowIfCancellationRequested();
            FileOutcome outcome = files.Finish(entry, result.MissingBlocks, hasher);
            result.Add(outcome);
            progress.EntryDone(outcome.BytesWritten, plan.WritesFile(entry));
            progress.Tell();
        }
    }

    private void Warn(WantedVolume demand, string? defect, IssueCode code = IssueCode.None)
    {
        if (defect is not null)
        {
            result.Issues.Add(new RestoreIssue(IssueKind.Warning, demand.Volume.FileName, defect) { Code = code });
        }
    }
}
