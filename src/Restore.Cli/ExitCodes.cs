using Restore.Mount;

namespace Restore.Cli;

internal static class ExitCodes
{
    public const int Complete = 0;
    public const int Usage = 1;
    public const int Incomplete = 2;
    public const int Failed = 3;
    public const int WrongPassphrase = 4;
    public const int NotFound = 5;
    public const int TargetNotWritable = 6;
    public const int Different = 7;
    public const int LeftOut = 8;
    public const int NothingTaken = 9;
    public const int ShardsMissing = 10;
    public const int PlanDamaged = 11;
    public const int OtherPlan = 12;
    public const int OtherBackup = 13;
    public const int OtherVersion = 14;
    public const int OtherCount = 15;
    public const int OtherTarget = 16;
    public const int RecordDamaged = 17;
    public const int Taken = 18;
    public const int Suspect = 19;
    public const int NoMemory = 20;
    public const int Interrupted = 130;

    /// <summary>The table of the help and of the manual.</summary>
    public static readonly IReadOnlyList<(int Code, string Meaning)> Meanings =
    [
        (Complete, "everything is restored and verified"),
        (Usage, "the command line cannot be used"),
        (Incomplete, "finished, but some entries are damaged, missing or refused: each is listed"),
        (Failed, "failed"),
        (WrongPassphrase, "wrong passphrase"),
        (NotFound, "no such backup, version or file"),
        (TargetNotWritable, "the target is full or gone, cannot be written, or did not take all that was written"),
        (Different, "only of diff with --exit-code: there are differences"),
        (LeftOut, "all is done, except links: those out of the target, or of backup what a source leads to"),
        (NothingTaken, "only of backup: no file was taken; retention counts no such version"),
        (ShardsMissing, "shards of the plan are not restored yet, or failed"),
        (PlanDamaged, "the plan is damaged, or is not a plan"),
        (OtherPlan, "what is beside the plan belongs to another plan"),
        (OtherBackup, "the plan was made for another backup"),
        (OtherVersion, "the backup does not have the version of the plan"),
        (OtherCount, "the number of shards is not that of the plan"),
        (OtherTarget, "no file of a shard is at the target"),
        (RecordDamaged, "the record of a shard is damaged"),
        (Taken, "another process has taken the shard over"),
        (Suspect, "only of backup: the version is made, but it is suspect: see 'restore assess'"),
        (NoMemory, "the program did not get enough memory"),
        (Interrupted, "interrupted (the first Ctrl-C writes what is in memory, the second stops), or a no as answer"),
    ];

    /// <summary>
    /// What a scheduler can do about the failure of a shard depends on more than its kind.
    /// </summary>
    public static int Of(RestoreException failure) =>
        failure.Code switch
        {
            RestoreErrorCode.FileListIncomplete => Incomplete,
            RestoreErrorCode.ShardsMissing => ShardsMissing,
            RestoreErrorCode.PlanDamaged => PlanDamaged,
            RestoreErrorCode.ShardPlanOther => OtherPlan,
            RestoreErrorCode.PlanBackupOther => OtherBackup,
            RestoreErrorCode.PlanVersionGone => OtherVersion,
            RestoreErrorCode.ShardCountWrong => OtherCount,
            RestoreErrorCode.ShardTargetOther => OtherTarget,
            RestoreErrorCode.ShardRecordDamaged => RecordDamaged,
            RestoreErrorCode.ShardTaken => Taken,
            _ => Of(failure.Kind),
        };

    public static int Of(RestoreErrorKind kind) =>
        kind switch
        {
            RestoreErrorKind.Usage => Usage,
            RestoreErrorKind.WrongPassphrase => WrongPassphrase,
            RestoreErrorKind.NotFound => NotFound,
            RestoreErrorKind.TargetNotWritable => TargetNotWritable,
            _ => Failed,
        };

    public static int Of(MountProblem problem) =>
        problem switch
        {
            MountProblem.Unusable => Usage,
            MountProblem.NotFound => NotFound,
            MountProblem.NotAllowed => TargetNotWritable,
            _ => Failed,
        };

    public static int Of(RestoreReport report) =>
        // What the device did not take outweighs what the backup lacks: only for the first another
        // run helps.
        report.Issues.Any(issue => issue.Kind == IssueKind.Doubtful)
            ? TargetNotWritable
        : OfLosses(report.Issues) is var code and not Complete ? code
        : report.Issues.Any(issue => issue.Kind == IssueKind.LeftOut) ? LeftOut
        : Complete;

    public static int Of(BackupWriterReport report) =>
        report.IsPartial ? Interrupted
        : OfLosses(report.Issues) is var code and not Complete ? code
        : report.HasNoFile ? NothingTaken
        : report.Issues.Any(issue => issue.Kind == IssueKind.LeftOut) ? LeftOut
        : Complete;

    /// <summary>
    /// The code by what is lost alone, of a plan or of a command that writes no entries to a
    /// target.
    /// </summary>
    public static int OfLosses(IReadOnlyList<RestoreIssue> issues) =>
        issues.Any(issue => issue.IsLoss) ? Incomplete : Complete;
}
