using System.IO.Compression;
using Restore.Catalog.Locating;
using Restore.Ends;
using Restore.Planning.Paths;

namespace Restore.Restoring;

/// <summary>
/// Searches for lost blocks in files of this machine: the files that contain them by the file list
/// of any version, at the target or at their original places. Each block is verified by its hash.
/// The blocks that are found become a volume in a temporary folder, for another pass.
/// </summary>
internal sealed class FileSalvage(Execution execution, RestorePlan plan, IRestoreTarget target) : IDisposable
{
    private const int MaxVolumeBytes = 256 << 20;
    private const int MaxPlacesOfBlock = 8;

    private readonly RestoreSession session = execution.Session;
    private readonly IRestoreTarget originals = FileSystemTarget.Open(
        RestoreSession.FileSystemRoot,
        opensFolders: false
    );
    private Dictionary<BlockId, List<Place>>? places;

    /// <summary>
    /// Makes a plan for lost blocks that a file has; null if no file has any, or they cannot be
    /// kept. Everything else is restored by then, so a failure is a warning.
    /// </summary>
    public async Task<PassPlan?> NextAsync(RunResult run, CancellationToken cancellationToken)
    {
        try
        {
            return await MakeNextAsync(run, cancellationToken).ConfigureAwait(false);
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException or RestoreException)
        {
            const string Reason = "Lost blocks could not be taken from files of this machine";
            run.Issues.Add(new RestoreIssue(IssueKind.Warning, plan.Target ?? "/", $"{Reason}: {failure.Reason()}"));
            return null;
        }
    }

    private async Task<PassPlan?> MakeNextAsync(RunResult run, CancellationToken cancellationToken)
    {
        PassPlan last = run.LastPlan;
        HashSet<BlockId> lost =
        [
            .. run
                .Losses.Entries.SelectMany(entry =>
                    last.ItemsWithoutBytes(entry.Entry, run.Losses.LostTo(entry))
                        .Select(item => last.BlockOf(entry.Entry, item))
                )
                .Where(block => !block.IsNone),
        ];
        if (lost.Count > 0)
        {
            places ??= await FindPlacesAsync(last.Content, lost, cancellationToken).ConfigureAwait(false);
        }

        if (lost.Count == 0 || !places!.Keys.Any(lost.Contains))
        {
            return null;
        }

        List<BlockId> found = [];
        VolumeName name = MadeName();
        long length = session.Loader.Mender!.AddVolume(
            name.Name,
            stream => WriteFound(last.Content, lost, found, stream, cancellationToken)
        );
        if (found.Count == 0)
        {
            return null;
        }

        const string Reason = "Blocks that are lost in the store were found in files of this machine";
        run.Issues.Add(
            new RestoreIssue(IssueKind.Warning, plan.Target ?? "/", $"{Reason} ({found.Count:N0} of {lost.Count:N0})")
        );
        Volume made = new(new VolumeId(last.Volumes.Count), name, length) { IsMended = true };
        PassLosses losses = new(
            new HashSet<BlockId>(run.Losses.Missing.Concat(found)),
            run.Losses.Entries,
            run.Losses.UnreadableVolumes,
            run.Losses.DoubtfulVolumes
        );
        IEnumerable<Replica> failed = found
            .Select(block => new Replica(block, last.Locations.VolumeOf(block)))
            .Where(replica => !replica.Volume.IsNone);
        Locations locations = last
            .Locations.Without([.. failed])
            .With([.. found.Select(block => new Replica(block, made.Id))], []);
        return last.Next(losses, locations, [.. last.Volumes, made]);
    }

    public void Dispose() => originals.Dispose();

    private VolumeName MadeName() =>
        VolumeName.TryParse(
            VolumeName.FormatBlock(session.Volumes.Prefix, Guid.NewGuid(), ArchiveKind.Zip, EncryptionKind.None),
            out VolumeName name
        )
            ? name
            : throw new InvalidOperationException("A name of the library's own cannot be parsed");

    /// <summary>
    /// Writes the blocks that files have as a volume, up to its largest size; forgets the places
    /// that were looked at.
    /// </summary>
    private void WriteFound(
        VersionContent content,
        HashSet<BlockId> lost,
        List<BlockId> found,
        Stream stream,
        CancellationToken cancellationToken
    )
    {
        using ZipArchive zip = new(stream, ZipArchiveMode.Create, leaveOpen: true);
        using PooledBuffer buffer = session.Pool.Rent(
            lost.Select(block => content.Blocks.SizeOf(block)).DefaultIfEmpty().Max()
        );
        long written = 0;
        foreach (BlockId block in lost.Where(places!.ContainsKey))
        {
            cancellationToken.ThrowIfCancellationRequested();
            Span<byte> bytes = buffer.Span[..content.Blocks.SizeOf(block)];
            places.Remove(block, out List<Place>? candidates);
            foreach (Place place in candidates!)
            {
                if (IsAt(place, bytes) && content.Blocks.Hash.Matches(bytes, content.Blocks.HashOf(block)))
                {
                    using Stream entry = zip.CreateEntry(
                            BlockName.Format(content.Blocks.HashOf(block)),
                            CompressionLevel.NoCompression
                        )
                        .Open();
                    entry.Write(bytes);
                    found.Add(block);
                    written += bytes.Length;
                    break;
                }
            }

            if (written >= MaxVolumeBytes)
            {
                return;
            }
        }
    }

    private static bool IsAt(Place place, Span<byte> bytes)
    {
        try
        {
            using ITargetFile file = place.Root.OpenFile(place.Path, TargetOpenMode.Read);
            return file.Read(place.Offset, bytes) == bytes.Length;
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            return false;
        }
    }

    /// <summary>
    /// Finds the files of this machine that have the blocks by the list of any version.
    /// </summary>
    private async Task<Dictionary<BlockId, List<Place>>> FindPlacesAsync(
        VersionContent version,
        HashSet<BlockId> lost,
        CancellationToken cancellationToken
    )
    {
        // 1. Merge the entries of all versions.
        // 2. Keep the files that are on this machine, at the target or at their original places.
        // 3. Locate their blocks: only this gives the order of the blocks of a file.
        // 4. Note the offset of each lost block in these files. The files may have changed since,
        //    so each block is verified when it is read.
        Dictionary<BlockId, List<Place>> found = [];
        VersionContent all;
        try
        {
            all = await MergedVersions
                .ReadAsync(
                    session.Catalog,
                    session.Catalog.Versions,
                    EntryFilter.All,
                    observer: null,
                    leftOut: _ => { },
                    cancellationToken
                )
                .ConfigureAwait(false);
        }
        catch (RestoreException failure) when (failure.Kind == RestoreErrorKind.Failed)
        {
            return found;
        }

        if (all.Layout != version.Layout)
        {
            return found;
        }

        BlockNeeds needs = new(all);
        List<(EntryId Entry, IRestoreTarget Root, string Path)> files =
        [
            .. EntryId.UpTo(all.Entries.Count).AsEnumerable().SelectMany(FilesOf),
        ];
        files.ForEach(file => needs.Want(all.Entries[file.Entry].Content));
        await execution
            .LocatorOf()
            .LocateAsync(needs, new IssueLog(), progress: (_, _) => { }, cancellationToken)
            .ConfigureAwait(false);
        Dictionary<BlockId, BlockId> wanted = [];
        foreach (BlockId block in lost)
        {
            if (all.Blocks.Find(version.Blocks.HashOf(block), version.Blocks.SizeOf(block)) is { IsNone: false } same)
            {
                wanted[same] = block;
            }
        }

        foreach ((EntryId entry, IRestoreTarget root, string path) in files)
        {
            ContentId content = all.Entries[entry].Content;
            for (int index = 0; index < all.BlockCountOf(content); index++)
            {
                if (!wanted.TryGetValue(all.BlockOf(content, index), out BlockId block))
                {
                    continue;
                }

                List<Place> known = found.TryGetValue(block, out List<Place>? list) ? list : found[block] = [];
                if (known.Count < MaxPlacesOfBlock)
                {
                    known.Add(new Place(root, path, all.Layout.OffsetOf(index)));
                }
            }
        }

        return found;

        IEnumerable<(EntryId Entry, IRestoreTarget Root, string Path)> FilesOf(EntryId entry)
        {
            EntryRow row = all.Entries[entry];
            if (row.Kind != EntryKind.File || row.Content.IsNone)
            {
                yield break;
            }

            string path = all.PathText(entry);
            foreach ((IRestoreTarget root, PathMap map) in Roots())
            {
                if (
                    path.Length > map.Settings.PrefixLength
                    && map.Map(path, row.Kind, out _) is string place
                    && root.TryInspect(place).Kind == TargetKind.File
                )
                {
                    yield return (entry, root, place);
                }
            }
        }
    }

    private IEnumerable<(IRestoreTarget Root, PathMap Map)> Roots()
    {
        PathMap map = plan.Pass.Entries.Paths;
        yield return (target, map);
        if (plan.Target is not null)
        {
            TargetRules rules = TargetRules.ForThisSystem;
            yield return (
                originals,
                new PathMap(
                    rules.IsWindows ? PathStyle.Windows : PathStyle.Unix,
                    rules,
                    prefixLength: 0,
                    toOriginalPlaces: true
                )
            );
        }
    }

    private sealed record Place(IRestoreTarget Root, string Path, long Offset);
}
