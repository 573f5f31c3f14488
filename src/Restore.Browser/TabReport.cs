using System.Text.Json;
using System.Text.Json.Nodes;
using Restore.Browse.Reports;

namespace Restore.Browser;

/// <summary>
/// The reports of a restore as a file to be kept: what the program writes with --report, of each
/// version.
/// </summary>
internal static class TabReport
{
    // Of an export. There is no exit code either, and what can be done about an issue is an option
    // of the program.
    private static readonly string[] Unknown =
    [
        "volumesFetched",
        "volumesReadInPart",
        "lostVolumes",
        "profile",
        "choices",
    ];

    private static readonly JsonSerializerOptions Options = ReportJson.OptionsOf(advice: _ => null);

    public static void Write(TextWriter output, IReadOnlyList<RestoreReport> reports) =>
        output.Write(new JsonArray([.. reports.Select(Of)]).ToJsonString());

    private static JsonObject Of(RestoreReport report)
    {
        JsonObject json = ReportJson.Written(TimeProvider.System.GetUtcNow()).With(ReportJson.Of(report, Options));
        foreach (string name in report.VerifyOnly ? [] : Unknown)
        {
            json.Remove(name);
        }

        return json;
    }
}
