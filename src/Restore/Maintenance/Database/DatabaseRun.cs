using Restore.Catalog.Locating;

namespace Restore.Maintenance.Database;

/// <summary>Rebuilds the local database of a backup from its volumes.</summary>
internal sealed class DatabaseRun : IDisposable
{
    private readonly MaintenanceContext context;
    private readonly ProgressMeter progress;
    private readonly CancellationToken cancellationToken;
    private readonly OldDatabase? old;
    private NewDatabase database;
    private readonly VolumeHashes hashes;
    private readonly VolumeLoader loader;
    private IssueLog issues = new();
    private readonly HashSet<VolumeId> unusableLists = [];
    private DatabaseTables? tables;

    public DatabaseRun(
        MaintenanceContext context,
        string path,
        OldDatabase? old,
        ProgressMeter progress,
        CancellationToken cancellationToken
    )
    {
        (this.context, this.old, this.progress, this.cancellationToken) = (context, old, progress, cancellationToken);
        database = NewDatabase.Create(path, cancellationToken, old is not null);
        hashes = new VolumeHashes();
        loader = context.Loader.Seen(hashes.Add);
        Path = path;
    }

    public string Path { get; }

    public async Task<DatabaseReport> RunAsync(IReadOnlyList<BackupVersion> versions)
    {
        issues.AddRange(context.Volumes.Issues);

        // The rows come in the order in which they become known:
        // 1. The file lists: versions, paths, contents, and blocks without a place.
        // 2. The index volumes: in which volumes the blocks are, and the lost blocklists.
        // 3. Entries with a lost blocklist are removed, which are known only now.
        // 4. Blocks, volumes, and the settings and logs of the old database.
        // 5. Indexes and a check, and at last the name of the file.
        DatabaseTables filled = await ReadListsAsync(versions).ConfigureAwait(false);
        string? list =
            unusableLists.Count > 0
                ? context.Volumes.All[unusableLists.First()].FileName
                : context.Volumes.StandIns(kind => kind == VolumeKind.FileList).FirstOrDefault().FileName;
        if (old is not null && list is not null)
        {
            throw new RestoreException(
                RestoreErrorCode.DatabaseUnusable,
                $"{list} cannot be used, and the database may be all that knows its version, so it stays as it was",
                Path
            );
        }

        VolumeSurvey survey = await context
            .SurveyAsync(loader, filled.Blocks, context.WholeVolumes, issues, progress, cancellationToken)
            .ConfigureAwait(false);
        progress.Begin(RestorePhase.WritingDatabase);
        LostContents lost = new(database, filled, issues);
        lost.Remove();
        (long blocks, long deleted) = new BlockRowWriter(database, filled.Blocks).Write();
        int volumes = await WriteVolumesAsync(survey).ConfigureAwait(false);
        await WriteConfigurationAsync(filled.Layout).ConfigureAwait(false);

        // The indexes come after all rows: each is made by one sort, and not by a change for each
        // row.
        database.Execute(DatabaseScript.MemoryOfIndexes);
        foreach (string index in DatabaseScript.Indexes)
        {
            database.Execute(index);
        }

        database.Execute("ANALYZE");
        lost.Report();
        long length = await database.CompleteAsync(made => CheckAsync(made, filled.Layout)).ConfigureAwait(false);
        progress.Begin(RestorePhase.Done);
        return new DatabaseReport
        {
            Path = Path,
            Versions = versions.Count - unusableLists.Count,
            Entries = filled.Paths.Count,
            Blocks = blocks,
            UnusedBlocks = deleted,
            LostBlocks = filled.Blocks.LostBlocks,
            Volumes = volumes,
            Bytes = length,
            BytesFetched = progress.BytesFetched,
            Elapsed = progress.Elapsed,
            Phases = progress.Phases,
            Issues = issues.ToList(),
        };
    }

    public void Dispose() => database.Dispose();

    /// <summary>
    /// Reads the file lists. Inserted rows cannot be removed, so if a list turns out to be broken
    /// further down, the run starts over and checks each list as a whole before it uses it.
    /// </summary>
    private async Task<DatabaseTables> ReadListsAsync(IReadOnlyList<BackupVersion> versions)
    {
        progress.Begin(RestorePhase.ReadingFileList);
        try
        {
            return await ReadListsAsync(versions, isEachChecked: false).ConfigureAwait(false);
        }
        catch (BrokenListException)
        {
            database.Dispose();
            database = NewDatabase.Create(Path, cancellationToken, old is not null);
            (tables, issues) = (null, new IssueLog());
            unusableLists.Clear();
            issues.AddRange(context.Volumes.Issues);
            return await ReadListsAsync(versions, isEachChecked: true).ConfigureAwait(false);
        }
    }

    /// <summary>
    /// Reads the file lists, the oldest first, as the numbers of versions grow with time.
    /// </summary>
    private async Task<DatabaseTables> ReadListsAsync(IReadOnlyList<BackupVersion> versions, bool isEachChecked)
    {
        FileListReading reading = new(loader, context.Volumes);
        RestoreException? first = null;
        foreach (BackupVersion version in versions.Reverse())
        {
            Volume list = context.Volumes.Find(version.FileListName)!;
            try
            {
                issues.AddRange(
                    await reading
                        .ReadIntoAsync(list, version, opened => Open(list, opened), isEachChecked, cancellationToken)
                        .ConfigureAwait(false)
                        is { } issue
                        ? [issue]
                        : []
                );
            }
            catch (RestoreException failure) when (FileListReading.IsUnusable(failure))
            {
                first ??= failure;
                unusableLists.Add(list.Id);
                issues.Add(
                    new RestoreIssue(
                        IssueKind.Missing,
                        list.FileName,
                        $"{failure.What}. The version is not in the database, and Duplicati will not know the file"
                    )
                );
            }
        }

        return tables ?? throw first!;
    }

    private Task CheckAsync(string made, BlockLayout layout) =>
        new DatabaseCheck(made, layout.BlockSizeBytes, layout.HashesPerBlocklist, cancellationToken).RunAsync();

    private IFileListSink Open(Volume list, OpenedList opened)
    {
        if (tables is null)
        {
            hashes.Use(opened.Layout.FileHash);
            tables = new DatabaseTables(
                database,
                opened.Layout,
                BlockBudget.BytesOf(context.Volumes),
                context.MaxBlockBytes,
                issues
            );
        }

        return tables.Layout == opened.Layout
            ? tables.AddVersion(list, opened)
            : throw new InvalidDataException(
                "Its manifest gives another block size or other hash algorithms than that of an older version"
            );
    }

    private async Task<int> WriteVolumesAsync(VolumeSurvey survey)
    {
        Insertion insert = database.Insert(
            "Remotevolume",
            "ID",
            "OperationID",
            "Name",
            "Type",
            "Size",
            "Hash",
            "State",
            "VerificationCount",
            "DeleteGraceTime",
            "ArchiveTime",
            "LockExpirationTime"
        );
        Dictionary<string, VolumeFacts> facts = old is null
            ? []
            : await old.ReadVolumesAsync(cancellationToken).ConfigureAwait(false);
        int count = 0;
        foreach (
            Volume volume in context.Volumes.All.Where(volume =>
                !volume.IsMissing && !unusableLists.Contains(volume.Id)
            )
        )
        {
            byte[]? hash = await HashOfAsync(volume, survey).ConfigureAwait(false);
            VolumeFacts known = facts.GetValueOrDefault(volume.FileName);
            string type = volume.Name.Kind switch
            {
                VolumeKind.FileList => "Files",
                VolumeKind.Index => "Index",
                _ => "Blocks",
            };
            insert
                .Add(volume.Id + 1)
                .Add(1)
                .Add(volume.FileName)
                .Add(type)
                .Add(volume.SizeBytes)
                .Add(hash is null ? null : Convert.ToBase64String(hash))
                .Add(hash is null ? "Uploaded" : "Verified")
                .Add(known.Verifications)
                .Add(known.DeleteGraceTime)
                .Add(known.ArchiveTime)
                .Add(known.LockExpirationTime)
                .Run();
            count++;
        }

        Insertion link = database.Insert("IndexBlockLink", "IndexVolumeID", "BlockVolumeID");
        foreach ((VolumeId index, VolumeId blocks) in survey.Links)
        {
            link.Add(index + 1).Add(blocks + 1).Run();
        }

        return count;
    }

    /// <summary>
    /// The hash of a volume. Only a list that was read before the hash algorithm was known is read
    /// again.
    /// </summary>
    private async Task<byte[]?> HashOfAsync(Volume volume, VolumeSurvey survey)
    {
        if (volume.Name.Kind == VolumeKind.Block)
        {
            return survey.HashOf(volume.Id)
                ?? hashes.Find(volume.Id)
                ?? await HashInPartsAsync(volume).ConfigureAwait(false);
        }

        if (hashes.Find(volume.Id) is null)
        {
            try
            {
                using PooledBuffer _ = await loader.FetchAsync(volume, cancellationToken).ConfigureAwait(false);
            }
            catch (Exception failure) when (VolumeLoader.IsLoss(failure))
            {
                return null;
            }
        }

        return hashes.Find(volume.Id);
    }

    /// <summary>
    /// The hash of a volume that is too large for memory, so no other step has hashed it as a
    /// whole; null for other volumes.
    /// </summary>
    private async Task<byte[]?> HashInPartsAsync(Volume volume)
    {
        if (VolumeLoader.FitsWhole(volume.SizeBytes) || !context.Ranges.CanReadParts(volume, loader.Store.HasRanges))
        {
            return null;
        }

        try
        {
            return await VolumeInParts
                .VerifyAsync(loader, volume, context.Ranges, tables!.Layout.FileHash, cancellationToken)
                .ConfigureAwait(false);
        }
        catch (Exception failure) when (VolumeLoader.IsLoss(failure))
        {
            return null;
        }
    }

    private async Task WriteConfigurationAsync(BlockLayout layout)
    {
        database.Execute(
            $"""INSERT INTO "Operation" VALUES (1, 'Recreate', {context.Time.GetUtcNow().ToUnixTimeSeconds()})"""
        );
        database.Execute($"""INSERT INTO "Version" VALUES (1, {DatabaseScript.SchemaVersion})""");
        Insertion setting = database.Insert("Configuration", "Key", "Value");
        Dictionary<string, string> settings = SettingsOf(layout);
        foreach ((string key, string value) in settings)
        {
            setting.Add(key).Add(value).Run();
        }

        // Settings of the old database that no longer apply to the new one: its repair, its missing
        // versions, and interrupted uploads.
        HashSet<string> over =
        [
            .. settings.Keys,
            "repair-in-progress",
            "partially-recreated",
            "terminated-with-active-uploads",
        ];
        if (settings.ContainsKey("passphrase"))
        {
            // The new mark of the passphrase has its own salt, or none.
            over.Add("passphrase-salt");
        }

        await (old?.CopyAsync(database, over, cancellationToken) ?? Task.CompletedTask).ConfigureAwait(false);
    }

    private Dictionary<string, string> SettingsOf(BlockLayout layout)
    {
        VolumeName name = context.Volumes.FileLists[0].Name;
        Dictionary<string, string> settings = new()
        {
            ["prefix"] = context.Volumes.Prefix,
            ["blocksize"] = $"{layout.BlockSizeBytes}",
            ["blockhash"] = layout.BlockHash.ManifestName(),
            ["filehash"] = layout.FileHash.ManifestName(),
            ["compression-module"] = name.Archive switch
            {
                ArchiveKind.TarGzip => "tgz",
                ArchiveKind.TarZstd => "tzstd",
                _ => "zip",
            },
        };
        if (name.Encryption == EncryptionKind.None)
        {
            settings["passphrase"] = "no-encryption";
            return settings;
        }

        settings["encryption-module"] = name.Encryption == EncryptionKind.Gpg ? "gpg" : "aes";
        if (context.Passphrase is string passphrase)
        {
            string salt = PassphraseMark.NewSalt();
            settings["passphrase-salt"] = salt;
            settings["passphrase"] = PassphraseMark.Of(passphrase, salt);
        }

        return settings;
    }
}
