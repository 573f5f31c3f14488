using System.Net;
using Restore.Storage.Http;

namespace Restore.Storage.WebDav;

/// <summary>What the answers of a WebDAV server to a listing mean for a restore; reads are as everywhere over HTTP.</summary>
internal static class WebDavFailures
{
    public static Exception OfListing(HttpResponseMessage response, HttpFiles files, string where) => response.StatusCode switch
    {
        HttpStatusCode.NotFound or HttpStatusCode.Gone => new RestoreException(
            RestoreErrorCode.RemoteFolderNotFound, "There is no such folder", where),
        HttpStatusCode.OK or HttpStatusCode.MethodNotAllowed or HttpStatusCode.NotImplemented or HttpStatusCode.BadRequest => new RestoreException(
            RestoreErrorCode.NotWebDav, $"The server does not speak WebDAV here (it answered {(int)response.StatusCode} to PROPFIND)", where),
        _ => files.FailureOf(response, "the listing"),
    };
}
