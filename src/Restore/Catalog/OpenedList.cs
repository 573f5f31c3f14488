namespace Restore.Catalog;

/// <summary>A file list in a volume that is in memory, read some entries at a time.</summary>
internal sealed class OpenedList : IDisposable
{
    // A list has about 300 bytes for an entry: the limit is 200 million entries.
    private const long MaxListBytes = 64L << 30;

    // Compressed, an entry of a real list needs 15 to 40 bytes, because hashes do not compress.
    // Lists without metadata, of files with one content, need fewer.
    private const long AnyListEntries = 2 << 20;
    private const long VolumeBytesPerEntry = 4;
    private const long MaxFilesetBytes = 1 << 10;

    // Below that, threads cost more than they save.
    private const long ReadAheadFromBytes = 4 << 20;

    public static ReadOnlySpan<byte> FilesetName => "fileset"u8;

    public static ReadOnlySpan<byte> ListName => "filelist.json"u8;

    private readonly LoadedVolume volume;
    private readonly Archive archive;
    private readonly Stream json;
    private readonly FileListReader reader;
    private string? defect;

    private OpenedList(
        LoadedVolume volume,
        Archive archive,
        Stream json,
        bool isFullBackup,
        BlockLayout layout,
        RestoreIssue? issue
    )
    {
        IsFullBackup = isFullBackup;
        this.volume = volume;
        this.archive = archive;
        this.json = json;
        reader = new FileListReader(json, layout)
        {
            IsCutKnown = json is SalvagedStream,
            MaxEntries = AnyListEntries + (volume.Plain.Buffer.Length / VolumeBytesPerEntry),
        };
        Layout = layout;
        Issue = issue;
    }

    public BlockLayout Layout { get; }

    /// <summary>False if the backup was stopped early.</summary>
    public bool IsFullBackup { get; }

    public DecryptedVolume Plain => volume.Plain;

    /// <summary>
    /// The defect of a volume that can still be used; null if no defect is known.
    /// </summary>
    public RestoreIssue? Issue { get; }

    /// <summary>
    /// Whether the list is damaged, so that it ends where its entries cannot be read any more.
    /// </summary>
    public bool IsSalvaged => json is SalvagedStream;

    /// <summary>Entries that were read so far, usable or not.</summary>
    public long EntriesRead => reader.EntriesRead;

    /// <summary>
    /// Why entries of a salvaged list may be lost or wrong, once it was read to its end; null if
    /// all entries are there.
    /// </summary>
    public string? Defect => defect;

    /// <summary>Whether something follows the end of a salvaged list.</summary>
    public bool HasExcess => reader.HasExcess;

    /// <summary>Opens the list of a volume; takes over volume and archive.</summary>
    /// <param name="salvages">Whether the list is damaged: it ends where its entries cannot be read
    /// any more, and has a <see cref="Defect"/> then.</param>
    /// <exception cref="InvalidDataException">The volume has no list.</exception>
    public static OpenedList Open(
        LoadedVolume volume,
        Archive archive,
        BlockLayout layout,
        RestoreIssue? issue,
        bool salvages = false
    )
    {
        try
        {
            (Stream json, bool isFullBackup) = OpenJson(archive, layout, salvages);
            return new OpenedList(volume, archive, json, isFullBackup, layout, issue);
        }
        catch
        {
            archive.Dispose();
            throw;
        }
    }

    /// <summary>Reads the list of an archive to the end, and uses nothing of it.</summary>
    /// <exception cref="InvalidDataException">The list is broken.</exception>
    public static void Check(Archive archive, BlockLayout layout, CancellationToken cancellationToken)
    {
        using (Stream json = OpenJson(archive, layout, salvages: false).Json)
        {
            FileListReader.Read(json, new UnusedEntries(), layout, cancellationToken);
        }

        EndWalk(archive);
    }

    /// <returns>False at the end, when the list and its volume have been checked to their
    /// ends.</returns>
    public bool ReadSome(IFileListSink sink, long count, CancellationToken cancellationToken)
    {
        // A list that is used is as long as the tables that are made of it, and nothing of it is
        // read twice.
        volume.Plain.Buffer.ReadOnce();
        if (json is SalvagedStream salvaged)
        {
            return ReadSome(salvaged, sink, count, cancellationToken);
        }

        if (reader.ReadSome(sink, count, cancellationToken))
        {
            return true;
        }

        // Entries of a tar have no checksum of their own: the surrounding stream has one at its
        // end.
        json.Dispose();
        EndWalk(archive);
        return false;
    }

    /// <exception cref="InvalidDataException">Nothing shows which part of the list is right: either
    /// only its checksum is wrong, or its JSON is broken although its data is not
    /// damaged.</exception>
    private bool ReadSome(SalvagedStream salvaged, IFileListSink sink, long count, CancellationToken cancellationToken)
    {
        try
        {
            if (reader.ReadSome(sink, count, cancellationToken))
            {
                return true;
            }

            salvaged.ReadToEnd();
            defect = salvaged.Defect;
            EndWalk(archive);
        }
        catch (InvalidDataException failure)
        {
            salvaged.ReadToEnd();

            // JSON that is broken although its data has the right checksum was written that way,
            // and nothing shows which part of it is right. After damage to the data or the archive,
            // at a cut, or in a tar archive (without a checksum for each entry), the entries before
            // the break count.
            bool isCut = failure.ToIssueCode() == IssueCode.FileListIncomplete;
            if (salvaged.Defect is null && !archive.IsSalvaged && archive.IsRandomAccess && !isCut)
            {
                throw;
            }

            // The JSON ends where the data does: what is wrong with the data says more.
            defect ??= salvaged.Defect ?? failure.Reason();
            return false;
        }

        return salvaged.IsWrong
            ? throw new InvalidDataException($"Something in the file list is wrong: {defect}")
            : false;
    }

    public void Dispose()
    {
        reader.Dispose();
        json.Dispose();
        archive.Dispose();
        volume.Dispose();
    }

    private static void EndWalk(Archive archive)
    {
        while (!archive.IsRandomAccess && archive.MoveNext(out _)) { }
    }

    /// <summary>Opens the list, and reads what comes before it about the backup.</summary>
    private static (Stream Json, bool IsFullBackup) OpenJson(Archive archive, BlockLayout layout, bool salvages)
    {
        bool isFullBackup = true;
        while (archive.MoveNext(out ArchiveEntry entry))
        {
            if (archive.NameOf(entry).SequenceEqual(FilesetName))
            {
                isFullBackup = ReadFileset(archive, entry);
            }
            else if (archive.NameOf(entry).SequenceEqual(ListName))
            {
                if (salvages)
                {
                    return (archive.OpenSalvaged(entry, MaxListBytes), isFullBackup);
                }

                // A browser tab has no threads for it.
                Stream json = archive.Open(entry, MaxListBytes);
                return (
                    entry.Length < ReadAheadFromBytes || OperatingSystem.IsBrowser()
                        ? json
                        : new ListAhead(json, layout),
                    isFullBackup
                );
            }
        }

        throw new InvalidDataException("It has no filelist.json");
    }

    /// <summary>
    /// Whether the backup was completed, by the entry that says so. Most readers of a list do not
    /// need it, so a defect of it costs nothing.
    /// </summary>
    public static bool ReadFileset(Archive archive, in ArchiveEntry entry)
    {
        try
        {
            using Stream stream = archive.Open(entry, MaxFilesetBytes);
            using MemoryStream json = new();
            stream.CopyTo(json);
            return FilesetInfo.Parse(json.GetBuffer().AsSpan(0, (int)json.Length)).IsFullBackup;
        }
        catch (Exception defect) when (defect is InvalidDataException or UnsupportedMethodException)
        {
            return true;
        }
    }

    private sealed class UnusedEntries : IFileListSink
    {
        public void Entry(in FileListEntry entry) { }

        public void Unusable(string path, string reason) { }
    }
}
