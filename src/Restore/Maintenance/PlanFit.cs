namespace Restore.Maintenance;

/// <summary>A plan of a change is executed only if it still fits the backup.</summary>
internal static class PlanFit
{
    /// <exception cref="RestoreException">The backup has changed since the plan was made, or the
    /// plan belongs to another backup.</exception>
    public static void Require(bool isSame, string location)
    {
        if (!isSame)
        {
            throw new RestoreException(
                RestoreErrorCode.BackupChanged,
                "The plan does not fit the backup as it is now, so nothing is changed: make a new plan",
                location
            );
        }
    }
}
