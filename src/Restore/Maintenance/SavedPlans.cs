using System.Text.Json.Serialization.Metadata;

namespace Restore.Maintenance;

/// <summary>
/// Saves and loads plans of changes as JSON. The blocks that a plan was made from are not in it.
/// They are found again before a loaded plan is executed, and the plan is executed only if the
/// result is the same.
/// </summary>
internal static class SavedPlans
{
    public static JsonTypeInfo<CompactPlan> Compact => SavedPlanContext.Default.CompactPlan;

    public static JsonTypeInfo<PurgePlan> Purge => SavedPlanContext.Default.PurgePlan;

    public static JsonTypeInfo<DeletionPlan> Deletion => SavedPlanContext.Default.DeletionPlan;

    public static Task SaveAsync<T>(T plan, Stream stream, JsonTypeInfo<T> type, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(stream);
        return JsonSerializer.SerializeAsync(stream, plan, type, cancellationToken);
    }

    public static async Task<T> LoadAsync<T>(Stream stream, JsonTypeInfo<T> type, CancellationToken cancellationToken)
        where T : class
    {
        ArgumentNullException.ThrowIfNull(stream);
        try
        {
            return await JsonSerializer.DeserializeAsync(stream, type, cancellationToken).ConfigureAwait(false)
                ?? throw new JsonException("It is empty");
        }
        catch (JsonException failure)
        {
            throw new RestoreException(
                RestoreErrorCode.PlanDamaged,
                $"This is not a plan of that kind, or it is damaged: {failure.Message}",
                innerException: failure
            );
        }
    }

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
