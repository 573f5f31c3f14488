using Restore.Compression;
using Restore.Encryption;
using Restore.Format;
using Restore.Volumes;

namespace Restore.Catalog;

/// <summary>Reads the file list of a version from its volume: all of it or nothing.</summary>
internal sealed class FileListReading(VolumeLoader loader, VolumeSet volumes)
{
    // A list has about 300 bytes for an entry: the limit is 200 million entries.
    private const long MaxListBytes = 64L << 30;

    // If the manifest of a list is lost, this many other volumes are tried.
    private const int MaxManifestTries = 8;

    public async Task<VersionContent> ReadAsync(
        Volume volume, BackupVersion version, EntryFilter filter, EntryObserver? observer, CancellationToken cancellationToken)
    {
        try
        {
            using LoadedVolume loaded = await loader.LoadAsync(volume, cancellationToken).ConfigureAwait(false);
            loaded.RequireIntact();
            (BlockLayout layout, RestoreIssue? issue) = FindManifest(loaded.Archive) is Manifest manifest
                ? (manifest.Layout, null)
                : await BorrowManifestAsync(volume, cancellationToken).ConfigureAwait(false);
            VersionContent content = new(version, layout);
            content.Issues.AddRange(issue is null ? [] : [issue]);

            // A second walk: the manifest may come after the list, and a tar is forward-only.
            using Archive archive = loader.OpenArchive(volume, loaded.Plain);
            ReadList(archive, new VersionContentBuilder(content, filter, observer), layout, cancellationToken);
            return content;
        }
        catch (PassphraseException) when (volume.Name.Encryption != EncryptionKind.None)
        {
            await new PassphraseCheck(loader, volumes).RequireAnyOtherAsync(volume, cancellationToken).ConfigureAwait(false);
            throw new RestoreException(
                RestoreErrorCode.FileListUnusable,
                $"The passphrase does not open the file list of version {version.Index}, though it opens other volumes: "
                + "its header is damaged, or it was made with another passphrase",
                volume.FileName);
        }
        catch (Exception failure) when (VolumeLoader.IsLoss(failure))
        {
            throw new RestoreException(
                failure.ToIssueCode() == IssueCode.KeyIterationsExceeded ? RestoreErrorCode.KeyIterationsExceeded : RestoreErrorCode.FileListUnusable,
                $"The file list of version {version.Index} cannot be used: {failure.Reason()}",
                volume.FileName,
                failure);
        }
    }

    private static Manifest? FindManifest(Archive archive)
    {
        while (archive.MoveNext(out ArchiveEntry entry))
        {
            if (archive.NameOf(entry).SequenceEqual("manifest"u8))
            {
                return ManifestReading.Read(archive, entry);
            }
        }

        return null;
    }

    private static void ReadList(Archive archive, VersionContentBuilder builder, BlockLayout layout, CancellationToken cancellationToken)
    {
        while (archive.MoveNext(out ArchiveEntry entry))
        {
            if (archive.NameOf(entry).SequenceEqual("filelist.json"u8))
            {
                using Stream json = archive.Open(entry, MaxListBytes);
                FileListReader.Read(json, builder, layout, cancellationToken);
                ReadToEnd(archive);
                return;
            }
        }

        throw new InvalidDataException("It has no filelist.json");
    }

    /// <summary>Entries of a tar have no checksum of their own: the surrounding stream has one at its end.</summary>
    private static void ReadToEnd(Archive archive)
    {
        while (!archive.IsRandomAccess && archive.MoveNext(out _))
        {
        }
    }

    /// <summary>All volumes of a backup have the same manifest, so any other volume serves.</summary>
    private async Task<(BlockLayout Layout, RestoreIssue Issue)> BorrowManifestAsync(Volume volume, CancellationToken cancellationToken)
    {
        foreach (Volume other in volumes.FileLists.Where(other => other != volume).Concat(volumes.Indexes).Take(MaxManifestTries))
        {
            try
            {
                using LoadedVolume loaded = await loader.LoadAsync(other, cancellationToken).ConfigureAwait(false);
                loaded.RequireIntact();
                if (FindManifest(loaded.Archive) is Manifest manifest)
                {
                    return (manifest.Layout, new RestoreIssue(
                        IssueKind.Warning, volume.FileName, $"The file list has no manifest; block size and hash algorithms were taken from {other.FileName}"));
                }
            }
            catch (Exception failure) when (VolumeLoader.IsLoss(failure))
            {
                continue;
            }
        }

        throw new InvalidDataException("It has no manifest, and no other volume has a sound one");
    }
}
