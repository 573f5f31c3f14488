using System.Text.Json;
using Restore.Browse.Api;

namespace Restore.Browser;

/// <summary>
/// What the page's worker calls. An answer is the status, a line break and the JSON.
/// </summary>
internal static partial class Program
{
    private static readonly Tab Tab = new();

    private static void Main()
    {
        // The runtime stays, and waits for calls.
    }

    /// <summary>Opens the backup in the folder that the page has set.</summary>
    /// <param name="prefix">The prefix of the backup if there are several; else empty.</param>
    /// <param name="passphrase">Empty for none.</param>
    [JSExport]
    public static Task<string> OpenAsync(string prefix, string passphrase) =>
        AnswerAsync(() => Tab.OpenAsync(prefix, passphrase));

    /// <param name="number">Identifies the call.</param>
    /// <param name="method">GET or POST.</param>
    /// <param name="path">Without what follows the question mark.</param>
    /// <param name="values">Names and values of what follows it, in turn.</param>
    /// <param name="body">JSON; empty for none.</param>
    [JSExport]
    public static Task<string> CallAsync(int number, string method, string path, string[] values, string body) =>
        AnswerAsync(() => Tab.CallAsync(number, method, path, values, body));

    /// <summary>
    /// Writes the first bytes of a file, or a folder as a zip, to an output of the page.
    /// </summary>
    [JSExport]
    public static Task<string> SendAsync(int number, string path, string[] values, JSObject output) =>
        AnswerAsync(() => Tab.SendAsync(number, path, values, output));

    /// <summary>Gives the report of the restore, with every issue.</summary>
    [JSExport]
    public static Task<string> ReportAsync() => AnswerAsync(Tab.ReportAsync);

    [JSExport]
    public static void Abort(int number) => Tab.Abort(number);

    private static async Task<string> AnswerAsync(Func<Task<string>> work)
    {
        try
        {
            return $"200\n{await work().ConfigureAwait(false)}";
        }
        catch (Exception failure)
        {
            string message = CallException.IsExpected(failure) ? failure.Message : $"Unexpected error ({failure})";
            return $"{CallStatus.Of(failure)}\n{JsonSerializer.Serialize(new ErrorAnswer(message), WebJson.Default.ErrorAnswer)}";
        }
    }
}
