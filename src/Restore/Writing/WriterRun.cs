using Restore.Format;
using Restore.Memory;
using Restore.Writing.Messages;
using Restore.Writing.Processes;

namespace Restore.Writing;

/// <summary>Writes one version: reads what the destination has, runs the network, writes the file list last.</summary>
internal sealed class WriterRun(WriterSettings settings, BufferPool pool)
{
    public async Task<BackupWriterReport> RunAsync(CancellationToken cancellationToken)
    {
        long start = settings.Options.TimeProvider.GetTimestamp();
        RequireSources();
        DestinationFolder destination = new(Path.GetFullPath(settings.Options.Destination));
        ExistingBackup existing = await ExistingBackup.ReadAsync(settings, destination, pool, cancellationToken).ConfigureAwait(false);
        DateTimeOffset time = ChooseTime(existing.NewestVersion);

        BlockDeduplicator deduplicator = new(existing.Blocks);
        VolumeWriter writer = new(destination);
        EntryCollector collector = new();
        WriterNetwork network = new(settings, pool, time);
        IReadOnlyList<ProcessProfile> profile = await network.RunAsync(deduplicator, writer, collector, cancellationToken).ConfigureAwait(false);

        string fileListName = VolumeName.FormatFileList(settings.Options.Prefix, time, ArchiveKind.Zip, settings.Encryption);
        using (PooledBuffer fileList = MakeFileList(collector.Entries, time))
        {
            await destination.WriteAsync(new NamedVolume(fileListName, fileList)).ConfigureAwait(false);
        }

        return new BackupWriterReport
        {
            Time = time,
            FileListName = fileListName,
            Files = collector.Files,
            Folders = collector.Folders,
            Symlinks = collector.Symlinks,
            Bytes = collector.Bytes,
            Blocks = deduplicator.Blocks,
            NewBlocks = deduplicator.NewBlocks,
            NewBlockBytes = deduplicator.NewBytes,
            BlockVolumes = writer.Volumes,
            BytesWritten = destination.BytesWritten,
            Elapsed = settings.Options.TimeProvider.GetElapsedTime(start),
            Issues = [.. existing.Issues, .. collector.Issues.OrderBy(issue => issue.Path, StringComparer.Ordinal)],
            Profile = profile,
        };
    }

    private void RequireSources()
    {
        foreach (string source in settings.Options.Sources)
        {
            if (!Path.Exists(source))
            {
                throw new RestoreException(RestoreErrorCode.SourceNotFound, "There is nothing to back up", source);
            }
        }
    }

    private DateTimeOffset ChooseTime(DateTimeOffset? newest)
    {
        DateTimeOffset time = WholeSeconds(settings.Options.Time ?? settings.Options.TimeProvider.GetUtcNow());
        if (newest is not { } before || time > before)
        {
            return time;
        }

        return settings.Options.Time is null
            ? before.AddSeconds(1)
            : throw new RestoreException(
                RestoreErrorCode.VersionTimeTooOld,
                $"The version cannot have the time {time:yyyy-MM-dd HH:mm:ss}Z, for the newest there is is of {before:yyyy-MM-dd HH:mm:ss}Z",
                settings.Options.Destination);
    }

    private static DateTimeOffset WholeSeconds(DateTimeOffset time) => DateTimeOffset.FromUnixTimeSeconds(time.ToUnixTimeSeconds());

    private PooledBuffer MakeFileList(EntryTable entries, DateTimeOffset time)
    {
        // An entry's JSON has less than 1,000 bytes besides its path and blocklists; escaping a path makes it at most six times as long.
        bool isLarge = (entries.Count * 1000L) + (entries.PathBytes * 6) >= uint.MaxValue;
        using VolumeArchive archive = new(settings, pool, time, 1 << 20);
        archive.AddDeflated("fileset", new FilesetInfo(IsFullBackup: true).Write());
        using (Stream json = archive.OpenJson("filelist.json", isLarge))
        {
            FileListWriter writer = new(json, settings.Layout);
            entries.WriteTo(writer);
            writer.Finish();
        }

        return new VolumeSealer(settings, pool, time).Seal(archive.Finish());
    }
}
