using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.Features;
using Restore.Web.Http;

namespace Restore.Web.Files;

/// <summary>Downloads: one file, or a folder as an archive.</summary>
internal sealed class FileApi(BrowseSession session)
{
    private readonly FileAnswer file = new(session);

    public IEnumerable<Route> Routes() =>
        [new("GET", "file", SendFileAsync), new("HEAD", "file", SendFileAsync), new("GET", "zip", SendZipAsync)];

    private async Task SendFileAsync(HttpContext context) =>
        await file.SendAsync(context, await ServedEntry.FindAsync(session, context).ConfigureAwait(false)).ConfigureAwait(false);

    private async Task SendZipAsync(HttpContext context)
    {
        ServedEntry entry = await ServedEntry.FindAsync(session, context).ConfigureAwait(false);
        FileAnswer.SetDownload(context.Response, $"{entry.Name}.zip");
        context.Response.ContentType = "application/zip";

        // The archive writes its headers synchronously.
        context.Features.GetRequiredFeature<IHttpBodyControlFeature>().AllowSynchronousIO = true;
        ZipSink sink = new(context.Response.Body, entry.IsFolder ? entry.Path : entry.Path[..^entry.Name.Length]);
        await using (sink.ConfigureAwait(false))
        {
            ExportReport report = await session.Backup.ExportAsync(
                entry.Version, sink, new ExportOptions { Filter = entry.Filter() }, context.RequestAborted).ConfigureAwait(false);
            await sink.CompleteAsync(report, context.RequestAborted).ConfigureAwait(false);
        }
    }
}
