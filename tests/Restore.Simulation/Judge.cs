using Restore.Simulation.Scheduling;

namespace Restore.Simulation;

/// <summary>What must hold after every operation, whatever went wrong.</summary>
internal sealed class Judge(Scenario scenario)
{
    private readonly Ending ending = scenario.Ending;
    private readonly MadeVolumes volumes = scenario.Volumes;
    private readonly SimulatedFolder folder = scenario.Folder;

    public static void Require(bool holds, string otherwise)
    {
        if (!holds)
        {
            throw new SimulationException(otherwise);
        }
    }

    public void Decide()
    {
        EverythingIsBack();
        TheEndIsExplained();
        WhatWasGivenIsRight();
        if (scenario.Operation == Operation.Restore)
        {
            WhatIsTheUsersStays();
        }

        if (ending.Restored is { } report)
        {
            TheReportIsRight(report);
            WhatIsAtTheTargetIsRightOrNamed(report);
        }
    }

    /// <summary>Entries whose content is not whole at the target, as the report says.</summary>
    private static HashSet<string> Named(IEnumerable<RestoreIssue> issues) =>
        [
            .. issues
                .Where(issue =>
                    issue.Kind is IssueKind.Damaged or IssueKind.Missing or IssueKind.Refused or IssueKind.Doubtful
                )
                .Select(issue => issue.Path),
        ];

    private void EverythingIsBack()
    {
        Require(ending.BuffersLeft == 0, $"{ending.BuffersLeft} buffers were not returned");
        Require(scenario.Store is { Open: 0 }, $"{scenario.Store?.Open} reads of the store have not ended");
        Require(scenario.Store is { IsDisposed: true }, "the store was not disposed");
        Require(scenario.Scheduler.Time.Armed == 0, $"{scenario.Scheduler.Time.Armed} timers are armed");
        foreach ((string what, Func<long> left) in scenario.Scheduler.AtEnd)
        {
            Require(left() == 0, $"{what}: {left()} were not returned");
        }
    }

    private void TheEndIsExplained()
    {
        switch (ending.Failure)
        {
            case null:
                break;
            case OperationCanceledException:
                Require(scenario.IsCancelled, $"it was cancelled, and nobody asked for it: {ending.Failure}");
                break;
            case RestoreException { Code: not RestoreErrorCode.Unexpected } failure:
                Require(scenario.Faults.Matters, $"it failed for no reason: {failure}");
                break;
            default:
                Require(ending.Failure == scenario.Sink?.Thrown, $"it failed as nothing should: {ending.Failure}");
                break;
        }

        // A link is made from metadata: without it there is none.
        RestoreIssue[] losses =
        [
            .. (ending.Restored?.Issues ?? ending.Exported?.Issues ?? []).Where(issue =>
                issue.Kind != IssueKind.Warning
                && issue.Code != IssueCode.LinkWithoutMetadata
                && !volumes.Refused.ContainsKey(issue.Path)
            ),
        ];
        Require(losses.Length == 0 || scenario.Faults.Matters, "something was lost for no reason");
    }

    private void WhatWasGivenIsRight()
    {
        HashSet<string> named = Named(ending.Exported?.Issues ?? []);
        foreach ((string path, byte[] content) in ending.Given.Where(given => !named.Contains(given.Key)))
        {
            Require(
                content.AsSpan().SequenceEqual(volumes.Contents.GetValueOrDefault(path) ?? volumes.Refused[path]),
                $"{path} was given with wrong bytes"
            );
        }

        if (ending.Exported is { } report)
        {
            Require(
                IsListCut(report.Issues)
                    || volumes.Contents.Keys.All(path => ending.Given.ContainsKey(path) || named.Contains(path)),
                "a file was neither given nor named"
            );
            Require(
                report.Files == ending.Given.Keys.Count(path => !named.Contains(path)),
                $"the report counts {report.Files} files"
            );
        }
    }

    private void WhatIsTheUsersStays()
    {
        foreach ((string path, byte[] content) in folder.Users)
        {
            bool isGivenUp = scenario.Options.Overwrite && volumes.Contents.ContainsKey(path);
            Require(
                isGivenUp
                    || (
                        File.Exists(folder.At(path))
                        && File.ReadAllBytes(folder.At(path)).AsSpan().SequenceEqual(content)
                    ),
                $"{path} of the user has changed"
            );
        }
    }

    private void WhatIsAtTheTargetIsRightOrNamed(RestoreReport report)
    {
        HashSet<string> named = Named(report.Issues);
        foreach ((string path, byte[] content) in folder.Files().Where(file => !scenario.Faults.TargetFailed))
        {
            bool isTheUsers = folder.Users.TryGetValue(path, out byte[]? mine);
            bool isRight =
                volumes.Contents.TryGetValue(path, out byte[]? right) && content.AsSpan().SequenceEqual(right);
            bool isRenamed = folder.Users.Keys.Any(user =>
                volumes.Contents.TryGetValue(user, out byte[]? its)
                && Path.GetDirectoryName(user) == Path.GetDirectoryName(path)
                && (named.Contains(user) || content.AsSpan().SequenceEqual(its))
            );
            Require(
                isTheUsers || isRight || named.Contains(path) || isRenamed,
                $"{path} at the target is neither right nor named"
            );
        }
    }

    private void TheReportIsRight(RestoreReport report)
    {
        HashSet<string> named = Named(report.Issues);
        bool isListCut = IsListCut(report.Issues);
        Require(isListCut || volumes.Refused.Keys.All(named.Contains), "a file that no target takes is not named");
        string[] whole = [.. volumes.Contents.Keys.Where(path => !named.Contains(path))];
        Require(
            isListCut ? report.FilesRestored <= whole.Length : report.FilesRestored == whole.Length,
            $"the report counts {report.FilesRestored} files, and does not name {whole.Length}"
        );
        if (scenario.Operation != Operation.Restore)
        {
            return;
        }

        (string Path, byte[] Content)[] there = [.. folder.Files()];
        string[] missing = [.. whole.Where(path => !IsRestored(path, there))];
        Require(
            missing.Length == 0 || (isListCut && whole.Length - missing.Length >= report.FilesRestored),
            $"{string.Join(", ", missing)} counts as restored, and is not there or has wrong bytes"
        );
    }

    /// <summary>
    /// Whether the report says that a file list ends early: nothing names the files that it lacks.
    /// </summary>
    private static bool IsListCut(IEnumerable<RestoreIssue> issues) =>
        issues.Any(issue => issue.Code == IssueCode.FileListIncomplete);

    private bool IsRestored(string path, (string Path, byte[] Content)[] there)
    {
        bool mayBeBeside = folder.Users.ContainsKey(path) && !scenario.Options.Overwrite;
        return there.Any(file =>
            (file.Path == path || (mayBeBeside && Path.GetDirectoryName(file.Path) == Path.GetDirectoryName(path)))
            && file.Content.AsSpan().SequenceEqual(volumes.Contents[path])
        );
    }
}
