namespace Restore.Web.Files;

/// <summary>Downloads: one file, or a folder as an archive.</summary>
internal sealed class FileApi(BrowseSession session)
{
    private readonly FileAnswer file = new(session);

    public IEnumerable<Route<HttpContext>> Routes() =>
        [new("GET", "file", SendFileAsync), new("HEAD", "file", SendFileAsync), new("GET", "zip", SendZipAsync)];

    private async Task SendFileAsync(HttpContext context) =>
        await file.SendAsync(context, await ServedEntry.FindAsync(session, new HttpCall(context)).ConfigureAwait(false))
            .ConfigureAwait(false);

    private async Task SendZipAsync(HttpContext context)
    {
        ServedEntry entry = await ServedEntry.FindAsync(session, new HttpCall(context)).ConfigureAwait(false);
        FileAnswer.SetDownload(context.Response, $"{entry.Name} {session.NameOf(entry.Version)}.zip");
        context.Response.ContentType = "application/zip";
        await session
            .Backup.ExportArchiveAsync(
                entry.Version,
                context.Response.Body,
                ArchiveFormat.Zip,
                entry.ToArchive(),
                context.RequestAborted
            )
            .ConfigureAwait(false);
    }
}
