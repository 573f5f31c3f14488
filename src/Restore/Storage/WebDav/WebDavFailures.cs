using System.Net;
using Restore.Storage.Http;

namespace Restore.Storage.WebDav;

/// <summary>What the answers of a WebDAV server to a listing mean for a restore; reads are as everywhere over HTTP.</summary>
internal static class WebDavFailures
{
    public static Exception OfListing(HttpResponseMessage response, HttpFiles files, string where) => response.StatusCode switch
    {
        HttpStatusCode.NotFound or HttpStatusCode.Gone => new RestoreException(
            RestoreErrorKind.NotFound, "There is no such folder", where, "Check the path after the server's name"),
        HttpStatusCode.OK or HttpStatusCode.MethodNotAllowed or HttpStatusCode.NotImplemented or HttpStatusCode.BadRequest => new RestoreException(
            RestoreErrorKind.Failed, $"The server does not speak WebDAV here (it answered {(int)response.StatusCode} to PROPFIND)", where,
            "Check the path after the server's name, and whether it needs webdavs://"),
        _ => files.FailureOf(response, "the listing"),
    };
}
