namespace Restore.Web.Http;

internal static class Answer
{
    public static Task RefuseAsync(HttpContext context, int status, string message)
    {
        context.Response.StatusCode = status;
        return new HttpCall(context).WriteAsync(new ErrorAnswer(message), WebJson.Default.ErrorAnswer);
    }

    /// <summary>
    /// Reports the failure, or aborts an answer that has begun: its reader must not take it for
    /// whole.
    /// </summary>
    public static async Task FailAsync(HttpContext context, Exception failure)
    {
        if (context.Response.HasStarted || failure is OperationCanceledException)
        {
            context.Abort();
            return;
        }

        // The length and the type of what could not be sent.
        context.Response.Headers.ContentLength = null;
        context.Response.Headers.Remove("Content-Disposition");
        context.Response.Headers.Remove("Content-Range");
        await RefuseAsync(context, CallStatus.Of(failure), failure.Message).ConfigureAwait(false);
    }
}
