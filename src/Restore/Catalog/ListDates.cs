namespace Restore.Catalog;

/// <summary>
/// Compares when file lists were made with the times in their names. A list is made when its backup
/// ends, so never before the time in its name. A later time is fine, as Duplicati rewrites lists in
/// repairs. A slightly earlier one is fine too: a list that only gets another passphrase takes the
/// next free second.
/// </summary>
internal sealed class ListDates(VolumeLoader loader, VolumeSet volumes)
{
    private static readonly TimeSpan LongestShift = TimeSpan.FromMinutes(1);

    /// <summary>
    /// Reads another list only if the time of this one fits the name of that one.
    /// </summary>
    /// <returns>How a list contradicts its name; null if it does not.</returns>
    public async Task<RestoreIssue?> ContradictionAsync(
        Volume list,
        Manifest manifest,
        CancellationToken cancellationToken
    )
    {
        volumes.ListsMade[list.Id] = manifest.Created;
        if (manifest.Created is not DateTimeOffset made)
        {
            return null;
        }

        // Three cases are reported, and the first needs no other list:
        // 1. The list is older than its name by more than the tolerance.
        // 2. Two lists exchanged their names: this one was made at a time that fits the name of
        //    another list, which does not fit its own name either.
        // 3. A copy of an older list has a newer name: both say that they were made at the same
        //    time.
        bool isRenamed = list.Name.Time - made > TrustRules.Tolerance;
        if (
            LastUpTo(made) is Volume other
            && other.Id != list.Id
            && await MadeAsync(other, cancellationToken).ConfigureAwait(false) is DateTimeOffset otherMade
        )
        {
            bool isEarly = IsEarly(list, made);
            if (isEarly ? LastUpTo(otherMade) != other : IsEarly(other, otherMade))
            {
                return new RestoreIssue(
                    IssueKind.Warning,
                    list.FileName,
                    $"It says that it was made on {made:yyyy-MM-dd HH:mm:ss}, and {other.FileName} that it was made on {otherMade:yyyy-MM-dd HH:mm:ss}: "
                        + "the two may have exchanged their names"
                );
            }

            isRenamed |= isEarly && otherMade == made;
        }

        return isRenamed
            ? new RestoreIssue(
                IssueKind.Warning,
                list.FileName,
                $"The name gives {list.Name.Time:yyyy-MM-dd}, and the list itself says that it was made on {made:yyyy-MM-dd}: "
                    + "an older version may have been renamed to pass for this one"
            )
            : null;
    }

    /// <summary>Whether a list was made before the backup that its name names.</summary>
    private static bool IsEarly(Volume list, DateTimeOffset made) => list.Name.Time - made > LongestShift;

    /// <summary>The newest list by its name that a backup could have made at a time.</summary>
    private Volume? LastUpTo(DateTimeOffset time) => volumes.FileLists.FirstOrDefault(list => list.Name.Time <= time);

    private async Task<DateTimeOffset?> MadeAsync(Volume list, CancellationToken cancellationToken)
    {
        if (!volumes.ListsMade.TryGetValue(list.Id, out DateTimeOffset? made))
        {
            made = (await loader.TryReadManifestAsync(list, cancellationToken).ConfigureAwait(false))?.Created;
            volumes.ListsMade[list.Id] = made;
        }

        return made;
    }
}
