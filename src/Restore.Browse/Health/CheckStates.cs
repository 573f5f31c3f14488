namespace Restore.Browse.Health;

internal static class CheckStates
{
    /// <summary>How far work is that a user starts; null for work that was not started.</summary>
    public static CheckState Of(Task? work) =>
        work is null ? CheckState.NotStarted
        : work.IsCompletedSuccessfully ? CheckState.Done
        : work.IsCompleted ? CheckState.Failed
        : CheckState.Running;
}
