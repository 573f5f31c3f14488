using Restore.Assessment;
using Restore.Streams;

namespace Restore;

/// <content>Looks into samples of changed files.</content>
public partial class Backup
{
    // The first block that changed, one in the middle and the last: encryption of parts hits them.
    private const int BlocksOfFile = 3;

    // More of a block says no more.
    private const int BytesOfBlock = 1 << 20;

    private const long InspectionCacheBytes = 64L << 20;

    private async Task<AssessedHistory> AssessInsideAsync(
        ListsInOrder lists,
        AssessOptions options,
        string? watched,
        CancellationToken cancellationToken
    )
    {
        (List<InsideSample> samples, long bytes) = await ChooseSamplesAsync(lists, options, cancellationToken)
            .ConfigureAwait(false);
        options.BeforeLookingInside?.Invoke(bytes);
        Dictionary<int, Alarm> found = options.EstimatesInsideOnly
            ? []
            : await LookInsideAsync(lists, samples, cancellationToken).ConfigureAwait(false);
        int files = samples.Sum(sample => sample.Compared);
        string? examined = options.EstimatesInsideOnly
            ? null
            : $"The file lists were examined: names, sizes, times and hashes; and parts of {files:N0} changed files of "
                + $"{samples.Count:N0} versions were read. This is no virus scanner";
        AssessedHistory history = HistoryAssessor.Assess(lists, found, watched, examined);
        return history with { Assessment = history.Assessment with { InsideBytes = bytes, FilesLookedInto = files } };
    }

    /// <summary>Chooses samples, newest versions first, as far as the limit of bytes goes.</summary>
    private async Task<(List<InsideSample> Samples, long Bytes)> ChooseSamplesAsync(
        ListsInOrder lists,
        AssessOptions options,
        CancellationToken cancellationToken
    )
    {
        List<InsideSample> samples = [];
        long indexBytes = VolumeSet.BytesOf(Session.Volumes.Indexes);
        long sampleBytes = 0;
        int blockBytes = 0;
        foreach (Transition transition in lists.Transitions.AsEnumerable().Reverse().Where(one => one.Version > 0))
        {
            InsideSample sample = InsideSample.Of(lists, transition);
            if (sample.Files.Count == 0)
            {
                continue;
            }

            if (blockBytes == 0)
            {
                VersionContent content = await Session
                    .Catalog.ReadAsync(
                        lists.Versions[transition.Version],
                        EntryFilter.Exactly(sample.Files[0].Path),
                        observer: null,
                        cancellationToken
                    )
                    .ConfigureAwait(false);
                blockBytes = content.Layout.BlockSizeBytes;
            }

            // Both versions of each file.
            long most = sample.Files.Sum(file => 2 * Math.Min(file.SizeBytes, BlocksOfFile * (long)blockBytes));
            if (sampleBytes + most > options.InsideLimitBytes)
            {
                break;
            }

            sampleBytes += most;
            samples.Add(sample);
        }

        return (samples, long.CreateSaturating((Int128)indexBytes + sampleBytes));
    }

    private async Task<Dictionary<int, Alarm>> LookInsideAsync(
        ListsInOrder lists,
        List<InsideSample> samples,
        CancellationToken cancellationToken
    )
    {
        Dictionary<int, Alarm> found = [];
        foreach (InsideSample sample in samples)
        {
            try
            {
                await CompareAsync(lists, sample, cancellationToken).ConfigureAwait(false);
            }
            catch (RestoreException failure) when (FileListReading.IsUnusable(failure))
            {
                // The assessment of the lists has named the list, and goes on without it.
                continue;
            }

            if (sample.ToAlarm() is Alarm alarm)
            {
                found.Add(sample.Transition.Version, alarm);
            }
        }

        return found;
    }

    private async Task CompareAsync(ListsInOrder lists, InsideSample sample, CancellationToken cancellationToken)
    {
        int version = sample.Transition.Version;
        EntryFilter filter = EntryFilter.Exactly(sample.Files.Select(file => file.Path));
        BlockSource now = await OpenSampleAsync(version).ConfigureAwait(false);
        await using (now.ConfigureAwait(false))
        {
            BlockSource before = await OpenSampleAsync(version - 1).ConfigureAwait(false);
            await using (before.ConfigureAwait(false))
            {
                Dictionary<string, ContentId> older = ContentsOf(before);
                foreach ((string path, ContentId content) in ContentsOf(now))
                {
                    if (older.TryGetValue(path, out ContentId old))
                    {
                        InsideSign? sign = await CompareAsync(
                                path,
                                (before, new ContentBlocks(before.Version, old)),
                                (now, new ContentBlocks(now.Version, content)),
                                cancellationToken
                            )
                            .ConfigureAwait(false);
                        if (sign is InsideSign known)
                        {
                            sample.Count(known);
                        }
                    }
                }
            }
        }

        Task<BlockSource> OpenSampleAsync(int number) =>
            OpenSourceAsync(
                lists.Versions[number],
                filter,
                withMetadata: false,
                new IssueLog(),
                CacheBytes(InspectionCacheBytes),
                cancellationToken
            );
    }

    private static Dictionary<string, ContentId> ContentsOf(BlockSource source)
    {
        Dictionary<string, ContentId> contents = new(StringComparer.Ordinal);
        foreach (EntryId entry in EntryId.UpTo(source.Version.Entries.Count))
        {
            if (source.Version.IsFile(entry) && !source.Refused.ContainsKey(entry))
            {
                contents.TryAdd(source.Version.PathText(entry), source.Version.Entries[entry].Content);
            }
        }

        return contents;
    }

    /// <returns>Null if nothing of the file could be read.</returns>
    private static async Task<InsideSign?> CompareAsync(
        string path,
        (BlockSource Source, ContentBlocks Blocks) before,
        (BlockSource Source, ContentBlocks Blocks) now,
        CancellationToken cancellationToken
    )
    {
        byte[] utf8 = Encoding.UTF8.GetBytes(path);
        byte[] extension = FileTable.ExtensionOf(utf8.AsSpan(VersionContent.FolderLength(utf8))).ToArray();
        bool isRead = false;
        foreach (int index in ChangedBlocks(before, now))
        {
            byte[]? old = await ReadAsync(before, index, cancellationToken).ConfigureAwait(false);
            byte[]? read = await ReadAsync(now, index, cancellationToken).ConfigureAwait(false);
            if (old is not null && read is not null)
            {
                isRead = true;
                InsideSign sign = InsideComparison.Of(extension, now.Blocks.OffsetOf(index), old, read);
                if (sign != InsideSign.None)
                {
                    return sign;
                }
            }
        }

        return isRead ? InsideSign.None : null;
    }

    private static async Task<byte[]?> ReadAsync(
        (BlockSource Source, ContentBlocks Blocks) file,
        int index,
        CancellationToken cancellationToken
    )
    {
        long length = file.Blocks.EndOf(index) - file.Blocks.OffsetOf(index);
        byte[] bytes = new byte[Math.Min(length, BytesOfBlock)];
        return await file.Source.TryReadAsync(file.Blocks[index], 0, bytes, cancellationToken).ConfigureAwait(false)
            ? bytes
            : null;
    }

    /// <summary>The first, a middle and the last of the blocks that both have and that differ.</summary>
    private static List<int> ChangedBlocks(
        (BlockSource Source, ContentBlocks Blocks) before,
        (BlockSource Source, ContentBlocks Blocks) now
    )
    {
        List<int> changed = [];
        for (int index = 0; index < Math.Min(before.Blocks.Count, now.Blocks.Count); index++)
        {
            (BlockId old, BlockId block) = (before.Blocks[index], now.Blocks[index]);
            if (
                !old.IsNone
                && !block.IsNone
                && !before.Source.Version.Blocks.HashOf(old).SequenceEqual(now.Source.Version.Blocks.HashOf(block))
            )
            {
                changed.Add(index);
            }
        }

        return changed.Count <= BlocksOfFile ? changed : [changed[0], changed[changed.Count / 2], changed[^1]];
    }
}
