namespace Restore.Browse.Calls;

/// <summary>The status codes of HTTP that answers use.</summary>
internal static class CallStatus
{
    public const int BadRequest = 400;
    public const int NotFound = 404;
    public const int MethodNotAllowed = 405;
    public const int Conflict = 409;
    public const int Error = 500;

    public static int Of(Exception failure) =>
        failure is CallException call ? call.Status
        : failure is RestoreException { Kind: RestoreErrorKind.NotFound } ? NotFound
        : Error;
}
