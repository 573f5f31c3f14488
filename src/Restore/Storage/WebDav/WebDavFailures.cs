using System.Net;
using Restore.Storage.Http;

namespace Restore.Storage.WebDav;

/// <summary>
/// Maps a WebDAV server's answers to a listing to the exceptions of a restore; reads are plain
/// HTTP.
/// </summary>
internal static class WebDavFailures
{
    public static Exception OfListing(HttpResponseMessage response, HttpFiles files, string where) =>
        response.StatusCode switch
        {
            HttpStatusCode.NotFound or HttpStatusCode.Gone => new RestoreException(
                RestoreErrorCode.RemoteFolderNotFound,
                "There is no such folder",
                where
            ),
            HttpStatusCode.OK
            or HttpStatusCode.MethodNotAllowed
            or HttpStatusCode.NotImplemented
            or HttpStatusCode.BadRequest => new RestoreException(
                RestoreErrorCode.NotWebDav,
                $"The server does not speak WebDAV here (it answered {(int)response.StatusCode} to PROPFIND)",
                where
            ),
            _ => files.FailureOf(response, "the listing"),
        };
}
