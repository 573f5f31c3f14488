using System.Globalization;
using Microsoft.AspNetCore.Http;

namespace Restore.Web.Http;

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
