namespace Restore.Volumes;

/// <summary>
/// Finds file lists and index volumes that are encrypted though their names do not say so, before
/// they are judged by their names.
/// </summary>
internal static class MisnamedVolumes
{
    // Each costs a request. If more lost the end of their names, all did: then one is enough.
    private const int MaxLooks = 50;

    /// <summary>Gives volumes the encryption that they have by their content.</summary>
    /// <param name="store">The store.</param>
    /// <param name="volumes">The volumes of a backup.</param>
    /// <param name="hasPassphrase">Whether the backup should be encrypted.</param>
    /// <param name="issues">Receives the issues that are found.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    public static async Task<List<ListedVolume>> RecognizeAsync(
        IVolumeStore store,
        List<ListedVolume> volumes,
        bool hasPassphrase,
        List<RestoreIssue> issues,
        CancellationToken cancellationToken
    )
    {
        ListedVolume[] plain = [.. volumes.Where(volume => volume.Name.Encryption == EncryptionKind.None)];
        bool isMixed = plain.Length < volumes.Count;
        if (plain.Length == 0 || !(isMixed || hasPassphrase))
        {
            return volumes;
        }

        // Of a backup without an encrypted name, the newest file list stands for all.
        ListedVolume[] looked =
        [
            .. plain
                .Where(volume => volume.Name.Kind != VolumeKind.Block)
                .OrderBy(volume => volume.Name.Kind)
                .ThenByDescending(volume => volume.Name.Time)
                .Take(isMixed ? MaxLooks : 1),
        ];
        Dictionary<string, EncryptionKind> found = new(StringComparer.Ordinal);
        foreach (ListedVolume volume in looked)
        {
            EncryptionKind kind =
                await LookAsync(store, volume, cancellationToken).ConfigureAwait(false) ?? EncryptionKind.None;
            if (kind != EncryptionKind.None)
            {
                found[volume.Name.Name] = kind;
            }
        }

        if (found.Count == 0)
        {
            return volumes;
        }

        // A volume that is not encrypted after all is recognized when it is read.
        EncryptionKind? all = isMixed ? null : found.Values.First();
        ListedVolume[] misnamed = [.. plain.Where(volume => all is not null || found.ContainsKey(volume.Name.Name))];
        string end = found.Values.First() == EncryptionKind.Gpg ? ".gpg" : ".aes";
        issues.Add(
            new RestoreIssue(
                IssueKind.Warning,
                misnamed[0].Name.Name,
                misnamed.Length == 1
                    ? $"The file is encrypted, though its name does not end in {end}; it is read all the same"
                    : $"{misnamed.Length:N0} files are encrypted, though their names do not end in {end}; they are read all the same"
            )
            {
                Code = IssueCode.VolumeMisnamed,
            }
        );
        return volumes.ConvertAll(volume =>
            volume.Name.Encryption != EncryptionKind.None
                ? volume
                : volume with
                {
                    Name = volume.Name with
                    {
                        Encryption = all ?? found.GetValueOrDefault(volume.Name.Name, EncryptionKind.None),
                    },
                }
        );
    }

    private static async ValueTask<EncryptionKind?> LookAsync(
        IVolumeStore store,
        ListedVolume volume,
        CancellationToken cancellationToken
    )
    {
        byte[] start = new byte[Math.Clamp(volume.SizeBytes, 1, VolumeContent.StartBytes)];
        try
        {
            int read = await store.ReadAsync(volume.Name.Name, 0, start, cancellationToken).ConfigureAwait(false);
            return VolumeContent.EncryptionOf(start.AsSpan(0, read));
        }
        catch (Exception failure) when (VolumeLoader.IsLoss(failure))
        {
            return null;
        }
    }
}
