using System.Buffers;
using System.Runtime.CompilerServices;
using Microsoft.Net.Http.Headers;

namespace Restore.Web.Files;

/// <summary>
/// A browser stores the content and never shows it: what is in a backup must not run as a part of
/// this page.
/// </summary>
internal sealed class FileAnswer(BrowseSession session)
{
    private const int BufferBytes = 256 << 10;

    public async Task SendAsync(HttpContext context, ServedEntry entry)
    {
        if (entry.Content is not { Kind: BackupEntryKind.File, SizeBytes: long length })
        {
            throw new CallException(CallStatus.Conflict, $"{entry.Path} is a folder or a link, which has no content");
        }

        SetHeaders(context.Response, entry);
        (long from, long count)? range = RangeOf(context.Request, entry, length);
        if (range is null)
        {
            context.Response.Headers.ContentRange = new ContentRangeHeaderValue(length).ToString();
            context.Response.StatusCode = StatusCodes.Status416RangeNotSatisfiable;
            return;
        }

        (long from, long count) = range.Value;
        if (count != length)
        {
            context.Response.StatusCode = StatusCodes.Status206PartialContent;
            context.Response.Headers.ContentRange = new ContentRangeHeaderValue(
                from,
                from + count - 1,
                length
            ).ToString();
        }

        context.Response.ContentLength = count;
        if (HttpMethods.IsGet(context.Request.Method) && count > 0)
        {
            await CopyAsync(context, entry, from, count).ConfigureAwait(false);
        }
    }

    public static void SetDownload(HttpResponse response, string name)
    {
        response.Headers.ContentSecurityPolicy = "default-src 'none'; sandbox";
        ContentDispositionHeaderValue disposition = new("attachment");
        disposition.SetHttpFileName(name);
        response.Headers.ContentDisposition = disposition.ToString();
    }

    private static void SetHeaders(HttpResponse response, ServedEntry entry)
    {
        SetDownload(response, entry.Name);
        response.ContentType = "application/octet-stream";
        response.Headers.AcceptRanges = "bytes";
        response.Headers.ETag = entry.Tag;
        if (entry.Content is { TimeTicks: > 0 and long ticks })
        {
            response.Headers.LastModified = new DateTimeOffset(ticks, TimeSpan.Zero).ToString(
                "R",
                CultureInfo.InvariantCulture
            );
        }
    }

    /// <summary>
    /// The bytes to send; null if the file does not have them. Several ranges, and one of another
    /// content, are answered by the whole file.
    /// </summary>
    private static (long From, long Count)? RangeOf(HttpRequest request, ServedEntry entry, long length)
    {
        string condition = request.Headers.IfRange.ToString();
        if (
            (condition.Length > 0 && condition != entry.Tag)
            || !RangeHeaderValue.TryParse(request.Headers.Range.ToString(), out RangeHeaderValue? ranges)
            || ranges.Unit != "bytes"
            || ranges.Ranges.Count != 1
            || length == 0
        )
        {
            return (0, length);
        }

        RangeItemHeaderValue range = ranges.Ranges.Single();
        long from = range.From ?? Math.Max(0, length - (range.To ?? 0));
        long to = range.From is null ? length - 1 : Math.Min(range.To ?? long.MaxValue, length - 1);
        return from <= to ? (from, to - from + 1) : null;
    }

    private Task<long> CopyAsync(HttpContext context, ServedEntry entry, long from, long count) =>
        session.Trees.UseAsync(
            entry.Version,
            tree => CopyAsync(context, entry, tree, from, count),
            context.RequestAborted
        );

    /// <summary>
    /// Each answer opens the content again: blocks stay in memory, and a read from start to end
    /// verifies the hash of the file.
    /// </summary>
    private static async Task<long> CopyAsync(
        HttpContext context,
        ServedEntry entry,
        BackupTree tree,
        long from,
        long count
    )
    {
        Stream content = await tree.OpenFileAsync(entry.Node, context.RequestAborted).ConfigureAwait(false);
        await using ConfiguredAsyncDisposable owned = content.ConfigureAwait(false);
        byte[] buffer = ArrayPool<byte>.Shared.Rent((int)Math.Min(BufferBytes, count));
        try
        {
            content.Position = from;
            for (long left = count; left > 0; )
            {
                int read = await content
                    .ReadAsync(buffer.AsMemory(0, (int)Math.Min(buffer.Length, left)), context.RequestAborted)
                    .ConfigureAwait(false);
                if (read == 0)
                {
                    throw new IOException($"{entry.Path} ends before its recorded length");
                }

                await context
                    .Response.Body.WriteAsync(buffer.AsMemory(0, read), context.RequestAborted)
                    .ConfigureAwait(false);
                left -= read;
            }

            return count;
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(buffer);
        }
    }
}
