using System.Diagnostics;

namespace Restore.Tests.Web.Browser;

/// <summary>What is the same for the browsers that are driven over a websocket.</summary>
internal static class BrowserProcess
{
    /// <summary>
    /// The address at which a browser listens: the rest of a line that it writes when it is ready.
    /// What it writes later is read and dropped.
    /// </summary>
    public static async Task<string> AddressAfterAsync(this Process process, string start)
    {
        while (await process.StandardError.ReadLineAsync() is string line)
        {
            if (line.StartsWith(start, StringComparison.Ordinal))
            {
                _ = process.StandardError.ReadToEndAsync();
                return line[start.Length..];
            }
        }

        throw new InvalidOperationException($"{process.StartInfo.FileName} ended before it listened");
    }
}
