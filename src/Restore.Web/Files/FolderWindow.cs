using Restore.Browse.Restoring;

namespace Restore.Web.Files;

/// <summary>
/// Shows the folder of a restore in a window of this machine. The page names no folder: it is the
/// one of the restore that is done.
/// </summary>
internal sealed class FolderWindow(BrowseSession session, Func<string, Task<string?>>? show)
{
    public IEnumerable<Route<BrowseCall>> Routes() => [new("POST", "api/restore/show", ShowAsync)];

    private async Task ShowAsync(BrowseCall call)
    {
        ChangeRequest request = await call.ReadAsync(WebJson.Default.ChangeRequest).ConfigureAwait(false);
        if (show is null || session.Job is not { Folder: string folder, IsOver: true } job)
        {
            throw new CallException(CallStatus.Conflict, "There is no folder to show");
        }

        job.Require(request.Id);

        // A link may be there since the restore.
        session.Targets.LookAgain(folder);
        if (!Directory.Exists(folder))
        {
            throw new CallException(CallStatus.Conflict, $"{folder} is not there any more");
        }

        if (await show(folder).ConfigureAwait(false) is string problem)
        {
            throw new CallException(CallStatus.Conflict, $"{folder} cannot be shown: {problem}");
        }

        await call.WriteAsync(job.Snapshot(), WebJson.Default.JobAnswer).ConfigureAwait(false);
    }
}
