using Restore.Catalog.Locating;

namespace Restore.Maintenance.Check;

/// <summary>
/// Compares file lists, index volumes and the names and sizes of block volumes with each other.
/// </summary>
internal sealed class BackupCheck(
    MaintenanceContext context,
    IssueLog issues,
    ProgressMeter progress,
    CancellationToken cancellationToken
)
{
    private const int MostNamed = 20;

    private readonly HashSet<VolumeId> listed = [];
    private ReferencedBlocks? references;
    private VolumeSurvey? survey;

    public ReferencedBlocks References => references!;

    public VolumeSurvey Survey => survey!;

    /// <summary>All block volumes, and those that only index volumes know.</summary>
    public IReadOnlyList<CheckedVolume> Volumes { get; private set; } = [];

    public int Versions { get; private set; }

    /// <summary>
    /// File lists that are no version: their uploads broke off, and came through under another
    /// name.
    /// </summary>
    public int Unfinished { get; private set; }

    /// <summary>
    /// Whether the blocks of each blocklist are kept: 4 bytes for each block of a file that has
    /// several.
    /// </summary>
    public bool KeepsLists { get; init; }

    /// <summary>
    /// Whether what is left of a damaged list counts. Not before something is deleted or rewritten:
    /// what such a list lacks may need any block.
    /// </summary>
    public bool SalvagesLists { get; init; }

    /// <exception cref="RestoreException">No file list can be read, or the passphrase is
    /// wrong.</exception>
    public async Task RunAsync()
    {
        issues.AddRange(context.Volumes.Issues);
        issues.AddRange(
            FrozenVolumes.Describe(context.Volumes.Indexes.Concat(context.Volumes.Blocks), context.Location)
        );
        issues.AddRange(
            context
                .Volumes.StandIns(kind => kind == VolumeKind.FileList)
                .Select(one => new RestoreIssue(
                    IssueKind.Refused,
                    one.FileName,
                    $"It {one.What}, so a version of the backup was not looked at"
                ))
        );
        await ReadListsAsync().ConfigureAwait(false);
        survey = await context
            .SurveyAsync(context.Loader, References, context.Ranges, issues, progress, cancellationToken)
            .ConfigureAwait(false);
        Volumes = VolumesOf(survey);
        issues.AddRange(References.Problems);
        issues.AddRange(
            survey.WrongLengths.Select(volume => new RestoreIssue(
                IssueKind.Damaged,
                volume.FileName,
                volume.SizeBytes == 0
                    ? "It is empty, as a placeholder of a cloud's client is, or a link to what is not mounted"
                    : "It does not have the length that its index volume gives, so blocks of it can be lost"
            )
            {
                Code = volume.SizeBytes == 0 ? IssueCode.VolumePlaceholder : IssueCode.BlocksLost,
            })
        );
        if (References.IsTooLong)
        {
            Lose("Contents have more blocks than a backup of this size, so not all of them were looked at");
        }

        if (References.MissingBlocklists > 0)
        {
            LoseBlocks(
                $"{(References.MissingBlocklists == 1 ? "1 list of blocks is" : $"{References.MissingBlocklists:N0} lists of blocks are")} "
                    + "in no volume"
            );
        }

        if (References.LostBlocks > 0)
        {
            LoseBlocks(
                References.LostBlocks == 1
                    ? "1 block that entries need is in no volume"
                    : $"{References.LostBlocks:N0} blocks that entries need are in no volume"
            );
        }

        if (References.LacksZeros)
        {
            issues.Add(AddedBlocks.ZerosMissing(context.Location));
        }
    }

    /// <summary>
    /// Reads which blocks volumes have that are about to be deleted: an index volume can leave out
    /// what its volume has, and claim that another one has it.
    /// </summary>
    /// <returns>False if all of them were read before.</returns>
    public async Task<bool> ListAsync(IEnumerable<Volume> some)
    {
        Volume[] unread = [.. some.Where(volume => listed.Add(volume.Id))];
        DirectoryReading reading = new(context.Loader, References.Layout.BlockHash, context.Ranges);
        using SearchState search = new(References, issues);
        await Parallel
            .ForEachAsync(
                unread,
                Parallelism.Of(unread, Environment.ProcessorCount, cancellationToken),
                async (volume, token) =>
                {
                    try
                    {
                        using ListedBlocks blocks = await reading.ReadAsync(volume, token).ConfigureAwait(false);
                        blocks.Order = CopyOrder.OfDirectory(volume);
                        search.Update(blocks.OfferTo);
                        Survey.TakeDirectory(volume.Id, isWhole: !blocks.IsPartial);
                    }
                    catch (Exception failure) when (VolumeLoader.IsLoss(failure))
                    {
                        Survey.TakeUnreadable(volume, failure.ToIssueCode());
                        search.Report(
                            volume.FileName,
                            $"The block volume cannot be read: {failure.Reason()}",
                            failure.ToIssueCode()
                        );
                    }
                }
            )
            .ConfigureAwait(false);
        return unread.Length > 0;
    }

    /// <summary>
    /// Why neither needs nor losses are known for sure, whatever was read; null if they are.
    /// </summary>
    public string? Uncertainty() =>
        context.Volumes.Issues.FirstOrDefault(issue => issue.Code == IssueCode.UnencryptedVolume) is { } leftOut
            ? $"{leftOut.Path} is left out, because it is not encrypted"
        : References.IsTooLong ? "contents have more blocks than a backup of this size"
        : References.IsTooMuch ? "its volumes list more blocks than volumes of their length can have"
        : null;

    private CheckedVolume[] VolumesOf(VolumeSurvey survey)
    {
        HashSet<Volume> wrongLengths = [.. survey.WrongLengths];
        HashSet<Volume> undescribed = [.. survey.Undescribed];
        IEnumerable<CheckedVolume> listed = context.Volumes.Blocks.Select(volume => new CheckedVolume(
            volume.FileName,
            volume.SizeBytes,
            volume.IsMissing ? VolumeState.Missing
                : wrongLengths.Contains(volume) ? VolumeState.WrongSize
                : undescribed.Contains(volume) ? VolumeState.WithoutIndex
                : VolumeState.Present
        ));
        IEnumerable<CheckedVolume> absent = survey.Absent.Select(name => new CheckedVolume(
            name,
            0,
            VolumeState.Missing
        ));
        return
        [
            .. listed
                .Concat(absent)
                .DistinctBy(volume => volume.Name)
                .OrderBy(volume => volume.Name, StringComparer.Ordinal),
        ];
    }

    /// <summary>
    /// Blocks without a volume are lost only if every volume says what it has: what cannot be read
    /// now may have them.
    /// </summary>
    private void LoseBlocks(string what)
    {
        string[] unread =
        [
            .. survey!.Unread(),
            .. context.Volumes.StandIns(kind => kind != VolumeKind.FileList).Select(one => one.FileName),
        ];
        if (unread.Length == 0)
        {
            Lose(what);
            return;
        }

        issues.Add(
            new RestoreIssue(
                IssueKind.Refused,
                context.Location,
                $"{what} that was read; {Count(unread.Length)} not be read, and may have them"
            )
            {
                Code = IssueCode.LossesUncertain,
                Volumes = [.. unread.Take(MostNamed)],
                VolumesLeftOut = Math.Max(0, unread.Length - MostNamed),
            }
        );

        static string Count(int volumes) => volumes == 1 ? "1 volume could" : $"{volumes:N0} volumes could";
    }

    private void Lose(string what) =>
        issues.Add(new RestoreIssue(IssueKind.Damaged, context.Location, what) { Code = IssueCode.BlocksLost });

    private async Task ReadListsAsync()
    {
        progress.Begin(RestorePhase.ReadingFileList);
        FileListReading reading = new(context.Loader, context.Volumes);
        RestoreException? first = null;
        IReadOnlyList<Volume> lists = context.Volumes.FileLists;

        // Oldest first: blocks get their numbers in this order, and a compact moves them in the
        // order of their numbers.
        for (int index = lists.Count - 1; index >= 0; index--)
        {
            Volume list = lists[index];
            BackupVersion version = new(index, list.Name.Time, list.FileName);
            try
            {
                issues.AddRange(
                    await reading
                        .ReadIntoAsync(list, version, Open, isChecked: true, cancellationToken)
                        .ConfigureAwait(false)
                        is { } issue
                        ? [issue]
                        : []
                );
                Versions++;
            }
            catch (RestoreException failure) when (FileListReading.IsUnusable(failure))
            {
                if (
                    // A list that may not be read says nothing about its bytes. For any other
                    // failure the harmless reason is looked for first, then salvage, and only what
                    // is left counts as a lost version.
                    failure.Code != RestoreErrorCode.FileListRefused
                    && await UnfinishedLists
                        .WholeOfAsync(list, context.Loader, context.Volumes, cancellationToken)
                        .ConfigureAwait(false)
                        is { } whole
                )
                {
                    Unfinished++;
                    issues.Add(
                        new RestoreIssue(
                            IssueKind.Warning,
                            list.FileName,
                            $"It is the start of {whole.FileName}: its upload broke off, and it is no version"
                        )
                        {
                            Code = IssueCode.FileListUnfinished,
                        }
                    );
                    continue;
                }

                if (await TrySalvageAsync(reading, list, version, failure).ConfigureAwait(false))
                {
                    Versions++;
                    continue;
                }

                first ??= failure;
                issues.Add(
                    failure.Code switch
                    {
                        RestoreErrorCode.FileListRefused => new RestoreIssue(
                            IssueKind.Refused,
                            list.FileName,
                            failure.What
                        )
                        {
                            Code = IssueCode.VolumeRefused,
                        },
                        RestoreErrorCode.FileListFrozen => new RestoreIssue(
                            IssueKind.Refused,
                            list.FileName,
                            failure.What
                        )
                        {
                            Code = IssueCode.VolumeFrozen,
                        },
                        _ => new RestoreIssue(IssueKind.Missing, list.FileName, failure.What),
                    }
                );
            }
        }

        _ = references ?? throw first!;
    }

    private async Task<bool> TrySalvageAsync(
        FileListReading reading,
        Volume list,
        BackupVersion version,
        RestoreException failure
    )
    {
        try
        {
            bool salvages = SalvagesLists && ListSalvage.IsWorthTrying(failure);
            issues.AddRange(
                salvages
                    ? await reading
                        .SalvageIntoAsync(list, version, failure, Open, cancellationToken)
                        .ConfigureAwait(false)
                    : []
            );
            return salvages;
        }
        catch (RestoreException unusable) when (FileListReading.IsUnusable(unusable))
        {
            return false;
        }
    }

    private ReferencedBlocks Open(OpenedList opened)
    {
        long blockBytes = BlockBudget.BytesOf(context.Volumes);
        references ??= new ReferencedBlocks(
            opened.Layout,
            BlockBudget.OfVolumes(blockBytes),
            BlockBudget.OfContents(blockBytes)
        )
        {
            MaxBlocklistBytes = context.MaxBlockBytes,
            Lists = KeepsLists ? [] : null,
        };
        return references.Layout == opened.Layout
            ? references
            : throw new InvalidDataException(
                "Its manifest gives another block size or other hash algorithms than that of an older version"
            );
    }
}
