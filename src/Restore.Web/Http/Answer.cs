using System.Globalization;
using System.Text.Json;
using System.Text.Json.Serialization.Metadata;
using Microsoft.AspNetCore.Http;
using Restore.Web.Api;

namespace Restore.Web.Http;

/// <summary>A request that cannot be answered; the message says why.</summary>
internal sealed class RequestException(int status, string message) : Exception(message)
{
    public int Status => status;
}

internal static class Answer
{
    public static async Task WriteAsync<T>(HttpContext context, T value, JsonTypeInfo<T> type)
    {
        context.Response.ContentType = "application/json; charset=utf-8";
        await JsonSerializer.SerializeAsync(context.Response.Body, value, type, context.RequestAborted).ConfigureAwait(false);
    }

    public static async Task<T> ReadAsync<T>(HttpContext context, JsonTypeInfo<T> type)
    {
        try
        {
            return await JsonSerializer.DeserializeAsync(context.Request.Body, type, context.RequestAborted).ConfigureAwait(false)
                ?? throw new RequestException(StatusCodes.Status400BadRequest, "The request is empty");
        }
        catch (JsonException)
        {
            throw new RequestException(StatusCodes.Status400BadRequest, "The request is not JSON of the expected form");
        }
    }

    public static Task RefuseAsync(HttpContext context, int status, string message)
    {
        context.Response.StatusCode = status;
        return WriteAsync(context, new ErrorAnswer(message), WebJson.Default.ErrorAnswer);
    }

    /// <summary>Failures that the backup, the disk or the request cause.</summary>
    public static bool IsExpected(Exception failure) =>
        failure is RequestException or RestoreException or IOException or OperationCanceledException or UnauthorizedAccessException;

    /// <summary>Says what failed, or breaks off an answer that has begun: its reader must not take it for whole.</summary>
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
        int status = failure is RequestException request ? request.Status
            : failure is RestoreException { Kind: RestoreErrorKind.NotFound } ? StatusCodes.Status404NotFound
            : StatusCodes.Status500InternalServerError;
        await RefuseAsync(context, status, failure.Message).ConfigureAwait(false);
    }
}

/// <summary>Values of the query of a request.</summary>
internal static class Query
{
    public static string Text(HttpContext context, string name, int longest = 1000)
    {
        string text = context.Request.Query[name].ToString();
        return text.Length <= longest ? text : throw new RequestException(StatusCodes.Status400BadRequest, $"'{name}' is too long");
    }

    /// <summary>A number from 0 to a limit.</summary>
    public static int Number(HttpContext context, string name, int limit = int.MaxValue, int? absent = null)
    {
        string text = context.Request.Query[name].ToString();
        return text.Length == 0 && absent is int number ? number
            : int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out int value) && value <= limit ? value
            : throw new RequestException(StatusCodes.Status400BadRequest, $"'{name}' is not a number from 0 to {limit}");
    }

    /// <summary>The version that a request names by its index.</summary>
    public static BackupVersion Version(HttpContext context, Backup backup, string name = "version")
    {
        int index = Number(context, name);
        return backup.Versions.FirstOrDefault(version => version.Index == index)
            ?? throw new RequestException(StatusCodes.Status404NotFound, $"There is no version {index}");
    }
}
