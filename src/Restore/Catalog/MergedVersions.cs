namespace Restore.Catalog;

/// <summary>
/// Several versions as one content. An entry is in it once for consecutive versions with the same
/// content and metadata, so that each of its blocks is needed once. Versions are added newest
/// first.
/// </summary>
internal sealed class MergedVersions
{
    private readonly Dictionary<UInt128, int> latest = [];
    private byte[] path = [];

    /// <summary>The entries; null as long as no version was added.</summary>
    public VersionContent? Content { get; private set; }

    /// <summary>
    /// Reads versions. A version is left out if it cannot be read, or if it has another block size
    /// or other hash algorithms than the newest.
    /// </summary>
    /// <param name="leftOut">Receives an issue for each version that is left out.</param>
    /// <exception cref="RestoreException">No version can be read.</exception>
    public static async Task<VersionContent> ReadAsync(
        ICatalog catalog,
        IEnumerable<BackupVersion> versions,
        EntryFilter filter,
        EntryObserver? observer,
        Action<RestoreIssue> leftOut,
        CancellationToken cancellationToken
    )
    {
        MergedVersions merged = new();
        RestoreException? unreadable = null;
        foreach (BackupVersion version in versions.OrderBy(version => version.Index))
        {
            try
            {
                if (
                    !merged.TryAdd(
                        await catalog.ReadAsync(version, filter, observer, cancellationToken).ConfigureAwait(false)
                    )
                )
                {
                    const string Reason =
                        "The version was left out: it has another block size or other hash algorithms than the newest";
                    leftOut(
                        new RestoreIssue(IssueKind.Refused, version.FileListName, Reason)
                        {
                            Versions = VersionRange.Of(version),
                        }
                    );
                }
            }
            catch (RestoreException failure) when (failure.Kind == RestoreErrorKind.Failed)
            {
                unreadable = failure;
                leftOut(
                    new RestoreIssue(IssueKind.Missing, version.FileListName, failure.Message)
                    {
                        Versions = VersionRange.Of(version),
                    }
                );
            }
        }

        return merged.Content ?? throw unreadable!;
    }

    /// <returns>False if its block size or its hash algorithms differ from the versions
    /// before.</returns>
    public bool TryAdd(VersionContent version)
    {
        Content ??= new VersionContent(version.Version, version.Layout);
        if (version.Layout != Content.Layout)
        {
            return false;
        }

        int index = version.Version.Index;
        Content.Issues.AddRange(
            version.Issues.Select(issue => issue with { Versions = VersionRange.Of(version.Version) })
        );
        foreach (EntryId entry in EntryId.UpTo(version.Entries.Count))
        {
            EntryRow row = version.Entries[entry];
            ReadOnlySpan<byte> name = version.PathOf(entry, ref path);
            UInt128 key = KeyOf(version, name, row);

            // Only consecutive versions are joined: a span has a newest and an oldest version, and
            // no gaps. Content that disappears and returns is a second entry.
            if (latest.TryGetValue(key, out int known) && Content.Spans[known].Oldest == index - 1)
            {
                Content.Spans[known] = Content.Spans[known] with { Oldest = index };
                continue;
            }

            latest[key] = Content.AddEntry(
                name,
                row.Kind,
                Content!.AddCopy(version, row.Content),
                Content!.AddCopy(version, row.Metadata),
                row.TimeTicks
            );
            Content.Spans.Add(VersionRange.Of(version.Version));
        }

        return true;
    }

    /// <summary>
    /// A cryptographic hash: a backup made to do harm must not hide an entry behind another one.
    /// </summary>
    private static UInt128 KeyOf(VersionContent version, ReadOnlySpan<byte> path, in EntryRow row)
    {
        using IncrementalHash hash = IncrementalHash.CreateHash(HashAlgorithmName.SHA256);
        hash.AppendData([(byte)row.Kind]);
        Append(hash, version, row.Content);
        Append(hash, version, row.Metadata);
        hash.AppendData(path);
        return BinaryPrimitives.ReadUInt128LittleEndian(hash.GetHashAndReset());
    }

    private static void Append(IncrementalHash hash, VersionContent version, ContentId content)
    {
        Span<byte> size = stackalloc byte[sizeof(long)];
        BinaryPrimitives.WriteInt64LittleEndian(size, content.IsNone ? -1 : version.SizeOf(content));
        hash.AppendData(size);
        if (!content.IsNone)
        {
            hash.AppendData(version.HasFileHash(content) ? version.FileHashOf(content) : []);
            hash.AppendData(BlockHashOf(version, content));
        }
    }

    /// <summary>
    /// The hash of the only block; the hash of the whole names the blocks of a longer content.
    /// </summary>
    private static ReadOnlySpan<byte> BlockHashOf(VersionContent version, ContentId content) =>
        version.BlockCountOf(content) == 1 && version.BlockOf(content, 0) is { IsNone: false } block
            ? version.Blocks.HashOf(block)
            : [];
}
