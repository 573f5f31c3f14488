namespace Restore.Planning.Scanning;

/// <summary>
/// Decides which entries at the target stay, because the user wants to keep them.
/// </summary>
internal static class Keeping
{
    /// <summary>Both times are compared by the second, as the list has them.</summary>
    public static bool Stays(KeptAtTarget keep, long backupTicks, TargetStatus status) =>
        keep == KeptAtTarget.All
        || (
            keep == KeptAtTarget.NotOlder
            && (
                backupTicks == 0
                || status.ModifiedTicks / TimeSpan.TicksPerSecond >= backupTicks / TimeSpan.TicksPerSecond
            )
        );

    public static string Reason(KeptAtTarget keep) =>
        keep == KeptAtTarget.All
            ? "What is at the target differs, and stays"
            : "What is at the target differs, is not older, and stays";

    /// <summary>What is kept is no loss: the user wanted it.</summary>
    public static IssueKind KindOf(IssueCode code) =>
        code == IssueCode.KeptAtTarget ? IssueKind.Warning : IssueKind.Refused;
}
