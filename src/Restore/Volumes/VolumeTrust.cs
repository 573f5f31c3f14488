namespace Restore.Volumes;

/// <summary>
/// Leaves out the volumes that anyone who can write to the storage could have put there: file lists
/// and index volumes without encryption, beside encrypted ones. A block needs no such check: its
/// hash is in a file list.
/// </summary>
internal static class VolumeTrust
{
    private const int MaxNamed = 20;

    /// <exception cref="RestoreException">There are file lists, and none of them may be
    /// used.</exception>
    public static List<ListedVolume> Filter(
        List<ListedVolume> volumes,
        TrustRules rules,
        string where,
        List<RestoreIssue> issues
    )
    {
        List<ListedVolume> trusted = rules.AllowsUnencrypted
            ? volumes
            : RefuseUnencrypted(volumes, rules, where, issues);
        Name(
            trusted.Select(volume => volume.Name).Where(name => IsOfTheFuture(name, rules.Now)),
            issues,
            name => new RestoreIssue(
                IssueKind.Warning,
                name.Name,
                $"The version is dated {name.Time:yyyy-MM-dd}, which is in the future: a clock was wrong, or the file is forged or renamed"
            )
        );
        return trusted;
    }

    /// <summary>
    /// Whether only someone who knows the passphrase can have made the file list of a version: it
    /// vouches for all content, links included.
    /// </summary>
    /// <param name="version">The version.</param>
    /// <param name="allowsGpgKeys">Whether a list may be encrypted to a key, which anyone can
    /// do.</param>
    /// <param name="allowsUnencrypted">Whether a list may be unencrypted, whatever its name
    /// says.</param>
    public static bool IsAuthentic(BackupVersion version, bool allowsGpgKeys, bool allowsUnencrypted) =>
        !allowsUnencrypted
        && StoredName.Read(version.FileListName) is { Kind: not StoredNameKind.Other } name
        && name.Volume.Encryption switch
        {
            EncryptionKind.None => false,
            EncryptionKind.Gpg => !allowsGpgKeys,
            _ => true,
        };

    private static List<ListedVolume> RefuseUnencrypted(
        List<ListedVolume> volumes,
        TrustRules rules,
        string where,
        List<RestoreIssue> issues
    )
    {
        if (volumes.TrueForAll(volume => volume.Name.Encryption == EncryptionKind.None))
        {
            if (rules.HasPassphrase && volumes.Count > 0)
            {
                const string Reason =
                    "There is a passphrase, and no volume is encrypted: anyone who can write to the storage could have made this backup";
                issues.Add(new RestoreIssue(IssueKind.Warning, where, Reason) { Code = IssueCode.NothingEncrypted });
            }

            return volumes;
        }

        List<ListedVolume> trusted = [.. volumes.Where(volume => !IsForgeable(volume.Name))];
        if (
            trusted.TrueForAll(volume => volume.Name.Kind != VolumeKind.FileList)
            && volumes.Exists(volume => volume.Name.Kind == VolumeKind.FileList)
        )
        {
            throw new RestoreException(
                RestoreErrorCode.FileListsUnencrypted,
                "No file list of the backup is encrypted, though other volumes are: anyone who can write to the storage could have made them",
                where
            );
        }

        Name(
            volumes.Select(volume => volume.Name).Where(IsForgeable),
            issues,
            name => new RestoreIssue(
                IssueKind.Warning,
                name.Name,
                "The file is not encrypted, though the backup is: anyone who can write to the storage could have made it. It is left out"
            )
            {
                Code = IssueCode.UnencryptedVolume,
            }
        );
        return trusted;
    }

    private static bool IsOfTheFuture(VolumeName name, DateTimeOffset now) =>
        name.Kind == VolumeKind.FileList && name.Time - now > TrustRules.Tolerance;

    private static bool IsForgeable(VolumeName name) =>
        name.Kind != VolumeKind.Block && name.Encryption == EncryptionKind.None;

    private static void Name(
        IEnumerable<VolumeName> names,
        List<RestoreIssue> issues,
        Func<VolumeName, RestoreIssue> describe
    )
    {
        List<VolumeName> all = [.. names];
        issues.AddRange(all.Take(MaxNamed).Select(describe));
        if (all.Count > MaxNamed)
        {
            RestoreIssue first = describe(all[0]);
            issues.Add(first with { Path = $"{all.Count - MaxNamed:N0} more files" });
        }
    }
}
