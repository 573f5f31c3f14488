using Restore.Catalog.Locating;
using Restore.Volumes.Parity;

namespace Restore.Writing;

/// <summary>
/// What the destination has already: the blocks that its index volumes list, and its newest
/// version.
/// </summary>
internal sealed class ExistingBackup
{
    // Longer blocklists are not read, and their files are read again. A blocklist is at most one
    // block long, so only backups with blocks of more than 16 MiB can have longer ones.
    private const long MaxBlocklistBytes = 16 << 20;

    // What the newest list declares beyond what block volumes explain. Files beyond it are read
    // again.
    private const long FreeInContents = 1 << 20;

    // Block volumes without an index volume are read whole: after a run that was killed there are a
    // few.
    private const int MaxAdopted = 64;

    private readonly string location;
    private readonly VolumeSet volumes;
    private readonly VolumeLoader loader;
    private readonly List<RestoreIssue> issues = [];
    private readonly HashSet<string> reported = new(StringComparer.Ordinal);
    private ReferencedBlocks? references;
    private RestoreException? unread;
    private bool isLayoutKnown;

    private ExistingBackup(WriterSettings settings, VolumeSet volumes, VolumeLoader loader) =>
        (Settings, location, this.volumes, this.loader) = (settings, settings.Options.Destination, volumes, loader);

    /// <summary>
    /// The settings of the writer, with what the backup decides: block size and hashes.
    /// </summary>
    public WriterSettings Settings { get; private set; }

    public BlockSet Blocks { get; private set; } = new(1);

    /// <summary>The blocklists that index volumes have copies of.</summary>
    public HashSet<UInt128> CopiedLists { get; private set; } = [];

    /// <summary>
    /// Whether the newest version is marked as partial, so that an equal version is not a
    /// repetition.
    /// </summary>
    public bool IsNewestPartial { get; private set; }

    /// <summary>
    /// Block volumes that a run has left without their index volumes, with what their index volumes
    /// have to say.
    /// </summary>
    public IReadOnlyList<(Volume Volume, IndexedVolume Indexed)> Adopted { get; private set; } = [];

    public DateTimeOffset? NewestVersion => volumes.FileLists.Count > 0 ? volumes.FileLists[0].Name.Time : null;

    /// <summary>The entries of the newest version; null if no version can be read.</summary>
    public PreviousEntries? Previous { get; private set; }

    /// <summary>
    /// The same entries with everything that a list says about them, for a backup that only looks
    /// at changed paths; null for other backups.
    /// </summary>
    public KeptEntries? Kept { get; private set; }

    public IEnumerable<RestoreIssue> Issues => issues.OrderBy(issue => issue.Path, StringComparer.Ordinal);

    /// <summary>Length of all volumes that are there.</summary>
    public long StoredBytes => VolumeSet.BytesOf(volumes.All.Where(volume => !volume.IsMissing));

    public IReadOnlyList<StoredFile> Used { get; private set; } = [];

    /// <exception cref="RestoreException">The existing backup differs in encryption, passphrase,
    /// block size or hashes.</exception>
    public static async Task<ExistingBackup> ReadAsync(
        WriterSettings settings,
        IVolumeStore store,
        IEnumerable<StoredFile> files,
        BufferPool pool,
        CancellationToken cancellationToken
    )
    {
        VolumeSet volumes = VolumeSet.Of(files, settings.Prefix);
        MendedStore mended = new(store);
        using VolumeMender mender = new(mended, volumes, programPath: null, parentFolder: null, pool);
        VolumeCiphers ciphers = new(new CipherOptions(settings.Options.Passphrase), pool);
        VolumeLoader loader = new(
            mended,
            ciphers,
            settings.Codecs,
            pool,
            settings.Options.LoggerFactory.CreateLogger(RestoreTelemetry.Name)
        )
        {
            Mender = mender,
        };
        ExistingBackup existing = new(settings, volumes, loader);
        await existing.ReadAsync(cancellationToken).ConfigureAwait(false);
        existing.issues.AddRange(mender.Issues.ToList());
        return existing;
    }

    private async Task ReadAsync(CancellationToken cancellationToken)
    {
        DestinationRules.RequireSameEncryption(Settings, volumes);
        try
        {
            await ReadNewestAsync(cancellationToken).ConfigureAwait(false);
            if (!isLayoutKnown)
            {
                // Not earlier: anyone who can write to the store could plant small volumes with
                // another passphrase, and then no version could be made any more.
                await new PassphraseCheck(loader, volumes)
                    .RequireAnyAsync(fileList: null, cancellationToken)
                    .ConfigureAwait(false);
            }
        }
        catch (RestoreException failure) when (failure.Code == RestoreErrorCode.WrongPassphrase)
        {
            throw new RestoreException(
                RestoreErrorCode.DestinationPassphraseWrong,
                "The passphrase does not open the backup that is in the destination",
                location
            );
        }

        await RequireLayoutAsync(cancellationToken).ConfigureAwait(false);
        await ReadIndexesAsync(cancellationToken).ConfigureAwait(false);
    }

    /// <summary>Reads the newest list. If it is damaged, every file is read again.</summary>
    private async Task ReadNewestAsync(CancellationToken cancellationToken)
    {
        if (volumes.FileLists.Count == 0)
        {
            return;
        }

        Volume list = volumes.FileLists[0];
        PreviousEntries? entries = null;
        KeptEntries? kept = null;
        try
        {
            // With a parity file the list can still be repaired, as long as none of its entries was
            // used.
            RestoreIssue? issue = await new FileListReading(loader, volumes)
                .ReadIntoAsync(
                    list,
                    new BackupVersion(0, list.Name.Time, list.FileName),
                    Open,
                    isChecked: loader.Mender is { CanMend: true },
                    cancellationToken
                )
                .ConfigureAwait(false);
            issues.AddRange(issue is null ? [] : [issue]);
            Previous = entries;
            Kept = kept;
        }
        catch (Exception failure)
            when (failure is BrokenListException
                || (failure is RestoreException unusable && FileListReading.IsUnusable(unusable))
            )
        {
            string reason = failure.InnerException is { } cause ? cause.Reason() : ((RestoreException)failure).What;
            Report(list.FileName, $"The newest file list cannot be used, so every file is read: {reason}");
            unread = failure
                is RestoreException { Code: RestoreErrorCode.FileListFrozen or RestoreErrorCode.FileListRefused } sound
                ? sound
                : null;
        }

        IFileListSink Open(OpenedList opened)
        {
            TakeLayout(opened.Layout);
            IsNewestPartial = !opened.IsFullBackup;
            entries = new PreviousEntries(NewReferences(), list.Name.Time, list.SizeBytes);
            kept = Settings.Options.ChangedPaths is null ? null : new KeptEntries(entries, list.SizeBytes);
            return kept is null ? entries : kept;
        }
    }

    /// <summary>
    /// Block size and hashes from another volume, if the newest list does not say them. A first run
    /// can end before its first index.
    /// </summary>
    private async Task RequireLayoutAsync(CancellationToken cancellationToken)
    {
        if (!isLayoutKnown)
        {
            bool isLeftOver = volumes.FileLists.Count + volumes.Indexes.Count == 0;
            IEnumerable<Volume> candidates = isLeftOver
                ? volumes.Blocks.Where(volume => !volume.IsMissing).OrderBy(volume => volume.SizeBytes).Take(1)
                : volumes.Indexes;
            if (
                await new FileListReading(loader, volumes)
                    .FindLayoutAsync(candidates, cancellationToken)
                    .ConfigureAwait(false) is
                { } found
            )
            {
                TakeLayout(found.Layout);
            }
            else if (!isLeftOver)
            {
                // A list that is sound, and cannot be read now, says what is to be done.
                throw unread
                    ?? DestinationRules.Differs(
                        "neither its newest file list nor one of its index volumes can be read",
                        location
                    );
            }
            else
            {
                // It is a new backup: its next version must use the same block size and hashes.
                TakeLayout(Settings.Layout);
            }
        }
    }

    private async Task ReadIndexesAsync(CancellationToken cancellationToken)
    {
        ReferencedBlocks index = references ?? NewReferences();
        VolumeSurvey survey = await BlockLocator
            .ReadIndexesAsync(index, loader, volumes, cancellationToken)
            .ConfigureAwait(false);
        if (survey.OtherLayout is { } other)
        {
            throw DestinationRules.Differs(other, location);
        }

        BitSet trusted = TrustedOf(survey);

        // Only volumes that match their index volumes count. If a block is missing although an
        // index volume lists it, storing it again costs room; trusting the index would cost the
        // version.
        Previous?.Compare(block => !block.IsNone && IsIn(trusted, index, block));
        Blocks = index.ToSet(block => IsIn(trusted, index, block));
        Used =
        [
            .. volumes
                .Blocks.Where(volume => trusted[volume.Id])
                .Select(volume => new StoredFile(volume.FileName, volume.SizeBytes)),
        ];
        CopiedLists = index.Copied!;
        await AdoptAsync(survey, cancellationToken).ConfigureAwait(false);
        references = null;
        if (index.IsTooMuch)
        {
            Report(
                location,
                "Its index volumes list more blocks than volumes of their length can have, so not all of them were looked at"
            );
        }
    }

    /// <summary>
    /// Takes the blocks of volumes that no index volume names: a run was interrupted before it put
    /// their index volumes.
    /// </summary>
    private async Task AdoptAsync(VolumeSurvey survey, CancellationToken cancellationToken)
    {
        HashSet<VolumeId> described = [.. survey.Links.Select(link => link.Blocks)];
        Volume[] left =
        [
            .. volumes.Blocks.Where(volume =>
                !volume.IsMissing && volume.Name.IsWritable && !described.Contains(volume.Id)
            ),
        ];
        if (left.Length > MaxAdopted)
        {
            Report(
                location,
                $"{left.Length - MaxAdopted:N0} block volumes have no index volume and are not used; a repair makes their index volumes"
            );
        }

        VolumeBlocks reading = new(loader, Settings.Layout, Settings.Layout.BlockSizeBytes);
        List<(Volume, IndexedVolume)> adopted = [];
        foreach (Volume volume in left.Take(MaxAdopted))
        {
            try
            {
                IndexedVolume indexed = await reading
                    // Which of its blocks are blocklists is not known yet. Without copies in an
                    // index volume, the blocklists that a version needs are stored once more.
                    .ReadAsync(volume, (_, _) => false, cancellationToken)
                    .ConfigureAwait(false);
                adopted.Add((volume, indexed));
                for (int block = 0; block < indexed.Blocks.Count; block++)
                {
                    Blocks.TryAdd(indexed.Blocks.HashOf(block), indexed.Blocks.SizeOf(block), out _);
                }
            }
            catch (Exception failure) when (VolumeLoader.IsLoss(failure))
            {
                Report(
                    volume.FileName,
                    $"The block volume has no index volume and cannot be used, so its blocks may be stored again: {failure.Reason()}"
                );
            }
        }

        Adopted = adopted;
        Used = [.. Used, .. adopted.Select(one => new StoredFile(one.Item1.FileName, one.Item1.SizeBytes))];
    }

    /// <summary>
    /// The block volumes that match their index volumes, if those index volumes were read to their
    /// ends.
    /// </summary>
    private BitSet TrustedOf(VolumeSurvey survey)
    {
        BitSet trusted = new(volumes.All.Count);
        HashSet<VolumeId> broken = [.. survey.BrokenIndexes.Keys.Select(index => index.Id)];
        foreach ((_, VolumeId blocks) in survey.Links)
        {
            trusted[blocks] = !volumes.All[blocks].IsMissing;
        }

        foreach ((VolumeId index, VolumeId blocks) in survey.Links)
        {
            trusted[blocks] &= !broken.Contains(index);
        }

        foreach (Volume volume in survey.ContradictedLengths)
        {
            trusted[volume.Id] = false;
        }

        foreach ((Volume index, string reason) in survey.BrokenIndexes)
        {
            Report(index.FileName, $"The index volume cannot be used, so its blocks may be stored again: {reason}");
        }

        foreach (string name in survey.Absent.Concat(survey.ContradictedLengths.Select(volume => volume.FileName)))
        {
            Report(
                name,
                "An index volume describes it, but it is missing or has another size; its blocks are stored again"
            );
        }

        return trusted;
    }

    private static bool IsIn(BitSet trusted, BlockIndex index, BlockId block) =>
        index.VolumeOf(block) is { IsNone: false } first
        && (trusted[first] || index.Locations.CopiesOf(block).Any(copy => trusted[copy.Volume]));

    private ReferencedBlocks NewReferences()
    {
        // Both must explain a block: its volume has its name, and its index volume has its hash,
        // which does not compress.
        long blockBytes = BlockBudget.BytesOf(volumes);
        long indexBytes = VolumeSet.BytesOf(volumes.Indexes);
        return references = new ReferencedBlocks(
            Settings.Layout,
            BlockBudget.OfVolumes(Math.Min(blockBytes, indexBytes)),
            BlockBudget.OfContents(blockBytes, FreeInContents)
        )
        {
            MaxBlocklistBytes = MaxBlocklistBytes,
            Lists = [],
            Copied = [],
        };
    }

    /// <summary>The first manifest decides what was not asked for; all others must agree.</summary>
    private void TakeLayout(BlockLayout layout)
    {
        BackupWriterOptions options = Settings.Options;
        bool isAsked =
            (options.BlockSizeBytes ?? layout.BlockSizeBytes) == layout.BlockSizeBytes
            && (options.BlockHash ?? layout.BlockHash.ManifestName()) == layout.BlockHash.ManifestName()
            && (options.FileHash ?? layout.FileHash.ManifestName()) == layout.FileHash.ManifestName();
        if (!isAsked)
        {
            throw DestinationRules.Differs(layout, location);
        }

        Settings = WriterSettings.Resolve(options, layout);
        isLayoutKnown = true;
    }

    private void Report(string path, string reason)
    {
        if (reported.Add(path))
        {
            issues.Add(new RestoreIssue(IssueKind.Warning, path, reason));
        }
    }
}
